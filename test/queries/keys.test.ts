import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { apiColumnSentence } from '#lib/schema/column-sentence.ts';
import { TABLES } from '#lib/schema/tables.ts';
import { openTables } from '#lib/views/open-tables.ts';
import { QUERIES } from '#lib/views/queries.ts';
import { readViews } from '#lib/views/view-file.ts';
import { startSimulator } from '#simulator/server.ts';
import { labConfig, labSecrets } from '../support/export-lab.ts';
import { type ClockedLake, clockedLake } from './clocked-lake.ts';
import { hoursFile } from './hours-file.ts';
import { signageViewLab } from './view-lab.ts';

const views = await readViews(QUERIES);
const keys = [
  ...views.map(({ name, key, keyNulls }) => ({ name, key, keyNulls })),
  ...TABLES.map(({ name, key, keyNulls = [] }) => ({ name, key, keyNulls })),
  ...TABLES.filter(({ onlyDays }) => !onlyDays).map(({ name, key, keyNulls = [] }) => ({
    name: `${name}_daily`,
    key: [...key, 'export_date'],
    keyNulls,
  })),
];

let hours: Awaited<ReturnType<typeof hoursFile>>;
let lake: ClockedLake;
beforeAll(async () => {
  hours = await hoursFile(['*,Mon-Sun,06:00,22:00,Europe/Berlin']);
  await using simulator = await disposable();
  const one = labConfig(simulator.url, { config: { groups: ['City', 'CustomId'], hours: hours.path } });
  // Two sources of each kind at the same APIs share all ids.
  const twins = one.sources.map((source) => ({ ...source, name: `${source.name}-2` }));
  lake = await clockedLake({ ...one, sources: [...one.sources, ...twins] }, labSecrets(simulator));
  for (const day of [0, 1, 2]) {
    simulator.day = day;
    await lake.run(`2026-11-${20 + day}T03:00:00Z`);
  }
  await lake.run('2026-11-22T15:00:00Z');
}, 120_000);
afterAll(async () => {
  await lake?.[Symbol.asyncDispose]();
  await hours?.[Symbol.asyncDispose]();
});

async function disposable() {
  const simulator = await startSimulator({ players: 40, storages: 6, seed: 12, startDate: '2026-11-20' });
  return Object.assign(simulator, { [Symbol.asyncDispose]: () => simulator.close() });
}

async function countsOf(
  { name, key, keyNulls }: (typeof keys)[number],
  { rows }: Pick<ClockedLake, 'rows'> = lake,
) {
  const full = key.filter((column) => !keyNulls.includes(column));
  const hasNull = full.map((column) => `${column} is null`).join(' or ');
  const [row] = await rows(
    `select count(*) as rows, count(distinct row(${key.join(', ')})) as keys, coalesce(count_if(${hasNull}), 0) as nulls from ${name}`,
  );
  return { name, ...row };
}

it('the key of each table and view has no null but where it says so, and tells its rows apart, where two sources share their ids', async () => {
  const found: Readonly<Record<string, unknown>>[] = [];
  for (const each of keys) found.push(await countsOf(each));
  expect(found.filter(({ rows, keys: different, nulls }) => rows !== different || nulls !== 0)).toEqual([]);
  expect(found.filter(({ rows }) => rows === 0).map(({ name }) => name)).toEqual(['rejects']);
});

it('so does that of rejects', async () => {
  await using lab = await signageViewLab({}, { twins: true });
  const said = (more: (id: number) => object) => {
    const players = Array.from({ length: 40 }, (_, id) => ({ Id: id, ...more(id) }));
    return { players, twins: { players } };
  };
  await lab.run(
    '2026-11-20T03:00:00Z',
    said((id) => ({ LocationId: id, EditionId: id })),
  );
  const misfit = said((id) =>
    id === 7 ? { LocationId: 'L', EditionId: 'L' } : { LocationId: id, EditionId: id },
  );
  await lab.run('2026-11-21T03:00:00Z', misfit);
  await lab.run('2026-11-21T15:00:00Z', misfit);
  const [rejects] = keys.filter(({ name }) => name === 'rejects');
  expect(rejects && (await countsOf(rejects, lab))).toEqual({ name: 'rejects', rows: 8, keys: 8, nulls: 0 });
});

it('is_heartbeat marks what moves with each report', async () => {
  expect(
    await lake.rows('select distinct column_name from changes where is_heartbeat order by column_name'),
  ).toEqual(
    ['attempts', 'last_access', 'last_attempt', 'last_update', 'usage_last_check'].map((column_name) => ({
      column_name,
    })),
  );
  expect(await lake.rows('select count(*) as unsaid from changes where is_heartbeat is null')).toEqual([
    { unsaid: 0 },
  ]);
});

it('each column has a sentence, and each sentence of views a column', async () => {
  using tables = await openTables(lake.lake);
  const without = Object.entries(tables.schema.tables).flatMap(([table, { columns }]) =>
    columns.filter(({ name }) => apiColumnSentence(table, name) === undefined).map(({ name }) => name),
  );
  expect(without).toEqual([]);
  const unsaid = views.flatMap(({ name, columns, sentences }) =>
    Object.keys(columns)
      .filter((each) => !(each in sentences))
      .map((each) => `${name}.${each}`),
  );
  expect(unsaid).toEqual([]);
  const known = new Set(
    views.flatMap(({ name, columns }) => Object.keys(columns).flatMap((each) => [each, `${name}.${each}`])),
  );
  const said = JSON.parse(await readFile(new URL('sentences.json', QUERIES), 'utf8'));
  expect(Object.keys(said).filter((name) => !known.has(name))).toEqual([]);
});
