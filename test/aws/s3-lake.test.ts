import { execFile } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFile, statfs, writeFile } from 'node:fs/promises';
import { createServer, request as send } from 'node:http';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, inject, it } from 'vitest';
import { parseS3Name, s3Lake } from '#lib/aws/s3-lake.ts';
import { ConditionFailed, type Lake } from '#lib/lake/lake.ts';
import { describeLake, listAll } from '../lake/lake-contract.ts';
import { s3At, speakWith } from './support/s3.ts';

const run = promisify(execFile);
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

  it('says which file of the tables is missing, and how to make it again', async () => {
    await using lake = await newLake();
    const key = 'tables/screens/export_date=2026-11-21/run=20261121T030000Z.1/part-0000.parquet';
    await expect(lake.localPaths([key])).rejects.toThrow(
      expect.objectContaining({
        code: 'FILE_CORRUPT',
        message: expect.stringMatching(/^The file s3:\/\/.*part-0000.*`rebuild --from 2026-11-21`/),
      }),
    );
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

  it('loses no increment of one key to a race between processes', async () => {
    await using lake = await newLake();
    const child = new URL('./children/increment.ts', import.meta.url).pathname;
    const racing = ['a', 'b', 'c', 'd'].map((id) => run(process.execPath, [child, lake.name, '25', id]));
    const lost = (await Promise.all(racing)).reduce((sum, { stdout }) => sum + Number(stdout), 0);
    const [count, by] = JSON.parse(String((await lake.read('state/head.json'))?.bytes));
    expect({ count, by }).toEqual({ count: 100, by: { a: 25, b: 25, c: 25, d: 25 } });
    expect(lost).toBeGreaterThan(0);
  });

  it('tells a lost answer to its own put from a lost race', async () => {
    await using lake = await newLake();
    await using cut = await answerCutter(s3.url);
    process.env['AWS_ENDPOINT_URL_S3'] = cut.url;
    await using behind = s3Lake(lake.name, { pathStyle: true });
    // The SDK reads its endpoint with the first call and keeps it.
    expect(await behind.read('state/lease.json')).toBeUndefined();
    process.env['AWS_ENDPOINT_URL_S3'] = s3.url;
    cut.cutNext();
    const etag = await behind.write('state/lease.json', Buffer.from('mine'), { absent: true });
    expect(cut.cuts()).toBe(1);
    expect(await lake.read('state/lease.json')).toEqual({ bytes: Buffer.from('mine'), etag });
    cut.cutNext();
    await expect(behind.write('state/lease.json', Buffer.from('mine'), { absent: true })).rejects.toThrow(
      ConditionFailed,
    );
  });

  it('says what to do where the bucket is missing or the credentials are wrong', async () => {
    await using missing = s3Lake('s3://no-such-bucket-here', { pathStyle: true });
    await expect(missing.write('a', Buffer.from('x'))).rejects.toThrow(
      expect.objectContaining({
        code: 'LAKE_NOT_WRITABLE',
        message: expect.stringContaining('no such bucket'),
      }),
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

/** A proxy that hands requests on and can lose the next answer to a put after it was carried out. */
async function answerCutter(target: string) {
  let isDue = false;
  let cuts = 0;
  const server = createServer(async (request, response) => {
    const body = request.method === 'PUT' ? Buffer.concat(await request.toArray()) : undefined;
    const headers = Object.fromEntries(
      Object.entries(request.headers).filter(
        ([name]) => !['connection', 'expect', 'transfer-encoding'].includes(name),
      ),
    ) as Record<string, string>;
    // The signature is over the stand-in's own host, so the client was told this proxy's; both are loopback.
    const { hostname, port } = new URL(target);
    const onward = send(
      { hostname, port, path: request.url, method: request.method, headers },
      async (answer) => {
        const bytes = Buffer.concat(await answer.toArray());
        if (isDue && request.method === 'PUT') {
          isDue = false;
          cuts += 1;
          response.destroy();
          return;
        }
        response.writeHead(answer.statusCode ?? 500, answer.headers).end(bytes);
      },
    );
    onward.end(body);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return {
    url: `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`,
    cutNext: () => {
      isDue = true;
    },
    cuts: () => cuts,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
