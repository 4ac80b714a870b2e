import { randomBytes } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { folderLake } from '#lib/lake/folder/folder-lake.ts';
import { lakeKey } from '#lib/lake/keys.ts';
import type { ObjectReader } from '#lib/lake/lake.ts';
import type { RawRow } from '#lib/lake/raw/raw.ts';
import { createRawFile, readRawIndex } from '#lib/lake/raw/raw-file.ts';
import { noteRawSums } from '#lib/lake/sums/raw-sums.ts';
import { temporaryFolder } from '../support/lake-children.ts';
import { rawRow } from '../support/raw-row.ts';

const marker = 'BODY'.repeat(100);
const rows: readonly RawRow[] = Array.from({ length: 300 }, (_, each) =>
  rawRow({
    parentId: each % 10 === 0 ? null : `player ${each} ä`,
    page: each % 3,
    slice: each,
    outcome: each % 2 === 0 ? null : 'failed',
    errorCode: each % 2 === 0 ? null : 'TIMEOUT',
    body: Buffer.from(`${marker}${each}${'0123456789'.repeat(each)}`),
  }),
);

async function lakeWithFile(path: string, file: { rows: readonly RawRow[]; cut?: number }) {
  const lake = folderLake(path);
  await using scratch = await lake.scratch();
  const made = join(scratch.path, 'raw.parquet');
  const raw = await createRawFile(made, { maxGroupBytes: 50_000 });
  for (const row of file.rows) await raw.append(row);
  await raw.close({ left: '1', note: 'ä' });
  const bytes = await readFile(made);
  await lake.write('raw/a.parquet', bytes.subarray(0, file.cut ?? bytes.length));
  const reader = await lake.open('raw/a.parquet');
  if (reader === undefined) throw new Error('the file is not there');
  return reader;
}

describe('raw index', () => {
  it('reads two ranges of the footer, and one a row group of a fraction of the file', async () => {
    await using folder = await temporaryFolder();
    const bodies = Array.from({ length: 64 }, (_, slice) =>
      rawRow({ slice, body: Buffer.from(randomBytes(5000).toString('hex')) }),
    );
    const reader = await lakeWithFile(folder.path, { rows: bodies });
    const lengths: number[] = [];
    const counting: ObjectReader = {
      ...reader,
      read: (offset, length) => {
        lengths.push(length);
        return reader.read(offset, length);
      },
    };
    await readRawIndex(counting);
    // Five bodies of 10,000 bytes fill a group of 50,000.
    const groups = Math.ceil(64 / 5);
    expect(lengths.length).toBe(2 + groups);
    expect(lengths.reduce((sum, length) => sum + length, 0)).toBeLessThan(reader.size / 10);
    await reader.close();
  });

  it.each([0, 1, 11, 1000, -1, -8])('of a file cut to %d bytes says that it is damaged', async (cut) => {
    await using folder = await temporaryFolder();
    const reader = await lakeWithFile(folder.path, { rows, cut });
    await expect(readRawIndex(reader, 'raw/a.parquet')).rejects.toThrow(
      expect.objectContaining({
        code: 'RAW_CORRUPT',
        message:
          'The raw file raw/a.parquet is damaged. Remove it and start the run again: it requests the listings of the file again.',
      }),
    );
    await reader.close();
  });
});

it('a raw file shows every bit of its pages that turns before a plan has noted its sum', async () => {
  await using folder = await temporaryFolder();
  const lake = folderLake(folder.path);
  const runId = '20261120T030000Z';
  const key = lakeKey('raw', { runId, source: 'berlin', resource: 'players', pass: 0, batch: 0 });
  const path = join(folder.path, key);
  await mkdir(dirname(path), { recursive: true });
  const file = await createRawFile(path);
  await file.append(rawRow({ body: Buffer.from('[{"Id":1}]') }));
  await file.close({ left: '0' });
  const note = async () => await noteRawSums(lake, { runId, isAgain: false, files: [{ key, path }] });
  await note();
  const whole = await readFile(path);
  const pages = whole.length - 8 - whole.readUInt32LE(whole.length - 8);
  for (let bit = 0; bit < pages * 8; bit += 7) {
    const turned = Buffer.from(whole);
    turned[bit >> 3] = (turned[bit >> 3] ?? 0) ^ (1 << (bit & 7));
    await writeFile(path, turned);
    await expect(note(), `bit ${bit}`).rejects.toMatchObject({ code: 'RAW_CORRUPT' });
  }
  await writeFile(path, whole.subarray(0, -9));
  await expect(note()).rejects.toMatchObject({ code: 'RAW_CORRUPT' });
});
