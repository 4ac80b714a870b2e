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

it('moments of the years 2 to 9999 stand in changes, and kill no later run', async () => {
  const never = (time: string) => licenses({ ValidUntil: time });
  await using lab = await signageLab(never('9999-12-31T00:00:00Z'));
  await lab.run('2026-11-20T03:00:00Z');
  const { status } = await lab.run('2026-11-21T03:00:00Z', never('1600-05-05T01:02:03.004Z'));
  expect(status).toBe('complete');
  expect(await lab.rows('select old_value, new_value from changes')).toEqual([
    { old_value: '9999-12-31T00:00:00.000Z', new_value: '1600-05-05T01:02:03.004Z' },
  ]);
});

it('an object with data in its keys is text in every source, new keys and all', async () => {
  const many = Object.fromEntries(Array.from({ length: 70 }, (_, index) => [`k${index}`, index]));
  const of = (name: string, size: object) => ({
    [`/${name}${SIGNAGE}/Licenses`]: { body: JSON.stringify([{ Type: 'T', Size: size }]) },
  });
  await using lab = await signageLab({}, { fleets: { berlin: {}, paris: {} } });
  await lab.run('2026-11-20T03:00:00Z', { ...of('berlin', many), ...of('paris', { A: 1 }) });
  await lab.run('2026-11-21T03:00:00Z', { ...of('berlin', many), ...of('paris', { A: 1, B: 2 }) });
  expect(await lab.rows('select export_source, size from licenses order by 1')).toEqual([
    { export_source: 'berlin', size: JSON.stringify(many) },
    { export_source: 'paris', size: '{"A":1,"B":2}' },
  ]);
});

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

const VALUES = 'select export_date, type, value from licenses_daily order by all';
const REJECTS = 'select export_date, record_key, raw_value, reason from rejects order by all';
const values = (...texts: readonly unknown[]) => licenses(...texts.map((Value) => ({ Value })));

it('schema apply and back again gives the values as the API wrote them', async () => {
  await using lab = await signageLab(values('1.50', '1e3', 'x'));
  await lab.run('2026-11-20T03:00:00Z');
  await lab.run('2026-11-21T03:00:00Z', values('2.50', '2', '"'));
  const before = await lab.rows(VALUES);
  const column = { table: 'licenses', column: 'value' } as const;
  await applyType({ ...column, type: 'bigint' }, operator(lab));
  expect(await lab.rows(VALUES)).toEqual([
    { export_date: '2026-11-20', type: 'T0', value: null },
    { export_date: '2026-11-20', type: 'T1', value: 1000 },
    { export_date: '2026-11-20', type: 'T2', value: null },
    { export_date: '2026-11-21', type: 'T0', value: null },
    { export_date: '2026-11-21', type: 'T1', value: 2 },
    { export_date: '2026-11-21', type: 'T2', value: null },
  ]);
  expect(await lab.rows(REJECTS)).toEqual([
    { export_date: '2026-11-20', record_key: 'T0', raw_value: '1.50', reason: 'type' },
    { export_date: '2026-11-20', record_key: 'T2', raw_value: 'x', reason: 'type' },
    { export_date: '2026-11-21', record_key: 'T0', raw_value: '2.50', reason: 'type' },
    { export_date: '2026-11-21', record_key: 'T2', raw_value: '"', reason: 'type' },
  ]);
  for (const type of ['double', 'timestamp', 'varchar'] as const)
    await applyType({ ...column, type }, operator(lab));
  expect(await lab.rows(VALUES)).toEqual(before);
  expect(await lab.rows(REJECTS)).toEqual([]);
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

it('where raw is gone, what would be lost is refused with counts, and goes to rejects by the operator’s word', async () => {
  const gone = { config: { rawRetentionDays: 0 } };
  await using lab = await signageLab(values(5, 6, 2026), gone);
  await lab.run('2026-11-20T03:00:00Z');
  await lab.run('2026-11-21T03:00:00Z', values(7, 6, 2027));
  const before = await lab.rows(VALUES);
  const column = { table: 'licenses', column: 'value' } as const;
  await expect(applyType({ ...column, type: 'date' }, operator(lab))).rejects.toThrow(
    'licenses.value as date would lose 6 values of 2 dates from 2026-11-20 to 2026-11-21',
  );
  // The same in the config is a question, where the values of the day have the type.
  const asking = { signage: { resources: { licenses: { columns: { value: { type: 'date' } } } } } };
  const dates = values('2026-11-01', '2026-11-02', '2026-11-03');
  const { sources } = await lab.run('2026-11-22T03:00:00Z', dates, { ...gone, ...asking });
  expect(JSON.stringify(sources[0]?.questions)).toContain('would lose 6 values of 2 dates');
  expect((await lab.rows(VALUES)).slice(0, 6)).toEqual(before);
  // What loses nothing is done: numbers as text and back.
  for (const type of ['varchar', 'double', 'bigint'] as const)
    await applyType({ ...column, type }, operator(lab));
  expect((await lab.rows(VALUES)).slice(0, 6)).toEqual(before);
  await applyType({ ...column, type: 'date', acceptLoss: true }, operator(lab));
  expect(await lab.rows('select count(value) n from licenses_daily')).toEqual([{ n: 0 }]);
  expect(await lab.rows("select count(*) n from rejects where reason = 'type'")).toEqual([{ n: 9 }]);
});

it('a daily file that was lost hinders no run whose column widens', async () => {
  await using lab = await signageLab(values(1, 2));
  await lab.run('2026-11-20T03:00:00Z');
  await lab.run('2026-11-21T03:00:00Z');
  await lab.lake.remove(['tables/licenses/export_date=2026-11-20/run=20261120T030000Z.1/part-0000.parquet']);
  const { status } = await lab.run('2026-11-22T03:00:00Z', values(1.5, 2));
  expect(status).toBe('complete');
  expect(await lab.rows("select value from licenses where type = 'T0'")).toEqual([{ value: 1.5 }]);
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
