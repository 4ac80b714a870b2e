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

const REJECTS = 'select export_date, record_key, raw_value, reason from rejects order by all';
const values = (...texts: readonly unknown[]) => licenses(...texts.map((Value) => ({ Value })));

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

it('rows that are carried over keep their misfits when a type is set by a run of another source', async () => {
  const of = (name: string, value: string) => ({
    [`/${name}${SIGNAGE}/Licenses`]: { body: `[{"Type":"T","Value":${value}}]` },
  });
  const settings = (type?: string) => ({
    signage: type === undefined ? {} : { resources: { licenses: { columns: { value: { type } } } } },
    fleets: { berlin: {}, paris: {} },
  });
  await using lab = await signageLab({}, settings());
  const routes = { ...of('berlin', '"ten"'), ...of('paris', '5') };
  await lab.run('2026-11-20T03:00:00Z', routes, settings());
  const failed = { ...routes, [`/berlin${SIGNAGE}/Licenses`]: { status: 400, body: '{}' } };
  await lab.run('2026-11-21T03:00:00Z', failed, settings('bigint'));
  expect(await lab.rows(REJECTS)).toEqual([
    { export_date: '2026-11-20', record_key: 'T', raw_value: 'ten', reason: 'type' },
  ]);
  await lab.run('2026-11-22T03:00:00Z', failed, settings('varchar'));
  expect(
    await lab.rows("select export_date, value from licenses_daily where export_source = 'berlin' order by 1"),
  ).toEqual(['2026-11-20', '2026-11-21', '2026-11-22'].map((export_date) => ({ export_date, value: 'ten' })));
  expect(await lab.rows(REJECTS)).toEqual([]);
});

it('the misfits of rows that are carried over stand at the date of their run alone', async () => {
  await using lab = await signageLab(values('ten', 5));
  await lab.run('2026-11-20T03:00:00Z');
  const failed = { [`${SIGNAGE}/Licenses`]: { status: 400, body: '{}' } };
  for (const day of [1, 2]) await lab.run(`2026-11-2${day}T03:00:00Z`, failed);
  await applyType({ table: 'licenses', column: 'value', type: 'bigint' }, operator(lab));
  const typed = { signage: { resources: { licenses: { columns: { value: { type: 'double' } } } } } };
  for (const day of [3, 4, 5]) {
    expect(await lab.rows('select count(*) as n from licenses_daily where value is null')).toEqual([
      { n: day },
    ]);
    expect(await lab.rows(REJECTS)).toEqual([
      { export_date: '2026-11-20', record_key: 'T0', raw_value: 'ten', reason: 'type' },
    ]);
    await lab.run(`2026-11-2${day}T03:00:00Z`, failed, day === 4 ? typed : {});
  }
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
