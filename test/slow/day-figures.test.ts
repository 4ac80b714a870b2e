import { link, mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { describe, expect, it } from 'vitest';
import { commitHead, readHead } from '#lib/lake/head.ts';
import { lakeKey } from '#lib/lake/keys.ts';
import type { Lake } from '#lib/lake/lake.ts';
import { purge } from '#lib/repair/purge/purge.ts';
import { collectReport } from '#lib/report/collect-report.ts';
import { openReport } from '#lib/report/days/open-report.ts';
import { parseAttemptName } from '#lib/run-id.ts';
import { signage } from '#lib/sources/signage.ts';
import { openTables, quarterBefore } from '#lib/views/open-tables.ts';
import { startSimulator } from '#simulator/server.ts';
import { clockedLake } from '../queries/clocked-lake.ts';
import { hoursFile } from '../queries/hours-file.ts';
import { viewLab } from '../queries/view-lab.ts';
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
  const fleets = await Promise.all(
    [11, 12].map((of) => startSimulator({ players: 12, startDate, seed: seed * 100 + of })),
  );
  const { url, secrets } = fleets[0] ?? expect.fail();
  const baseUrls = fleets.map((fleet, index) => [`fleet${index}`, { baseUrl: fleet.url, basePath }] as const);
  const config = labConfig(url, {
    fleets: Object.fromEntries(baseUrls),
    config: { groups: ['City'], hours: hours.path, targets: { '*': 0.9 }, minCoverage: 0.01, maxShrink: 1 },
  });
  const lake = await clockedLake(config, {
    read: async (name) => (name === 'lab/vault' ? secrets.backup : secrets.signage),
  });
  try {
    for (let day = 0; day < DAYS; day++) {
      if (day > 0 && chance.number() < 0.12) continue;
      for (const hour of chance.number() < 0.2 ? [0, 9] : [0]) {
        for (const fleet of fleets) {
          fleet.day = day;
          await fleet.setFaults(
            chance.number() < 0.15 ? '500:0.4@resource=screens' : chance.number() < 0.1 ? 'denied:1' : '',
          );
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
const rounded = (data: object): unknown =>
  JSON.parse(JSON.stringify(data), (_, value) =>
    typeof value === 'number' ? Number(value.toPrecision(12)) : value,
  );

/** Days on which a page is made. Before the eighth day nothing is settled; then most days are. */
const PAGES = [7, 10, 13];

describe('a page made with stored figures', () => {
  it('shows what the views say, with failures and days without runs', async () => {
    let compared = 0;
    await livedThrough(SEED, async (day, { lake, config, now }) => {
      if (!PAGES.includes(day) || now.getUTCHours() !== 3) return;
      using large = await openReport(lake, { smallBytes: 0 });
      await large.complete();
      if (day < 10) return;
      using plain = await openTables(lake);
      expect(rounded(await collectReport(large, config, now))).toEqual(
        rounded(await collectReport(plain, config, now)),
      );
      compared += 1;
    });
    expect(compared).toBeGreaterThan(1);
  });
});

it('a page of a large lake knows what a slot held long before', async () => {
  await using lab = await viewLab({});
  const slot = (day: number) =>
    day < 3 ? { storage_used: 800, usage_last_check: at(day) } : { storage_used: 0 };
  const at = (day: number) => `2026-11-${String(day).padStart(2, '0')}T03:00:00Z`;
  for (let day = 1; day <= 16; day++)
    await lab.run(at(day), {
      backup_storages: [{ id: 7, size: 1000 }],
      backup_slots: {
        7: [
          { id: 1, size: 1000, storage_used: 100, usage_last_check: at(day) },
          { id: 2, size: 1000, usage_last_check: null, ...slot(day) },
        ],
      },
    });
  using large = await openReport(lab.lake, { smallBytes: 0 });
  await large.complete();
  const sql =
    '-- grain: a day\n select export_date, backup_used from daily_trend where backup_slots > 0 order by 1';
  const { rows } = await large.query(sql);
  // The provider counts it again from 0: what it holds is not known.
  expect(rows.map(([, used]) => used)).toEqual([900, 900, ...Array.from({ length: 14 }, () => null)]);
});

describe('stored figures', () => {
  /** The players of the first day, and how often its hours are there. */
  async function complete(lake: Lake): Promise<readonly unknown[]> {
    using tables = await openReport(lake, { smallBytes: 0 });
    await tables.complete();
    const { rows } = await tables.query(`
      -- grain: one row
      select
        (select players from daily_trend where export_date = '2026-11-10') as players,
        (select count(*) from screen_uptime where export_date = '2026-11-10') as days`);
    return rows[0] ?? [];
  }

  const key = lakeKey('figures', { table: 'daily_trend' });

  it('answer for an earlier day until the config groups players otherwise, and are gone after a purge', async () => {
    await using lab = await exportLab({ players: 2 }, SIGNAGE_ALONE);
    for (const day of ['10', '11', '19']) await lab.run(`2026-11-${day}T03:00:00Z`);
    await complete(lab.lake);
    const path = join(lab.folder, 'lake', key);
    const db = await (await DuckDBInstance.create(':memory:')).connect();
    await db.run(`create table stored as from '${path}'`);
    await db.run(`copy (select * replace (999 as players) from stored) to '${path}' (format parquet)`);
    expect((await complete(lab.lake))[0]).toBe(999);
    await lab.run('2026-11-19T05:00:00Z', { config: { ...lab.config, groups: ['Name'] } });
    expect((await complete(lab.lake))[0]).toBe(2);
    expect(await lab.lake.read(key)).toBeDefined();
    const dayAgo = new Date(Date.now() - DAY_MS);
    await purge('berlin', { ...operatorServices(lab), now: () => dayAgo });
    expect(await lab.lake.read(key)).toBeUndefined();
  });
});

it('the page of a large lake opens no file from long before the days that it shows, except of runs, so a year costs no more', async () => {
  await using lab = await exportLab({ players: 12 }, SIGNAGE_ALONE);
  await lab.run('2026-11-20T03:00:00Z');
  const { head, etag } = (await readHead(lab.lake)) ?? expect.fail();
  const dates = Array.from({ length: 365 }, (_, day) =>
    new Date(Date.parse(head.exportDate) - day * DAY_MS).toISOString().slice(0, 10),
  );
  const tables = Object.entries(head.tables).map(([name, { newest }]) => {
    const { run, parts } = newest;
    return [
      name,
      { newest, dates: Object.fromEntries(dates.map((date) => [date, { run, parts }])) },
    ] as const;
  });
  // The files of older days are missing: whoever opens one finds it lost. The oldest shown day needs some days before it. Only the short table of runs is read as a whole.
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
