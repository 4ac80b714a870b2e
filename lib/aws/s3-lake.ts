import { randomUUID } from 'node:crypto';
import { existsSync, rmSync } from 'node:fs';
import { rename, rm, statfs } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { UsageError } from '../errors.ts';
import { ConditionFailed, checkKey, type Lake } from '../lake/lake.ts';
import { makeFolders } from '../make-folders.ts';
import { sideBySide } from '../side-by-side.ts';
import { copiesFolder } from './left-copies.ts';
import { type S3ObjectsOptions, s3Objects } from './s3-objects.ts';

/** Objects fetched at once for DuckDB. */
const DOWNLOADS_AT_ONCE = 8;

/** A quarter of the free disk is for copies of raw answers. DuckDB spills up to a half, and tables have the rest. */
const COPIES_SHARE = 4;

/** A lake on S3. DuckDB reads copies in a temporary folder, which is removed at the end of the lake's scope. */
export interface S3Lake extends Lake, AsyncDisposable {}

/**
 * The lake at `s3://bucket/prefix`. Conditions are S3's own (If-None-Match, If-Match), so they hold between
 * machines. An etag is a hash of the content. So never put an object that is compared by etag twice with the
 * same content. Throws LAKE_NOT_WRITABLE and LAKE_UNREACHABLE.
 */
export function s3Lake(name: string, options: Pick<S3ObjectsOptions, 'pathStyle'>): S3Lake {
  const { bucket, prefix } = parseS3Name(name);
  const objects = s3Objects({ ...options, bucket });
  const { path: root, left } = copiesFolder();
  const copies = join(root, 'copies');
  makeFolders(copies);
  const leave = () => rmSync(root, { recursive: true, force: true });
  process.once('exit', leave);

  const keyOf = (key: string) => `${prefix}${checkKey(key)}`;
  const copyOf = (key: string) => join(copies, checkKey(key));
  const named = async <Result>(key: string, put: () => Promise<Result>): Promise<Result> => {
    try {
      return await put();
    } catch (error) {
      throw error instanceof ConditionFailed ? new ConditionFailed(key) : error;
    }
  };
  /** Running downloads: a second reader of the same object waits for the first download. */
  const fetching = new Map<string, Promise<void>>();
  const fetched = async (key: string): Promise<void> => {
    if (existsSync(copyOf(key))) return;
    const running = fetching.get(key) ?? objects.download(keyOf(key), copyOf(key));
    fetching.set(key, running);
    try {
      await running;
    } finally {
      fetching.delete(key);
    }
  };

  return {
    name,
    folders: [root],
    read: async (key) => objects.read(keyOf(key)),
    open: async (key) => {
      const found = await objects.size(keyOf(key));
      return (
        found && {
          size: found.size,
          read: (offset, length) =>
            length === 0
              ? Promise.resolve(Buffer.alloc(0))
              : objects.readRange(keyOf(key), { offset, length, etag: found.etag }),
          close: async () => {},
        }
      );
    },
    write: async (key, bytes, condition) => {
      const whole = keyOf(key);
      const etag = await named(key, () => objects.put(whole, bytes, { condition }));
      await rm(copyOf(key), { force: true });
      return etag;
    },
    moveIn: async (key, path, condition) => {
      const whole = keyOf(key);
      await named(key, () => objects.putFile(whole, path, condition));
      // A file is often read soon after it is put, so it becomes the copy.
      makeFolders(dirname(copyOf(key)));
      await rename(path, copyOf(key));
    },
    async *list(from, after) {
      for await (const each of objects.list(`${prefix}${from}`, after && `${prefix}${after}`)) {
        yield { ...each, key: each.key.slice(prefix.length) };
      }
    },
    remove: async (keys) => {
      await objects.remove(keys.map(keyOf));
      await Promise.all(keys.map((key) => rm(copyOf(key), { force: true })));
    },
    localPaths: async (keys) => {
      await sideBySide(new Set(keys), DOWNLOADS_AT_ONCE, fetched);
      return keys.map(copyOf);
    },
    copies: {
      room: async () => {
        const { bavail, bsize } = await statfs(root);
        return Math.floor((bavail * bsize) / COPIES_SHARE);
      },
      drop: async (keys) => {
        await Promise.all(keys.map((key) => rm(copyOf(key), { force: true })));
      },
    },
    scratch: async () => {
      const path = join(root, 'scratch', randomUUID());
      makeFolders(path);
      return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) };
    },
    [Symbol.asyncDispose]: async () => {
      process.off('exit', leave);
      await rm(root, { recursive: true, force: true });
      left();
    },
  };
}

/** Bucket and prefix, which is empty or ends with `/`. Throws UsageError if the name is not `s3://bucket/prefix`. */
export function parseS3Name(name: string): { readonly bucket: string; readonly prefix: string } {
  const [, bucket, path = ''] = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/(.*))?$/.exec(name) ?? [];
  if (bucket === undefined) {
    throw new UsageError(
      `--lake ${JSON.stringify(name)} is no place on S3: write s3://BUCKET or s3://BUCKET/PREFIX.`,
    );
  }
  const segments = path.split('/').filter((segment) => segment !== '');
  return { bucket, prefix: segments.map((segment) => `${segment}/`).join('') };
}
