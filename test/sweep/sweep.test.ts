import { expect, it } from 'vitest';
import { LOCAL_HOLDER } from '#cli/local-holder.ts';
import { localServices } from '#cli/local-services.ts';
import { start } from '#lib/contracts/start.ts';
import { ExportError } from '#lib/errors.ts';
import { lakeKey } from '#lib/lake/keys.ts';
import { type BatchGroup, readBatch, writeBatches } from '#lib/run/batch.ts';
import { failedRow } from '#lib/run/failed-row.ts';
import { openRawFiles } from '#lib/run/raw-files.ts';
import { sweepSource } from '#lib/sweep/sweep.ts';
import { exportLab } from '../support/export-lab.ts';

it('what failed and what was not begun of one resource lie in batches apart, for a batch has one raw file of it', async () => {
  await using lab = await exportLab({ players: 4 });
  const { lake, config } = lab;
  const services = localServices(lake);
  const started = await start({}, { ...services, ...LOCAL_HOLDER, config });
  if (started.kind !== 'started') throw new Error('the lake is not free');
  const place = { ...started.input, source: 'berlin', pass: 0 };
  const screens = (...parents: string[]): BatchGroup[] => [{ resource: 'screens', failures: 0, parents }];
  await writeBatches(lake, place, [screens('1', '2'), screens('3', '4')]);
  // The first batch had no time, the second met a server that failed once.
  await using late = await openRawFiles(lake, ['screens']);
  await late.put('screens', lakeKey('raw', { ...place, resource: 'screens', batch: 0 }), 1);
  await using files = await openRawFiles(lake, ['screens']);
  const error = new ExportError({ code: 'HTTP_500', message: 'HTTP 500' });
  for (const parent of ['3', '4']) await files.append('screens', failedRow(parent, error, new Date()));
  await files.put('screens', lakeKey('raw', { ...place, resource: 'screens', batch: 1 }), 1);

  const { pass, batches } = await sweepSource(place, services);
  const again = await Promise.all(batches.map((batch) => readBatch(lake, { ...place, pass, batch })));
  for (const groups of again)
    expect(new Set(groups.map(({ resource }) => resource)).size).toBe(groups.length);
  const asked = again.flat().flatMap(({ failures, parents }) => parents.map((id) => [id, failures]));
  expect(asked.sort()).toEqual([
    ['1', 0],
    ['2', 0],
    ['3', 1],
    ['4', 1],
  ]);
});
