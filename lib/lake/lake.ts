/** The condition of a put did not hold: somebody else was faster. */
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
 * Every put is whole or has no effect, even if the process dies.
 */
export interface Lake {
  /** Its name for people: a path or s3://bucket/prefix. */
  readonly name: string;
  /** The local folders of `localPaths`, which DuckDB must be able to read. */
  readonly folders: readonly string[];
  read(key: string): Promise<StoredObject | undefined>;
  open(key: string): Promise<ObjectReader | undefined>;
  /** Writes and returns the new etag. Throws ConditionFailed. */
  write(key: string, bytes: Uint8Array, condition?: Condition): Promise<string>;
  /** Moves a file from `scratch()` to the key. Throws ConditionFailed. */
  moveIn(key: string, path: string, condition?: Condition): Promise<void>;
  /** All objects with a key that begins with the prefix, in order; with `after`, only those behind it. */
  list(prefix: string, after?: string): AsyncIterable<ListedObject>;
  /** Removes the objects at these keys; a missing key is not an error. */
  remove(keys: readonly string[]): Promise<void>;
  /** Paths at which DuckDB can read these objects, in order; a remote lake fetches them first. */
  localPaths(keys: readonly string[]): Promise<readonly string[]>;
  /** The copies that `localPaths` makes on this machine's disk; a local lake makes none. */
  readonly copies?: Copies;
  /** A new empty folder for unfinished files, on a file system from which `moveIn` is cheap. */
  scratch(): Promise<Scratch>;
}

interface Copies {
  /** Bytes of raw answers that one piece of work may copy now. */
  room(): Promise<number>;
  /** Removes the copies of these, because nobody reads them any more. */
  drop(keys: readonly string[]): Promise<void>;
}

export interface Scratch extends AsyncDisposable {
  readonly path: string;
}

/** The key itself, if it stays below the lake. Throws at an empty, `.` or `..` segment: a program error. */
export function checkKey(key: string): string {
  if (
    key.split('/').some((segment) => segment === '' || segment === '.' || segment === '..') ||
    key.includes('\0')
  ) {
    throw new Error(`${JSON.stringify(key)} is no key of a lake`);
  }
  return key;
}
