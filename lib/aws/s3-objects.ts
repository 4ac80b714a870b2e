import { randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { rename, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  DeleteObjectsCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import { instead } from '../errors.ts';
import { damagedFile } from '../lake/damaged-file.ts';
import { type Condition, ConditionFailed, type ListedObject, type StoredObject } from '../lake/lake.ts';
import { makeFolders } from '../make-folders.ts';
import { sideBySide } from '../side-by-side.ts';
import { isConflict, isMissingObject, isUnmet, s3Error, wasRetried } from './s3-errors.ts';

/** A larger file is put in parts: a lost part costs less to send again. One put may have 5 GiB. */
const SINGLE_PUT_BYTES = 64 * 1024 * 1024;
const PART_BYTES = 32 * 1024 * 1024;
/** @see https://docs.aws.amazon.com/AmazonS3/latest/userguide/qfacts.html */
const MOST_PARTS = 10_000;
/** Parallel parts: 128 MiB with their buffers, which fits the smallest Lambda that puts large files. */
const PARTS_AT_ONCE = 4;
/** The most keys of one DeleteObjects. */
const MOST_DELETED = 1000;
/** Tries of a call that S3 throttles (503 SlowDown) or fails; the waits between them add up to about 40 s. */
const MAX_ATTEMPTS = 8;
/** Tries of a conditional put that S3 answers with 409: another put is still running. */
const CONFLICTS = 10;

export interface S3ObjectsOptions {
  readonly bucket: string;
  /** True: the bucket is in the path, not in the host, as S3-compatible stores need it. */
  readonly pathStyle: boolean;
}

interface PutOptions {
  readonly condition?: Condition | undefined;
  /** MIME type, for the browser that shows the object. */
  readonly contentType?: string;
}

/**
 * The calls to S3 that a lake needs. Keys have the prefix. Finds credentials, region and AWS_ENDPOINT_URL like every AWS
 * tool. Throws LAKE_NOT_WRITABLE, LAKE_UNREACHABLE, ConditionFailed.
 */
export function s3Objects({ bucket, pathStyle }: S3ObjectsOptions) {
  const client = new S3Client({ forcePathStyle: pathStyle, maxAttempts: MAX_ATTEMPTS });
  const place = (key: string) => ({ Bucket: bucket, Key: key });
  const guarded = async <Result>(key: string, step: () => Promise<Result>): Promise<Result> => {
    try {
      return await step();
    } catch (cause) {
      throw s3Error(cause, { bucket, key });
    }
  };
  const orUndefined = async <Result>(key: string, step: () => Promise<Result>) =>
    guarded(key, () => step().catch(instead(isMissingObject, undefined)));

  /** One try of a conditional put. The object's put name distinguishes a lost answer from a lost race. */
  const conditional = async <Result>(
    key: string,
    condition: Condition | undefined,
    put: (name: string) => Promise<Result>,
  ): Promise<Result | { readonly ETag?: string | undefined }> => {
    for (let conflicts = 1; ; conflicts += 1) {
      const name = randomUUID();
      try {
        return await put(name);
      } catch (error) {
        if (condition === undefined) throw error;
        if (isConflict(error) && conflicts < CONFLICTS) continue;
        if (!isUnmet(error) && !isConflict(error)) throw error;
        const stored = wasRetried(error) ? await client.send(new HeadObjectCommand(place(key))) : undefined;
        if (stored?.Metadata?.['put'] === name) return stored;
        throw new ConditionFailed(key);
      }
    }
  };

  const putWhole = async (key: string, Body: Uint8Array, { condition, contentType }: PutOptions) => {
    const { ETag = '' } = await conditional(key, condition, (put) =>
      client.send(
        new PutObjectCommand({
          ...place(key),
          Body,
          ...(contentType !== undefined && { ContentType: contentType }),
          Metadata: { put },
          ...headersOf(condition),
        }),
      ),
    );
    return ETag;
  };

  const putInParts = async (key: string, path: string, size: number, condition: Condition | undefined) => {
    await conditional(key, condition, async (name) => {
      const { UploadId } = await client.send(
        new CreateMultipartUploadCommand({ ...place(key), Metadata: { put: name } }),
      );
      try {
        const partBytes = Math.max(PART_BYTES, Math.ceil(size / MOST_PARTS));
        const parts = Array.from({ length: Math.ceil(size / partBytes) }, (_, part) => part);
        const etags = await sideBySide(parts, PARTS_AT_ONCE, async (part) => {
          const from = part * partBytes;
          const to = Math.min(size, from + partBytes);
          const body = await bytesBetween(path, from, to);
          const sent = await client.send(
            new UploadPartCommand({ ...place(key), UploadId, PartNumber: part + 1, Body: body }),
          );
          return sent.ETag;
        });
        return await client.send(
          new CompleteMultipartUploadCommand({
            ...place(key),
            UploadId,
            MultipartUpload: { Parts: etags.map((ETag, part) => ({ ETag, PartNumber: part + 1 })) },
            ...headersOf(condition),
          }),
        );
      } catch (error) {
        // An unfinished upload costs money; if this fails too, the bucket's lifecycle removes it in a day.
        await client
          .send(new AbortMultipartUploadCommand({ ...place(key), UploadId }))
          .catch(() => undefined);
        throw error;
      }
    });
  };

  return {
    read: (key: string): Promise<StoredObject | undefined> =>
      orUndefined(key, async () => {
        const { Body, ETag = '' } = await client.send(new GetObjectCommand(place(key)));
        return { bytes: Buffer.from((await Body?.transformToByteArray()) ?? []), etag: ETag };
      }),
    size: (key: string) =>
      orUndefined(key, async () => {
        const { ContentLength = 0, ETag = '' } = await client.send(new HeadObjectCommand(place(key)));
        return { size: ContentLength, etag: ETag };
      }),
    readRange: (key: string, { offset, length, etag }: { offset: number; length: number; etag: string }) =>
      guarded(key, async () => {
        const Range = `bytes=${offset}-${offset + length - 1}`;
        const { Body } = await client.send(new GetObjectCommand({ ...place(key), Range, IfMatch: etag }));
        const bytes = Buffer.from((await Body?.transformToByteArray()) ?? []);
        if (bytes.length === length) return bytes;
        throw new Error(`the object ends before byte ${offset + length}`);
      }),
    /** Writes the object into a file, whole or not at all, and makes its folders. Throws if the object does not exist. */
    download: (key: string, path: string) =>
      guarded(key, async () => {
        makeFolders(dirname(path));
        const part = `${path}.${randomUUID()}`;
        const { Body } = await client.send(new GetObjectCommand(place(key))).catch((cause: unknown) => {
          throw isMissingObject(cause) ? damagedFile(`s3://${bucket}/${key}`, cause) : cause;
        });
        if (!(Body instanceof Readable)) throw new Error('the answer has no body');
        await pipeline(Body, createWriteStream(part));
        await rename(part, path);
      }),
    /** Returns the new etag. */
    put: (key: string, bytes: Uint8Array, options: PutOptions = {}) =>
      guarded(key, () => putWhole(key, bytes, options)),
    putFile: (key: string, path: string, condition: Condition | undefined) =>
      guarded(key, async () => {
        const { size } = await stat(path);
        if (size > SINGLE_PUT_BYTES) return await putInParts(key, path, size, condition);
        await putWhole(key, await bytesBetween(path, 0, size), { condition });
      }),
    list: listAll,
    remove: (keys: readonly string[]) =>
      guarded(keys[0] ?? '', async () => {
        const all = [...new Set(keys)];
        for (let from = 0; from < all.length; from += MOST_DELETED) {
          const Objects = all.slice(from, from + MOST_DELETED).map((Key) => ({ Key }));
          const { Errors } = await client.send(
            new DeleteObjectsCommand({ Bucket: bucket, Delete: { Objects, Quiet: true } }),
          );
          const failed = Errors?.find(({ Code }) => Code !== 'NoSuchKey');
          if (failed !== undefined) {
            throw Object.assign(new Error(`${failed.Key}: ${failed.Message}`), {
              name: failed.Code ?? 'Error',
            });
          }
        }
      }),
  };

  async function* listAll(prefix: string, after?: string): AsyncGenerator<ListedObject> {
    let next: string | undefined;
    do {
      const page = await guarded(prefix, () =>
        client.send(
          new ListObjectsV2Command({
            Bucket: bucket,
            Prefix: prefix,
            ...(after !== undefined && { StartAfter: after }),
            ...(next !== undefined && { ContinuationToken: next }),
          }),
        ),
      );
      for (const { Key, Size = 0 } of page.Contents ?? []) {
        if (Key !== undefined) yield { key: Key, size: Size };
      }
      next = page.NextContinuationToken;
    } while (next !== undefined);
  }
}

const headersOf = (condition: Condition | undefined) =>
  condition && ('absent' in condition ? { IfNoneMatch: '*' } : { IfMatch: condition.match });

async function bytesBetween(path: string, from: number, to: number): Promise<Buffer> {
  if (to <= from) return Buffer.alloc(0);
  return Buffer.concat(await createReadStream(path, { start: from, end: to - 1 }).toArray());
}
