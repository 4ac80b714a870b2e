import { randomUUID } from 'node:crypto';
import { closeSync, openSync, readSync, unlinkSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SLICE_BYTES } from './scan.ts';

/** A smaller body stays in memory: 64 child answers at once need at most 64 MiB, and most have 1 kB. */
export const MEMORY_BYTES = 1 << 20;

/** A body's bytes, in memory or in a file without a name. */
export interface Spool {
  readonly append: (chunk: Buffer) => void;
  /** The bytes [from, to), which may be a view of the stored bytes. */
  readonly read: (from: number, to: number) => Buffer;
  /** Frees the memory or file; may be called twice. */
  readonly close: () => void;
}

/** Keeps up to 1 MiB in memory and moves more into a temporary file; throws what the file system throws. */
export function createSpool(): Spool {
  let chunks: Buffer[] = [];
  let inMemory = 0;
  let inFile = 0;
  let file: number | null = null;

  function flush(): void {
    file ??= openNameless();
    for (const chunk of chunks) {
      for (let done = 0; done < chunk.length; )
        done += writeSync(file, chunk, done, chunk.length - done, inFile + done);
      inFile += chunk.length;
    }
    chunks = [];
    inMemory = 0;
  }

  function fromFile(from: number, to: number): Buffer {
    const bytes = Buffer.allocUnsafe(to - from);
    if (file === null) return bytes;
    for (let done = 0; done < bytes.length; ) {
      const got = readSync(file, bytes, done, bytes.length - done, from + done);
      if (got === 0) throw new Error('the temporary file is shorter than what was written to it');
      done += got;
    }
    return bytes;
  }

  function fromMemory(from: number, to: number): Buffer {
    const parts: Buffer[] = [];
    let begin = 0;
    for (const chunk of chunks) {
      const end = begin + chunk.length;
      if (end > from && begin < to) parts.push(chunk.subarray(Math.max(0, from - begin), to - begin));
      if (end >= to) break;
      begin = end;
    }
    const [only] = parts;
    return parts.length === 1 && only !== undefined ? only : Buffer.concat(parts);
  }

  return {
    append(chunk) {
      chunks.push(chunk);
      inMemory += chunk.length;
      if (inMemory > (file === null ? MEMORY_BYTES : SLICE_BYTES)) flush();
    },
    read(from, to) {
      if (file === null) return fromMemory(from, to);
      if (inMemory > 0) flush();
      return fromFile(from, to);
    },
    close() {
      if (file !== null) closeSync(file);
      file = null;
      chunks = [];
    },
  };
}

/** An open file without a name, so that nothing is left even if the process is killed. */
function openNameless(): number {
  const path = join(tmpdir(), `signage-export-${randomUUID()}`);
  const file = openSync(path, 'wx+', 0o600);
  unlinkSync(path);
  return file;
}
