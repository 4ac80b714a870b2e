/** A put that was asked for only on a condition, which did not hold: somebody else was there first. */
export class ConditionFailed extends Error {
  readonly key: string;

  constructor(key: string) {
    super(`${key} was written by another in the meantime`);
    this.name = 'ConditionFailed';
    this.key = key;
  }
}

/** `absent`: only if the key does not exist; `match`: only if it still has that etag. */
export type Condition = { readonly absent: true } | { readonly match: string };

export interface StoredObject {
  readonly bytes: Buffer;
  readonly etag: string;
}

export interface ObjectReader {
  /** Bytes of the whole object. */
  readonly size: number;
  /** Reads `length` bytes from `offset`. */
  read(offset: number, length: number): Promise<Buffer>;
  close(): Promise<void>;
}

export interface ListedObject {
  readonly key: string;
  /** Bytes. */
  readonly size: number;
}

/**
 * Where everything is kept: a folder on a laptop, a bucket and prefix on AWS. Keys are relative, with `/`.
 * Every put is whole or not at all, whatever dies in the middle.
 */
export interface Lake {
  /** How a person names it: a path or s3://bucket/prefix. */
  readonly name: string;
  /** The local folders in which `localPaths` lie: what DuckDB must be let read. */
  readonly folders: readonly string[];
  read(key: string): Promise<StoredObject | undefined>;
  open(key: string): Promise<ObjectReader | undefined>;
  /** Writes and gives the new etag. Throws ConditionFailed. */
  write(key: string, bytes: Uint8Array, condition?: Condition): Promise<string>;
  /** Puts a file that lies in `scratch()` under the key and takes it away from there. Throws ConditionFailed. */
  moveIn(key: string, path: string, condition?: Condition): Promise<void>;
  /** All objects whose key begins with the prefix, in order of their keys; those behind `after` alone where it is given. */
  list(prefix: string, after?: string): AsyncIterable<ListedObject>;
  /** Removes what is there of these; a key that is not there is no error. */
  remove(keys: readonly string[]): Promise<void>;
  /** Paths at which DuckDB can read these objects, in the same order; fetched first where the lake is remote. */
  localPaths(keys: readonly string[]): Promise<readonly string[]>;
  /** What `localPaths` copies to this machine's disk; without it, files are read where they lie. */
  readonly copies?: Copies;
  /** A new empty folder for files in the making, on the file system that `moveIn` can move from at no cost. */
  scratch(): Promise<Scratch>;
}

interface Copies {
  /** Bytes of raw answers that one piece of work may copy now. */
  room(): Promise<number>;
  /** Removes the copies of these, which nobody reads any more. */
  drop(keys: readonly string[]): Promise<void>;
}

export interface Scratch extends AsyncDisposable {
  readonly path: string;
}
