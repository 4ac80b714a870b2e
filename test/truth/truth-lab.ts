import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { collectReport } from '#lib/report/collect-report.ts';
import { openReport } from '#lib/report/days/open-report.ts';
import type { ReportData } from '#lib/report/report-data.ts';
import { writeWorkbook } from '#lib/report/workbook/write-workbook.ts';
import { readRunRecord } from '#lib/run/run-record.ts';
import { runTime } from '#lib/run-id.ts';
import { openTables, type QueryResult, type Tables } from '#lib/views/open-tables.ts';
import { startFixtureServer } from '#simulator/fixture-server.ts';
import { type ClockedLake, clockedLake } from '../queries/clocked-lake.ts';
import { type ReadSheet, readWorkbook } from '../report/read-workbook.ts';
import { askedListing } from '../support/asked-listing.ts';
import { labConfig } from '../support/export-lab.ts';
import { answerOf, type Exported, sourceOf, vaultSourceOf } from './exported.ts';
import { type Clocks, clocksOf } from './local-time.ts';
import { HOURS, TARGETS } from './settings.ts';

type Row = Readonly<Record<string, unknown>>;

export interface Figures {
  readonly clocks: Clocks;
  /** Of each view the rows of all sources. */
  readonly views: Readonly<
    Record<
      | 'states'
      | 'outages'
      | 'days'
      | 'inHours'
      | 'availability'
      | 'health'
      | 'status'
      | 'playerDays'
      | 'screenDays'
      | 'trend'
      | 'groups'
      | 'stuck'
      | 'licenses'
      | 'usage'
      | 'cost'
      | 'news'
      | 'playersHistory'
      | 'screensHistory'
      | 'places'
      | 'uptime'
      | 'dates'
      | 'transferDays'
      | 'playerGroups'
      | 'playerGroupsDaily'
      | 'openingHours',
      readonly Row[]
    >
  >;
}

/** The page and the workbook of all that was exported, with what each view says. */
export interface Page {
  readonly data: ReportData;
  readonly sheets: readonly ReadSheet[];
  readonly answers: ReadonlyMap<string, QueryResult>;
}

/** Exports fleets and accounts. Then reads what the views say of them. */
export async function figuresOf(exported: Exported, timeZone: string): Promise<Figures> {
  return await readOf(exported, timeZone, async (_, tables) => ({
    clocks: clocksOf(timeZone),
    views: await readFigures(tables, exported),
  }));
}

/** Exports fleets and accounts. Then asks each of these statements, by their names. */
export async function answersTo(
  statements: ReadonlyMap<string, string>,
  exported: Exported,
  timeZone: string,
): Promise<ReadonlyMap<string, readonly Row[]>> {
  return await readOf(exported, timeZone, async (_, tables) => {
    const answers = new Map<string, readonly Row[]>();
    for (const [name, sql] of statements) answers.set(name, rowsOf(await tables.query(sql)));
    return answers;
  });
}

/** The same with its page, of the moment after the last run. */
export async function pageOf(
  exported: Exported,
  timeZone: string,
): Promise<Figures & { readonly page: Page }> {
  return await readOf(exported, timeZone, async ({ lake }, tables) => {
    const views = await readFigures(tables, exported);
    const record = await readRunRecord(lake, tables.head.runId);
    const now = runTime(tables.head.runId);
    // As in a large lake: figures of settled days come from where an earlier page left them.
    using large = await openReport(lake, { smallBytes: 0 });
    await large.complete();
    const data = await collectReport(large, record.config, now);
    const sheets = readWorkbook(await writeWorkbook(tables, record, { now, language: 'en' }));
    const answers = new Map<string, QueryResult>();
    const ofViews = sheets.filter(({ name }) => name !== 'Overview' && name !== 'Trends');
    for (const { name } of ofViews) answers.set(name, await tables.query(`select * from ${name}`));
    return {
      clocks: clocksOf(timeZone),
      views,
      page: { data, sheets, answers },
    };
  });
}

async function readOf<T>(
  exported: Exported,
  timeZone: string,
  read: (lake: ClockedLake, tables: Tables) => Promise<T>,
): Promise<T> {
  const { worlds = [], vaults = [] } = exported;
  const folder = await mkdtemp(join(tmpdir(), 'signage-export-truth-'));
  const clocks = clocksOf(timeZone);
  let time = 0;
  const server = await startFixtureServer({
    routes: new Proxy({}, { get: (_, path: string) => listingAt(path) }),
  });
  const config = labConfig(server.url, {
    fleets: Object.fromEntries(worlds.map((world) => [sourceOf(world), {}])),
    vaults: Object.fromEntries(vaults.map((vault) => [vaultSourceOf(vault), {}])),
    config: {
      groups: ['City', 'CustomId'],
      hours: await writeHours(folder),
      timeZone,
      targets: TARGETS,
      minCoverage: 0.01,
      maxShrink: 1,
    },
  });
  const listingAt = (path: string) => {
    const asked = path.includes('?') ? undefined : askedListing(config, path);
    return asked && answerOf(exported, asked, { at: time, localDay: clocks.dayOf(time) });
  };
  const lake = await clockedLake(config, {
    read: async (name) =>
      name === 'lab/vault' ? { accessToken: 'fixture-token' } : { apiKey: 'fixture-key' },
  });
  try {
    const all = [
      ...worlds.map((world) => [sourceOf(world), world.runs] as const),
      ...vaults.map((vault) => [vaultSourceOf(vault), vault.runs] as const),
    ];
    for (const { at } of all[0]?.[1] ?? []) {
      time = at;
      const asked = all.filter(([, runs]) => runs.find((run) => run.at === at)?.how !== 'left out');
      if (asked.length > 0)
        await lake.run(
          new Date(at).toISOString(),
          asked.map(([source]) => source),
        );
    }
    using tables = await openTables(lake.lake);
    return await read(lake, tables);
  } finally {
    await server.close();
    await lake[Symbol.asyncDispose]();
    await rm(folder, { recursive: true, force: true });
  }
}

/** The opening hours as a file. */
async function writeHours(folder: string): Promise<string> {
  const file = join(folder, 'hours.csv');
  const clock = (minutes: number) =>
    `${String(Math.floor(minutes / 60) % 24).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;
  const lines = HOURS.map((each) =>
    [each.group, each.weekday, clock(each.from), clock(each.to), each.zone, each.since, each.until].join(),
  );
  await writeFile(file, ['group,weekday,from,to,zone,since,until', ...lines, ''].join('\n'));
  return file;
}

/** The rows of an answer by the names of their columns. */
function rowsOf({ columns, rows }: QueryResult): readonly Row[] {
  return rows.map((row) => Object.fromEntries(columns.map((name, index) => [name, row[index]])));
}

/** The views that speak of what was exported. */
async function readFigures(tables: Tables, { worlds, vaults }: Exported): Promise<Figures['views']> {
  const rows = async (view: string, isAsked: boolean): Promise<readonly Row[]> => {
    if (!isAsked) return [];
    // The views to come read it too.
    await tables.keep([view]);
    return rowsOf(await tables.query(`select * from ${view}`));
  };
  const [ofWorlds, ofVaults] = [worlds !== undefined, vaults !== undefined];
  return {
    states: await rows('device_states', ofWorlds),
    outages: await rows('outages', ofWorlds),
    days: await rows('device_days', ofWorlds),
    inHours: await rows('off_in_hours', ofWorlds),
    availability: await rows('availability', ofWorlds),
    health: await rows('player_health', ofWorlds),
    status: await rows('screen_status', ofWorlds),
    playerDays: await rows('player_days', ofWorlds),
    screenDays: await rows('screen_days', ofWorlds),
    trend: await rows('daily_trend', true),
    groups: await rows('group_trend', ofWorlds),
    stuck: await rows('stuck_transfers', ofWorlds),
    licenses: await rows('license_utilisation', ofWorlds),
    usage: await rows('backup_usage', ofVaults),
    cost: await rows('backup_cost', ofVaults),
    news: await rows('news', true),
    playersHistory: await rows('players_history', ofWorlds),
    screensHistory: await rows('screens_history', ofWorlds),
    places: await rows('player_places', ofWorlds),
    uptime: await rows('screen_uptime', ofWorlds),
    dates: await rows('dates', true),
    transferDays: await rows('transfer_days', ofWorlds),
    playerGroups: await rows('player_groups', ofWorlds),
    playerGroupsDaily: await rows('player_groups_daily', ofWorlds),
    openingHours: await rows('opening_hours', ofWorlds),
  };
}
