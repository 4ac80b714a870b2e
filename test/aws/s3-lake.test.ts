import { createHash, randomBytes } from 'node:crypto';
import { readFile, statfs, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, inject, it } from 'vitest';
import { parseS3Name, s3Lake } from '#lib/aws/s3-lake.ts';
import { ConditionFailed, type Lake } from '#lib/lake/lake.ts';
import { describeLake, listAll } from '../lake/lake-contract.ts';
import { s3At, speakWith } from './support/s3.ts';

const MIB = 1024 * 1024;

const standIns = inject('standIns');
const s3 = s3At(standIns.s3);
let buckets = 0;
beforeAll(async () => {
  speakWith(s3);
});

async function withLake(test: (lake: Lake) => Promise<void>): Promise<void> {
  await using lake = await newLake();
  await test(lake);
}

async function newLake() {
  buckets += 1;
  return s3Lake(`s3://${await s3.bucket(`lake-${buckets}`)}/some/prefix`, { pathStyle: true });
}

describeLake('S3', withLake);

describe('a lake on S3', () => {
  it('puts a file of many parts whole, and only on the condition asked for', async () => {
    await using lake = await newLake();
    await using scratch = await lake.scratch();
    const bytes = randomBytes(70 * MIB);
    const path = join(scratch.path, 'large');
    await writeFile(path, bytes);
    await lake.moveIn('tables/large', path, { absent: true });
    await writeFile(path, randomBytes(66 * MIB));
    await expect(lake.moveIn('tables/large', path, { absent: true })).rejects.toThrow(ConditionFailed);
    await using other = s3Lake(lake.name, { pathStyle: true });
    const [copy = ''] = await other.localPaths(['tables/large']);
    const hash = (from: Buffer) => createHash('sha256').update(from).digest('hex');
    expect(hash(await readFile(copy))).toBe(hash(bytes));
    await expect(lake.moveIn('tables/none', path, { match: '"x"' })).rejects.toThrow(ConditionFailed);
    expect((await listAll(lake, '')).map(({ key }) => key)).toEqual(['tables/large']);
  });

  it('says how much raw may be copied, a quarter of the free disk, and lets copies go', async () => {
    await using lake = await newLake();
    await lake.write('raw/a', Buffer.from('answers'));
    const [path = ''] = await lake.localPaths(['raw/a']);
    const { bavail, bsize } = await statfs(lake.folders[0] ?? '');
    const free = bavail * bsize;
    expect(Math.abs(((await lake.copies?.room()) ?? 0) * 4 - free)).toBeLessThan(free / 10);
    await lake.copies?.drop(['raw/a', 'raw/never-copied']);
    await expect(readFile(path)).rejects.toThrow('ENOENT');
    const [again = ''] = await lake.localPaths(['raw/a']);
    expect(await readFile(again, 'utf8')).toBe('answers');
  });

  it('lists beyond one page of 1,000 keys and removes them all', async () => {
    await using lake = await newLake();
    const keys = Array.from({ length: 1005 }, (_, index) => `raw/${String(index).padStart(5, '0')}`);
    for (let from = 0; from < keys.length; from += 50) {
      await Promise.all(keys.slice(from, from + 50).map((key) => lake.write(key, Buffer.from(key))));
    }
    expect((await listAll(lake, 'raw/')).map(({ key }) => key)).toEqual(keys);
    await lake.remove(keys);
    expect(await listAll(lake, 'raw/')).toEqual([]);
  });

  it('says what to do where the bucket is missing or the credentials are wrong', async () => {
    await using missing = s3Lake('s3://no-such-bucket-here', { pathStyle: true });
    await expect(missing.write('a', Buffer.from('x'))).rejects.toThrow(
      expect.objectContaining({ code: 'LAKE_NOT_WRITABLE', message: expect.stringContaining('such bucket') }),
    );
    const { AWS_SECRET_ACCESS_KEY: right } = process.env;
    process.env['AWS_SECRET_ACCESS_KEY'] = 'wrong';
    try {
      await using denied = s3Lake('s3://lake-1', { pathStyle: true });
      const refused = denied.read('state/head.json');
      await expect(refused).rejects.toThrow(expect.objectContaining({ code: 'LAKE_NOT_WRITABLE' }));
      await expect(refused).rejects.not.toThrow(/wrong key/);
    } finally {
      process.env['AWS_SECRET_ACCESS_KEY'] = right ?? '';
    }
  });

  it('reads the name of a place on S3', () => {
    expect(parseS3Name('s3://bucket')).toEqual({ bucket: 'bucket', prefix: '' });
    expect(parseS3Name('s3://bucket/a//b/')).toEqual({ bucket: 'bucket', prefix: 'a/b/' });
    expect(() => parseS3Name('s3://Bad_Bucket/x')).toThrow('write s3://BUCKET');
  });
});
