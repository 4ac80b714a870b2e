import { randomUUID } from 'node:crypto';
import { closeSync, openSync, readSync, unlinkSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A smaller body stays in memory: 64 child answers at once need at most 64 MiB, and most have 1 kB. */
export const MEMORY_BYTES = 1 << 20;

/** A body's bytes, in memory or in a file without a name. */
export interface Spool {
  readonly append: (chunk: Buffer) => void;
  readonly bytes: () => number;
  /** The bytes [from, to), which may be a view of the stored bytes. */
  readonly read: (from: number, to: number) => Buffer;
  /** Frees the memory or file; may be called twice. */
  readonly close: () => void;
}

/** Keeps up to 1 MiB in memory and moves more into a temporary file. Throws the file system's errors. */
export function createSpool(): Spool {
  let chunks: Buffer[] = [];
  let bytes = 0;
  let file: number | null = null;

  function write(chunk: Buffer, from: number): void {
    file ??= openNameless();
    for (let done = 0; done < chunk.length; )
      done += writeSync(file, chunk, done, chunk.length - done, from + done);
  }

  function fromFile(open: number, from: number, to: number): Buffer {
    const found = Buffer.allocUnsafe(to - from);
    for (let done = 0; done < found.length; ) {
      const got = readSync(open, found, done, found.length - done, from + done);
      if (got === 0) throw new Error('the temporary file is shorter than what was written to it');
      done += got;
    }
    return found;
  }

  return {
    append(chunk) {
      if (file === null) chunks.push(chunk);
      else write(chunk, bytes);
      bytes += chunk.length;
      if (file !== null || bytes <= MEMORY_BYTES) return;
      write(Buffer.concat(chunks), 0);
      chunks = [];
    },
    bytes: () => bytes,
    read(from, to) {
      if (file !== null) return fromFile(file, from, to);
      if (chunks.length > 1) chunks = [Buffer.concat(chunks)];
      return (chunks[0] ?? Buffer.alloc(0)).subarray(from, to);
    },
    close() {
      if (file !== null) closeSync(file);
      file = null;
      chunks = [];
    },
  };
}

/** An open file without a name, so nothing is left even if the process is killed. */
function openNameless(): number {
  const path = join(tmpdir(), `signage-export-${randomUUID()}`);
  const file = openSync(path, 'wx+', 0o600);
  unlinkSync(path);
  return file;
}
