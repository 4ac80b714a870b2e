import { expect, it } from 'vitest';
import { localServices } from '#cli/local-services.ts';
import { parseConfig } from '#lib/config/parse-config.ts';
import { rollback } from '#lib/repair/rollback.ts';
import { processHasEnded, thisProcess } from '#lib/runtime/holder.ts';
import { labSettings } from '../support/export-lab.ts';
import { type FixtureLab, fixtureLab, SIGNAGE } from '../support/fixture-lab.ts';

const licenses = (...records: readonly object[]) => ({
  [`${SIGNAGE}/Licenses`]: {
    body: JSON.stringify(records.map((record, index) => ({ Type: `T${index}`, ...record }))),
  },
});
const operator = (lab: FixtureLab, now?: string) => ({
  ...localServices(lab.lake),
  ...(now !== undefined && { now: () => new Date(now) }),
  config: lab.config,
  holder: thisProcess(),
  holderHasEnded: processHasEnded,
});

it('moments of the years 2 to 9999 stand in changes, and kill no later run', async () => {
  const never = (time: string) => licenses({ ValidUntil: time });
  await using lab = await fixtureLab(never('9999-12-31T00:00:00Z'));
  await lab.run('2026-11-20T03:00:00Z');
  const { status } = await lab.run('2026-11-21T03:00:00Z', never('1600-05-05T01:02:03.004Z'));
  expect(status).toBe('complete');
  expect(await lab.rows('select old_value, new_value from changes')).toEqual([
    { old_value: '9999-12-31T00:00:00.000Z', new_value: '1600-05-05T01:02:03.004Z' },
  ]);
});

it('an object that is {} on one day, or in one of two sources, is taken apart on the next', async () => {
  await using lab = await fixtureLab(licenses({ Size: {} }));
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
  await using lab = await fixtureLab({});
  const config = { config: { sources: sources(lab.server.url) } };
  await lab.run('2026-11-20T03:00:00Z', { ...of('berlin', many), ...of('paris', { A: 1 }) }, config);
  await lab.run('2026-11-21T03:00:00Z', { ...of('berlin', many), ...of('paris', { A: 1, B: 2 }) }, config);
  expect(await lab.rows('select export_source, size from licenses order by 1')).toEqual([
    { export_source: 'berlin', size: JSON.stringify(many) },
    { export_source: 'paris', size: '{"A":1,"B":2}' },
  ]);
});

it('a lake without its head is HEAD_MISSING, and rollback puts it back as it was', async () => {
  await using lab = await fixtureLab(licenses({ Count: 1 }));
  await lab.run('2026-11-20T03:00:00Z');
  await lab.run('2026-11-21T03:00:00Z', licenses({ Count: 2 }));
  const before = await lab.rows('select * from licenses_daily order by all');
  await lab.lake.remove(['state/head.json']);
  await expect(lab.run('2026-11-22T03:00:00Z')).rejects.toThrow('rollback 20261121T030000Z');
  await expect(rollback('20261122T030000Z', operator(lab))).rejects.toThrow('no commit of it');
  await rollback('20261121T030000Z', operator(lab));
  expect(await lab.rows('select * from licenses_daily order by all')).toEqual(before);
  await lab.run('2026-11-22T03:00:00Z', licenses({ Count: 3 }));
  expect(await lab.rows('select max("count") n, count(*) d from licenses_daily')).toEqual([{ n: 3, d: 3 }]);
});

it('a rollback days later keeps the files that it commits, which a later run of their day replaced', async () => {
  await using lab = await fixtureLab(licenses({ Count: 1 }));
  await lab.run('2026-11-20T03:00:00Z');
  await lab.run('2026-11-20T09:00:00Z', licenses({ Count: 2 }));
  await rollback('20261120T030000Z', operator(lab, '2099-01-01T00:00:00Z'));
  expect(await lab.rows('select "count" from licenses')).toEqual([{ count: 1 }]);
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
