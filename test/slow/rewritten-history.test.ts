import { expect, it } from 'vitest';
import { LOCAL_HOLDER } from '#cli/local-holder.ts';
import { localServices } from '#cli/local-services.ts';
import { parseConfig } from '#lib/config/parse-config.ts';
import { readHead } from '#lib/lake/head.ts';
import { applyType } from '#lib/repair/apply-type.ts';
import { rebuild } from '#lib/repair/rebuild.ts';
import { rollback } from '#lib/repair/rollback.ts';
import { wayBack } from '#lib/repair/way-back.ts';
import { labSettings } from '../support/export-lab.ts';
import { type FixtureLab, SIGNAGE, signageLab } from '../support/fixture-lab.ts';

const licenses = (...records: readonly object[]) => ({
  [`${SIGNAGE}/Licenses`]: {
    body: JSON.stringify(records.map((record, index) => ({ Type: `T${index}`, ...record }))),
  },
});
const operator = (lab: FixtureLab, now?: string) => ({
  ...localServices(lab.lake),
  ...(now !== undefined && { now: () => new Date(now) }),
  ...LOCAL_HOLDER,
  config: lab.config,
});

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

it('an object that is {} on one day, or in one of two sources, is taken apart on the next', async () => {
  await using lab = await signageLab(licenses({ Size: {} }));
  await lab.run('2026-11-20T03:00:00Z');
  await lab.run('2026-11-21T03:00:00Z', licenses({ Size: { Width: 1 } }));
  await lab.run('2026-11-22T03:00:00Z', licenses({ Size: { Width: 2, Height: 'x' } }, { Size: {} }));
  expect(await lab.rows('select type, size_width, size_height from licenses order by type')).toEqual([
    { type: 'T0', size_width: 2, size_height: 'x' },
    { type: 'T1', size_width: null, size_height: null },
  ]);
  expect(await lab.rows('select * from rejects')).toEqual([]);
});

it('an object with data in its keys is text in every source, new keys and all', async () => {
  const many = Object.fromEntries(Array.from({ length: 70 }, (_, index) => [`k${index}`, index]));
  const of = (name: string, size: object) => ({
    [`/${name}/v1.12/Licenses`]: { body: JSON.stringify([{ Type: 'T', Size: size }]) },
    ...Object.fromEntries(['Players', 'AppGroups'].map((each) => [`/${name}/v1.12/${each}`, { body: '[]' }])),
  });
  const sources = (url: string) =>
    ['berlin', 'paris'].map((name) => ({
      name,
      kind: 'signage',
      baseUrl: url,
      basePath: `/${name}`,
      secret: `lab/${name}`,
      requestsPerSecond: null,
    }));
  await using lab = await signageLab({});
  const config = { config: { sources: sources(lab.server.url) } };
  await lab.run('2026-11-20T03:00:00Z', { ...of('berlin', many), ...of('paris', { A: 1 }) }, config);
  await lab.run('2026-11-21T03:00:00Z', { ...of('berlin', many), ...of('paris', { A: 1, B: 2 }) }, config);
  expect(await lab.rows('select export_source, size from licenses order by 1')).toEqual([
    { export_source: 'berlin', size: JSON.stringify(many) },
    { export_source: 'paris', size: '{"A":1,"B":2}' },
  ]);
});

it('a lake without its head is HEAD_MISSING, and rollback puts it back as it was', async () => {
  await using lab = await signageLab(licenses({ Count: 1 }));
  await lab.run('2026-11-20T03:00:00Z');
  await lab.run('2026-11-21T03:00:00Z', licenses({ Count: 2 }));
  const before = await lab.rows('select * from licenses_daily order by all');
  await lab.lake.remove(['state/head.json']);
  await expect(lab.run('2026-11-22T03:00:00Z')).rejects.toThrow('rollback 20261121T030000Z');
  await expect(rollback('20261122T030000Z', operator(lab))).rejects.toThrow('has no commit of this run');
  await expect(rebuild('2026-11-20', operator(lab))).rejects.toMatchObject({ code: 'HEAD_MISSING' });
  await rollback('20261121T030000Z', operator(lab));
  expect(await lab.rows('select * from licenses_daily order by all')).toEqual(before);
  await lab.run('2026-11-22T03:00:00Z', licenses({ Count: 3 }));
  expect(await lab.rows('select max("count") n, count(*) d from licenses_daily')).toEqual([{ n: 3, d: 3 }]);
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

it('two sources that ask for different types of a column are refused with the config', () => {
  const asks = (type: string) => ({ resources: { licenses: { columns: { total: { type } } } } });
  const { sources, ...rest } = labSettings('https://signage.example.com') as { sources: readonly object[] };
  const two = [sources[0], { ...sources[0], name: 'paris' }].map((source, index) => ({
    ...source,
    ...asks(index === 0 ? 'bigint' : 'varchar'),
  }));
  expect(() => parseConfig(JSON.stringify({ ...rest, sources: two }), 'export.config.json')).toThrow(
    'export.config.json: resources.licenses.columns.total is bigint in source berlin and varchar in source paris',
  );
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

it('numbers keep their ends and their size, whatever type they had between', async () => {
  await using lab = await signageLab(licenses({}));
  const body = '[{"Type":"T0","Value":9007199254740993},{"Type":"T1","Value":5}]';
  await lab.run('2026-11-20T03:00:00Z', { [`${SIGNAGE}/Licenses`]: { body } });
  const column = { table: 'licenses', column: 'value' } as const;
  for (const type of ['double', 'boolean', 'bigint'] as const)
    await applyType({ ...column, type }, operator(lab));
  expect(await lab.rows('select value from licenses order by type')).toEqual([
    { value: '9007199254740993' },
    { value: 5 },
  ]);
});

it('a number beyond all whole ones comes back from a type that does not hold it', async () => {
  await using lab = await signageLab(licenses({}));
  const body = '[{"Type":"T0","Value":1e300},{"Type":"T1","Value":1.5}]';
  await lab.run('2026-11-20T03:00:00Z', { [`${SIGNAGE}/Licenses`]: { body } });
  const column = { table: 'licenses', column: 'value' } as const;
  const now = () => lab.rows('select value from licenses order by type');
  await applyType({ ...column, type: 'bigint' }, operator(lab));
  expect(await now()).toEqual([{ value: null }, { value: null }]);
  await applyType({ ...column, type: 'double' }, operator(lab));
  expect(await now()).toEqual([{ value: 1e300 }, { value: 1.5 }]);
  expect(await lab.rows('select * from rejects')).toEqual([]);
});

it('a zone that is set later, or another one, reads the history too, and nothing has changed by it', async () => {
  const seen = licenses({ LastSeen: '2026-11-19T10:00:00' });
  await using lab = await signageLab(seen);
  const zoned = (timeZone: string) => ({ signage: { timeZone } });
  await lab.run('2026-11-20T03:00:00Z');
  await lab.run('2026-11-21T03:00:00Z', seen, zoned('Europe/Berlin'));
  await lab.run('2026-11-22T03:00:00Z', seen, zoned('America/New_York'));
  expect(await lab.rows('select last_seen::varchar as t from licenses_daily')).toEqual(
    Array.from({ length: 3 }, () => ({ t: '2026-11-19 15:00:00' })),
  );
  expect(await lab.rows('select * from changes')).toEqual([]);
});

it('rows that are carried over keep their misfits when a type is set by a run of another source', async () => {
  const of = (name: string, value: string) => ({
    [`/${name}/v1.12/Licenses`]: { body: `[{"Type":"T","Value":${value}}]` },
    ...Object.fromEntries(['Players', 'AppGroups'].map((each) => [`/${name}/v1.12/${each}`, { body: '[]' }])),
  });
  await using lab = await signageLab({});
  const settings = (type?: string) => ({
    config: {
      sources: ['berlin', 'paris'].map((name) => ({
        name,
        kind: 'signage',
        baseUrl: lab.server.url,
        basePath: `/${name}`,
        secret: `lab/${name}`,
        requestsPerSecond: null,
        ...(type && { resources: { licenses: { columns: { value: { type } } } } }),
      })),
    },
  });
  const routes = { ...of('berlin', '"ten"'), ...of('paris', '5') };
  await lab.run('2026-11-20T03:00:00Z', routes, settings());
  const failed = { ...routes, '/berlin/v1.12/Licenses': { status: 400, body: '{}' } };
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

it('schema apply of the type that a column has changes nothing', async () => {
  await using lab = await signageLab(values(1, 2));
  await lab.run('2026-11-20T03:00:00Z');
  await applyType({ table: 'licenses', column: 'value', type: 'bigint' }, operator(lab));
  expect(await lab.rows('select value from licenses order by type')).toEqual([{ value: 1 }, { value: 2 }]);
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
