import { join } from 'node:path';
import { expect, it } from 'vitest';
import { folderLake } from '#lib/lake/folder/folder-lake.ts';
import { openTables } from '#lib/views/open-tables.ts';
import { startFixtureServer } from '#simulator/fixture-server.ts';
import { measure } from '../../bench/child.ts';
import type { RunArgument, RunMeasured } from '../../bench/children/run.ts';
import { SIGNAGE } from '../support/fixture-lab.ts';
import { temporaryFolder } from '../support/lake-children.ts';

/** One more than a round number, which would be asked about. */
const RECORDS = 1_000_001;
const PEAK_MIB = 1536;

/** One answer of some 190 MB: numbers that need mending, times, text and an object a record. */
function millionRecords(): Buffer {
  const pieces: Buffer[] = [Buffer.from('[')];
  for (let from = 0; from < RECORDS; from += 10_000) {
    const some = Array.from({ length: Math.min(10_000, RECORDS - from) }, (_, index) => {
      const id = from + index;
      const time = new Date(1_700_000_000_000 + id * 1000).toISOString();
      const exact = id % 1000 === 0 ? ',"Exact":1234567890123456789012.5' : '';
      return `{"Id":${id},"Name":"Gruppe ${id} Süd","AppCount":${id % 97},"Created":"${time}","IsDefault":${id % 2 === 0},"Size":{"Width":${id % 4096},"Height":1080}${exact}}`;
    });
    pieces.push(Buffer.from(`${from === 0 ? '' : ','}${some.join(',')}`));
  }
  return Buffer.concat([...pieces, Buffer.from(']')]);
}

it('1,000,000 records in one answer are exported in a process of under 1.5 GiB', async () => {
  await using folder = await temporaryFolder();
  const empty = { body: '[]' };
  const body = millionRecords();
  const server = await startFixtureServer({
    routes: {
      ...{ [`${SIGNAGE}/Licenses`]: empty, [`${SIGNAGE}/Players`]: empty },
      [`${SIGNAGE}/AppGroups`]: ({ url = '' }) => (url.includes('?') ? empty : { body }),
    },
  });
  const lake = join(folder.path, 'lake');
  const place = { url: server.url, key: 'fixture-key', concurrency: 1, lake };
  const argument: RunArgument = { ...place, at: '2026-11-20T03:00:00Z' };
  const run = await measure<RunMeasured>('run', argument).finally(() => server.close());
  process.stderr.write(`${JSON.stringify(run)}\n`);
  expect(run).toMatchObject({ status: 'complete', rows: RECORDS });
  expect(run.peakMiB).toBeLessThan(PEAK_MIB);
  using tables = await openTables(folderLake(lake));
  const { rows } = await tables.query(
    'select count(*), count(distinct record_key), sum(app_count), count(exact), max(size_width), (select count(*) from rejects) from app_groups',
  );
  const sum = Array.from({ length: RECORDS }, (_, id) => id % 97).reduce((a, b) => a + b, 0);
  expect(rows).toEqual([[RECORDS, RECORDS, sum, Math.ceil(RECORDS / 1000), 4095, 0]]);
}, 900_000);
