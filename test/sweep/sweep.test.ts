import { expect, it } from 'vitest';
import { localServices } from '#cli/local-services.ts';
import { ExportError } from '#lib/errors.ts';
import { lakeKey } from '#lib/lake/keys.ts';
import { type BatchGroup, readBatch, writeBatches } from '#lib/run/batch.ts';
import { failedRow, openRaw } from '#lib/run/raw-files.ts';
import { asksUntil, readAttempt } from '#lib/run/run-record.ts';
import { sweep } from '#lib/sweep/sweep.ts';
import { begin } from '../support/begin.ts';
import { type ExportLab, exportLab, SIGNAGE_ALONE } from '../support/export-lab.ts';

const DEADLINE_MS = 24 * 3_600_000;

/** A source whose screens were requested in a pass; `failures` are those of earlier ones. */
async function askedOnce(lab: ExportLab, failures = 0) {
  const { lake, config } = lab;
  const services = localServices(lake);
  const input = await begin({}, { ...services, config });
  const place = { ...input, source: 'berlin', pass: 0 };
  const screens = (...parents: string[]): BatchGroup[] => [{ resource: 'screens', failures, parents }];
  await writeBatches(lake, place, [screens('1', '2'), screens('3', '4')]);
  // The first batch had no time, the second met a server that failed once.
  await using late = await openRaw(lake);
  await late.close(1);
  await late.put(lakeKey('raw', { ...place, resource: 'screens', batch: 0 }));
  await using raw = await openRaw(lake);
  const error = new ExportError({ code: 'HTTP_500', message: 'HTTP 500' });
  for (const parent of ['3', '4']) await raw.append(failedRow(parent, error, new Date()));
  await raw.close(1);
  await raw.put(lakeKey('raw', { ...place, resource: 'screens', batch: 1 }));

  const until = asksUntil(await readAttempt(lake, place));
  /** What a sweep so long before the end of asking puts into new batches: each batch has its groups. */
  return async (leftMs = DEADLINE_MS) => {
    const now = () => new Date(until.getTime() - leftMs);
    const { pass, batches } = await sweep(place, { ...services, now });
    return await Promise.all(batches.map((batch) => readBatch(lake, { ...place, pass, batch })));
  };
}

const itemsOf = (batches: readonly (readonly BatchGroup[])[]) =>
  batches
    .flat()
    .flatMap(({ failures, parents }) => parents.map((id) => [id, failures]))
    .sort();

it('what failed and what was not begun of one resource lie in batches apart, for a batch has one raw file of it', async () => {
  await using lab = await exportLab({ players: 4 }, SIGNAGE_ALONE);
  const sweep = await askedOnce(lab);
  const again = await sweep();
  expect(again.length).toBeGreaterThan(1);
  for (const groups of again)
    expect(new Set(groups.map(({ resource }) => resource)).size).toBe(groups.length);
  expect(itemsOf(again)).toEqual([
    ['1', 0],
    ['2', 0],
    ['3', 1],
    ['4', 1],
  ]);
});

it.each([
  { failures: 1, isTried: true },
  { failures: 2, isTried: false },
])('what has failed in $failures sweeps before is tried again: $isTried', async ({ failures, isTried }) => {
  await using lab = await exportLab({ players: 4 }, SIGNAGE_ALONE);
  const sweep = await askedOnce(lab, failures);
  const failed = isTried
    ? [
        ['3', failures + 1],
        ['4', failures + 1],
      ]
    : [];
  // Whatever was not begun is not a failure.
  const unbegun = [
    ['1', failures],
    ['2', failures],
  ];
  expect(itemsOf(await sweep())).toEqual([...unbegun, ...failed]);
});

it('nothing is asked for again once the run has no time for asking, two hours before its deadline', async () => {
  await using lab = await exportLab({ players: 4 }, SIGNAGE_ALONE);
  const sweep = await askedOnce(lab);
  expect(itemsOf(await sweep(1))).toHaveLength(4);
  expect(await sweep(0)).toEqual([]);
});
