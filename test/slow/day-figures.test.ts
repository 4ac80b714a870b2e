import { link, mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { expect, it } from 'vitest';
import { commitHead, readHead } from '#lib/lake/head.ts';
import { lakeKey } from '#lib/lake/keys.ts';
import type { Lake } from '#lib/lake/lake.ts';
import { purge } from '#lib/repair/purge/purge.ts';
import { collectReport } from '#lib/report/collect-report.ts';
import { openReport } from '#lib/report/days/open-report.ts';
import { readRunRecord } from '#lib/run/run-record.ts';
import { parseAttemptName } from '#lib/run-id.ts';
import { signage } from '#lib/sources/signage.ts';
import { openTables, quarterBefore } from '#lib/views/open-tables.ts';
import { startSimulator } from '#simulator/server.ts';
import { clockedLake } from '../queries/clocked-lake.ts';
import { hoursFile } from '../queries/hours-file.ts';
import { type Day, signageViewLab, viewLab } from '../queries/view-lab.ts';
import { createChance } from '../support/chance.ts';
import { exportLab, labConfig, SIGNAGE_ALONE } from '../support/export-lab.ts';
import { operatorServices } from '../support/lab-services.ts';

const DAYS = 14;
const DAY_MS = 86_400_000;
const FIRST = Date.parse('2026-10-20T03:00:00Z');
const { basePath } = signage.defaults;
/** FIGURES_SEED draws others. */
const SEED = Number(process.env['FIGURES_SEED'] ?? 1);

interface Lived {
  readonly lake: Lake;
  readonly config: Parameters<typeof collectReport>[1];
  readonly now: Date;
}

/** Days with failures and without runs, a source that is left out, and days with two runs. */
async function livedThrough(seed: number, onDay: (day: number, at: Lived) => Promise<void>): Promise<void> {
  const chance = createChance(seed);
  await using hours = await hoursFile(['Berlin,Mon-Sun,08:00,20:00,Europe/Berlin']);
  const startDate = new Date(FIRST).toISOString().slice(0, 10);
  const started = [11, 12].map((of) => startSimulator({ players: 12, startDate, seed: seed * 100 + of }));
  const fleets = await Promise.all(started);
  const { url, secrets } = fleets[0] ?? expect.fail();
  const baseUrls = fleets.map((fleet, index) => [`fleet${index}`, { baseUrl: fleet.url, basePath }] as const);
  const loose = { minCoverage: 0.01, maxShrink: 1 };
  const settings = { groups: ['City'], hours: hours.path, targets: { '*': 0.9 }, ...loose };
  const config = labConfig(url, { fleets: Object.fromEntries(baseUrls), config: settings });
  const lake = await clockedLake(config, {
    read: async (name) => (name === 'lab/vault' ? secrets.backup : secrets.signage),
  });
  try {
    for (let day = 0; day < DAYS; day++) {
      if (day > 0 && chance.number() < 0.12) continue;
      for (const hour of chance.number() < 0.2 ? [0, 9] : [0]) {
        for (const fleet of fleets) {
          fleet.day = day;
          const isDenied = () => chance.number() < 0.1;
          const faults = chance.number() < 0.15 ? '500:0.4@resource=screens' : isDenied() ? 'denied:1' : '';
          await fleet.setFaults(faults);
        }
        const sources = chance.number() < 0.15 ? ['fleet0'] : undefined;
        const at = new Date(FIRST + day * DAY_MS + hour * 3_600_000);
        await lake.run(at.toISOString(), sources);
        await onDay(day, { lake: lake.lake, config, now: at });
      }
    }
  } finally {
    for (const fleet of fleets) await fleet.close();
    await lake[Symbol.asyncDispose]();
  }
}

/** Shares are sums, whose last digit depends on the order of their parts. */
const shortOf = (value: unknown) => (typeof value === 'number' ? Number(value.toPrecision(12)) : value);
const rounded = (data: object): unknown => JSON.parse(JSON.stringify(data), (_, value) => shortOf(value));

/** The page that is made with stored figures, and that of the views. */
async function pages({ lake, config, now }: Lived): Promise<readonly unknown[]> {
  using large = await openReport(lake, { smallBytes: 0 });
  await large.complete();
  using plain = await openTables(lake);
  const made = [large, plain].map((tables) => collectReport(tables, config, now));
  return (await Promise.all(made)).map(rounded);
}

/** Days on which a page is made. Before the eighth day nothing is settled; then most days are. */
const PAGES = [7, 10, 13];

it('a page made with stored figures shows what the views say, with failures and days without runs', async () => {
  let compared = 0;
  await livedThrough(SEED, async (day, lived) => {
    if (!PAGES.includes(day) || lived.now.getUTCHours() !== 3) return;
    const [stored, plain] = await pages(lived);
    expect(stored).toEqual(plain);
    compared += 1;
  });
  expect(compared).toBeGreaterThan(1);
});

const timeOf = (day: number, time: string) =>
  new Date(Date.parse(`2026-10-01T${time}Z`) + day * DAY_MS).toISOString().replace('.000', '');

/** Players that were just seen, with one screen each, which is on unless `off` names it. */
function fleet(day: number, ids: readonly number[], off: readonly number[] = []) {
  const LastUpdate = timeOf(day, '02:30:00');
  const LastStatusChange = timeOf(-2, '10:00:00');
  const shown = (id: number) => ({ Id: 1, Number: 1, IsOn: !off.includes(id), LastUpdate, LastStatusChange });
  return {
    players: ids.map((Id) => ({ Id, Name: `P${Id}`, City: 'Bern', LastAccess: LastUpdate })),
    screens: Object.fromEntries(ids.map((id) => [id, [shown(id)]])),
  };
}

it.each<readonly [string, (day: number) => Day | undefined, readonly number[]]>([
  [
    'a source that is refused for two weeks',
    (day) => ({ ...fleet(day, [1]), twins: day < 2 ? fleet(day, [1], [1]) : { refused: true } }),
    [1, 14],
  ],
  [
    'screens that are denied for eleven days and then say since when they are off',
    (day) => {
      const { players, screens } = fleet(day, [1, 2], [2]);
      return { players, screens: day >= 2 && day < 13 ? { ...screens, 2: 'denied' } : screens };
    },
    [12, 13, 14],
  ],
  [
    'a screen whose state nobody tells for two weeks',
    (day) => {
      const { players, screens } = fleet(day, [1, 2, 3]);
      const IsOn = day < 2 ? true : null;
      return { players, screens: { ...screens, 2: screens[2]?.map((shown) => ({ ...shown, IsOn })) ?? [] } };
    },
    [7, 14],
  ],
  [
    'a player that is missing in the first run after days without one',
    (day) => (day >= 2 && day < 12 ? undefined : fleet(day, day === 12 ? [1] : [1, 2], [2])),
    [12, 13, 14],
  ],
])('a page made with stored figures knows of %s what the views know', async (_, dayOf, on) => {
  await using lab = await signageViewLab({ config: { groups: ['City'], maxShrink: 1 } }, { twins: true });
  for (let day = 0; day < 15; day++) {
    const said = dayOf(day);
    if (said === undefined) continue;
    const { runId } = await lab.run(timeOf(day, '03:00:00'), said, said.twins ? undefined : ['berlin']);
    if (!on.includes(day)) continue;
    const { config } = await readRunRecord(lab.lake, runId);
    const [stored, plain] = await pages({ lake: lab.lake, config, now: new Date(timeOf(day, '04:00:00')) });
    expect(stored).toEqual(plain);
  }
});

it('a page of a large lake knows what a slot held long before', async () => {
  await using lab = await viewLab({});
  const at = (day: number) => timeOf(30 + day, '03:00:00');
  const slot = (id: number, storage_used: number, usage_last_check: string | null) => {
    return { id, size: 1000, storage_used, usage_last_check };
  };
  for (let day = 1; day <= 16; day++) {
    const second = day < 3 ? slot(2, 800, at(day)) : slot(2, 0, null);
    await lab.run(at(day), {
      ...{ backup_storages: [{ id: 7, size: 1000 }], backup_slots: { 7: [slot(1, 100, at(day)), second] } },
    });
  }
  using large = await openReport(lab.lake, { smallBytes: 0 });
  await large.complete();
  const used = 'select backup_used from daily_trend where backup_slots > 0 order by export_date';
  const { rows } = await large.query(`-- grain: a day\n ${used}`);
  // The provider counts it again from 0: what it holds is not known.
  expect(rows.flat()).toEqual([900, 900, ...Array(14).fill(null)]);
});

it('stored figures answer for an earlier day until the config groups players otherwise, and are gone after a purge', async () => {
  const key = lakeKey('figures', { table: 'daily_trend' });
  await using lab = await exportLab({ players: 2 }, SIGNAGE_ALONE);
  const playersOfFirst = async () => {
    using tables = await openReport(lab.lake, { smallBytes: 0 });
    await tables.complete();
    const first = "select players from daily_trend where export_date = '2026-11-10'";
    return (await tables.query(`-- grain: one row\n ${first}`)).rows[0]?.[0];
  };
  for (const day of ['10', '11', '19']) await lab.run(`2026-11-${day}T03:00:00Z`);
  await playersOfFirst();
  const path = join(lab.folder, 'lake', key);
  const db = await (await DuckDBInstance.create(':memory:')).connect();
  await db.run(`create table stored as from '${path}'`);
  await db.run(`copy (select * replace (999 as players) from stored) to '${path}' (format parquet)`);
  expect(await playersOfFirst()).toBe(999);
  await lab.run('2026-11-19T05:00:00Z', { config: { ...lab.config, groups: ['Name'] } });
  expect(await playersOfFirst()).toBe(2);
  expect(await lab.lake.read(key)).toBeDefined();
  const dayAgo = new Date(Date.now() - DAY_MS);
  await purge('berlin', { ...operatorServices(lab), now: () => dayAgo });
  expect(await lab.lake.read(key)).toBeUndefined();
});

it('the page of a large lake opens no file from long before the days that it shows, except of runs, so a year costs no more', async () => {
  await using lab = await exportLab({ players: 12 }, SIGNAGE_ALONE);
  await lab.run('2026-11-20T03:00:00Z');
  const { head, etag } = (await readHead(lab.lake)) ?? expect.fail();
  const before = (days: number) => new Date(Date.parse(head.exportDate) - days * DAY_MS);
  const dates = Array.from({ length: 365 }, (_, days) => before(days).toISOString().slice(0, 10));
  const tables = Object.entries(head.tables).map(([name, { newest }]) => {
    const { run, parts } = newest;
    const files = Object.fromEntries(dates.map((date) => [date, { run, parts }]));
    return [name, { newest, dates: files }] as const;
  });
  // The files of older days are missing: whoever opens one finds it lost. The oldest shown day needs some days before
  // it. Only the short table of runs is read as a whole.
  for (const [table, { newest }] of tables)
    for (const date of dates.slice(1, table === 'runs' ? undefined : 101)) {
      const keyOf = (exportDate: string, part: number) =>
        join(lab.lake.name, lakeKey('table', { table, part, exportDate, ...parseAttemptName(newest.run) }));
      for (const part of newest.parts) {
        await mkdir(dirname(keyOf(date, part)), { recursive: true });
        await link(keyOf(head.exportDate, part), keyOf(date, part));
      }
    }
  await commitHead(lab.lake, { ...head, tables: Object.fromEntries(tables) }, etag);
  using opened = await openReport(lab.lake, { smallBytes: 0, since: quarterBefore(head.exportDate) });
  await opened.complete();
  expect(opened.broken).toEqual([]);
  const { trend } = await collectReport(opened, lab.config, new Date('2026-11-20T04:00:00Z'));
  expect(trend.dates).toEqual(dates.slice(0, 90).reverse());
});
