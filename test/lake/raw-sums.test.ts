import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { folderLake } from '#lib/lake/folder/folder-lake.ts';
import { lakeKey } from '#lib/lake/keys.ts';
import { createRawFile } from '#lib/lake/raw/raw-file.ts';
import { noteRawSums } from '#lib/lake/sums/raw-sums.ts';
import { temporaryFolder } from '../support/lake-children.ts';
import { rawRow } from '../support/raw-row.ts';

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
