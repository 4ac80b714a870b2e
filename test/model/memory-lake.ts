import { randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type Condition, ConditionFailed, checkKey, type Lake } from '#lib/lake/lake.ts';

/** An object: its bytes, or the file that has them; both where DuckDB was let read what is in memory. */
interface Stored {
  readonly etag: string;
  readonly size: number;
  bytes?: Buffer;
  path?: string;
}

/** A lake in memory. Only what DuckDB writes or reads lies in the folder. */
export function memoryLake(folder: string): Lake {
  const objects = new Map<string, Stored>();
  const made = new Set<string>();
  let puts = 0;
  const bytesOf = (stored: Stored): Buffer => {
    stored.bytes ??= readFileSync(stored.path ?? '');
    return stored.bytes;
  };
  const pathOf = (key: string): string => {
    const path = join(folder, key);
    const parent = dirname(path);
    if (!made.has(parent)) mkdirSync(parent, { recursive: true });
    made.add(parent);
    return path;
  };
  const put = (key: string, stored: Omit<Stored, 'etag'>, condition: Condition | undefined): string => {
    const before = objects.get(checkKey(key));
    if (condition !== undefined && ('absent' in condition ? before : before?.etag !== condition.match))
      throw new ConditionFailed(key);
    if (before?.path !== undefined) rmSync(before.path);
    puts += 1;
    const etag = `"${puts}"`;
    objects.set(key, { ...stored, etag });
    return etag;
  };
  return {
    name: folder,
    folders: [folder],
    read: async (key) => {
      const stored = objects.get(checkKey(key));
      return stored && { bytes: Buffer.from(bytesOf(stored)), etag: stored.etag };
    },
    open: async (key) => {
      const stored = objects.get(checkKey(key));
      if (stored === undefined) return undefined;
      const bytes = bytesOf(stored);
      return {
        size: bytes.length,
        read: async (offset, length) => {
          if (offset + length > bytes.length) throw new Error(`${key} ends before byte ${offset + length}`);
          return bytes.subarray(offset, offset + length);
        },
        close: async () => {},
      };
    },
    write: async (key, bytes, condition) =>
      put(key, { bytes: Buffer.from(bytes), size: bytes.length }, condition),
    moveIn: async (key, from, condition) => {
      const { size } = statSync(from);
      // The file of an earlier object is gone before the new one takes its place.
      const etag = put(key, { size }, condition);
      const path = pathOf(key);
      renameSync(from, path);
      objects.set(key, { etag, size, path });
      return undefined;
    },
    list: async function* (prefix, after = '') {
      const keys = [...objects.keys()].filter((key) => key.startsWith(prefix) && key > after).sort();
      for (const key of keys) {
        const stored = objects.get(key);
        if (stored !== undefined) yield { key, size: stored.size };
      }
    },
    remove: async (keys) => {
      for (const key of keys) {
        const stored = objects.get(checkKey(key));
        if (stored?.path !== undefined) rmSync(stored.path);
        objects.delete(key);
      }
    },
    localPaths: async (keys) =>
      keys.map((key) => {
        const stored = objects.get(checkKey(key));
        const path = pathOf(key);
        if (stored !== undefined && stored.path === undefined) {
          writeFileSync(path, bytesOf(stored));
          stored.path = path;
        }
        return path;
      }),
    scratch: async () => {
      const path = join(folder, '.scratch', randomUUID());
      mkdirSync(path, { recursive: true });
      return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) };
    },
  };
}
