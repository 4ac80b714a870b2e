import { expect, it } from 'vitest';
import { readHead } from '#lib/lake/head.ts';
import { applyType } from '#lib/repair/apply-type.ts';
import { rollback } from '#lib/repair/rollback.ts';
import { wayBack } from '#lib/repair/way-back.ts';
import { type FixtureLab, SIGNAGE, signageLab } from '../support/fixture-lab.ts';
import { operatorOf } from '../support/runs.ts';

const licenses = (...records: readonly object[]) => ({
  [`${SIGNAGE}/Licenses`]: {
    body: JSON.stringify(records.map((record, index) => ({ Type: `T${index}`, ...record }))),
  },
});
const operator = (lab: FixtureLab, now?: string) =>
  operatorOf(lab, now === undefined ? {} : { now: () => new Date(now) });

it('a rollback days later keeps the files that it commits, which a later run of their day replaced', async () => {
  await using lab = await signageLab(licenses({ Count: 1 }));
  await lab.run('2026-11-20T03:00:00Z');
  await lab.run('2026-11-20T09:00:00Z', licenses({ Count: 2 }));
  await rollback('20261120T030000Z', operator(lab, '2099-01-01T00:00:00Z'));
  expect(await lab.rows('select "count" from licenses')).toEqual([{ count: 1 }]);
});
it('status offers a run whose files were replaced until they are removed, and no longer', async () => {
  await using lab = await signageLab(licenses({ Count: 1 }));
  await lab.run('2026-11-20T03:00:00Z');
  await lab.run('2026-11-20T09:00:00Z', licenses({ Count: 2 }));
  const offered = async (now: string) => {
    const head = (await readHead(lab.lake))?.head;
    return head && (await wayBack(head, operator(lab, now))).rollbacks;
  };
  expect(await offered('2026-11-20T10:00:00Z')).toMatchObject([{ runId: '20261120T030000Z' }]);
  const later = operator(lab, '2099-01-01T00:00:00Z');
  await applyType({ table: 'licenses', column: 'count', type: 'varchar' }, later);
  expect(await offered('2099-01-01T01:00:00Z')).toEqual([]);
});

it('a time zone that is moved west turns no date back', async () => {
  await using lab = await signageLab(licenses({ Total: 1 }), { config: { timeZone: 'Pacific/Auckland' } });
  await lab.run('2026-11-20T03:00:00Z');
  // The 21st in Auckland, still the 20th in Honolulu.
  await lab.run('2026-11-20T15:00:00Z', licenses({ Total: 2 }));
  const west = { config: { timeZone: 'Pacific/Honolulu' } };
  await lab.run('2026-11-21T03:00:00Z', licenses({ Total: 3 }), west);
  const days = 'select export_date, total from licenses_daily order by 1';
  expect(await lab.rows(days)).toEqual([
    { export_date: '2026-11-20', total: 1 },
    { export_date: '2026-11-21', total: 3 },
  ]);
  await lab.run('2026-11-23T03:00:00Z', licenses({ Total: 4 }), west);
  expect((await lab.rows(days)).at(-1)).toEqual({ export_date: '2026-11-22', total: 4 });
});
