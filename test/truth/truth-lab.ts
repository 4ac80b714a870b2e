import { collectReport } from '#lib/report/collect-report.ts';
import { openReport } from '#lib/report/days/open-report.ts';
import type { ReportData } from '#lib/report/report-data.ts';
import { writeWorkbook } from '#lib/report/workbook/write-workbook.ts';
import { readRunRecord } from '#lib/run/run-record.ts';
import { runTime } from '#lib/run-id.ts';
import { openTables, type QueryResult, type Tables } from '#lib/views/open-tables.ts';
import { type ClockedLake, servedLake } from '../queries/clocked-lake.ts';
import { hoursFile } from '../queries/hours-file.ts';
import { type ReadSheet, readWorkbook } from '../report/read-workbook.ts';
import { labConfig } from '../support/export-lab.ts';
import { answerOf, type Exported, sourceOf, vaultSourceOf } from './exported.ts';
import { type Clocks, clocksOf } from './local-time.ts';
import { HOURS, TARGETS } from './settings.ts';
import type { Row } from './telling.ts';

/** The views that speak of what was exported, by what they are called here. */
const OF_FLEETS = {
  ...{ states: 'device_states', outages: 'outages', days: 'device_days', inHours: 'off_in_hours' },
  ...{ availability: 'availability', health: 'player_health', status: 'screen_status' },
  ...{
    playerDays: 'player_days',
    screenDays: 'screen_days',
    groups: 'group_trend',
    stuck: 'stuck_transfers',
  },
  ...{
    licenses: 'license_utilisation',
    playersHistory: 'players_history',
    screensHistory: 'screens_history',
  },
  ...{ places: 'player_places', uptime: 'screen_uptime', transferDays: 'transfer_days' },
  ...{
    playerGroups: 'player_groups',
    playerGroupsDaily: 'player_groups_daily',
    openingHours: 'opening_hours',
  },
};
const OF_ACCOUNTS = { usage: 'backup_usage', cost: 'backup_cost' };
const OF_BOTH = { trend: 'daily_trend', news: 'news', dates: 'dates' };
const VIEWS = { ...OF_FLEETS, ...OF_ACCOUNTS, ...OF_BOTH };

export interface Figures {
  readonly clocks: Clocks;
  /** Of each view the rows of all sources. */
  readonly views: Readonly<Record<keyof typeof VIEWS, readonly Row[]>>;
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

/** Exports fleets and accounts. After each run a function reads the tables; the time is that of the run. */
export async function followRuns(
  exported: Exported,
  timeZone: string,
  afterRun: (at: number, tables: Tables) => Promise<void>,
): Promise<void> {
  await readOf(exported, timeZone, async () => undefined, afterRun);
}

async function readOf<T>(
  exported: Exported,
  timeZone: string,
  read: (lake: ClockedLake, tables: Tables) => Promise<T>,
  afterRun?: (at: number, tables: Tables) => Promise<void>,
): Promise<T> {
  const { worlds = [], vaults = [], leavers = [] } = exported;
  const clocks = clocksOf(timeZone);
  const fleets = worlds.map((world) => [sourceOf(world), world.runs] as const);
  const accounts = vaults.map((vault) => [vaultSourceOf(vault), vault.runs] as const);
  const plain = (sources: typeof fleets) => Object.fromEntries(sources.map(([source]) => [source, {}]));
  await using hours = await hoursFile(LINES);
  const config = {
    ...{ groups: ['City', 'CustomId'], hours: hours.path, timeZone, targets: TARGETS },
    ...{ minCoverage: 0.01, maxShrink: 1 },
  };
  let time = 0;
  await using lake = await servedLake(
    (url) => labConfig(url, { fleets: plain(fleets), vaults: plain(accounts), config }),
    (asked) => answerOf(exported, asked, { at: time, clocks }),
  );
  const all = [...fleets, ...accounts];
  const times = (all[0]?.[1] ?? []).map(({ at }) => at);
  for (const at of times) {
    time = at;
    const without = at === times.at(-1) ? leavers : [];
    const asked = all.filter(([, runs]) => runs.find((run) => run.at === at)?.how !== 'left out');
    const names = asked.map(([source]) => source).filter((source) => !without.includes(source));
    if (names.length > 0) await lake.run(new Date(at).toISOString(), names, { without });
    if (names.length === 0 || afterRun === undefined) continue;
    using tables = await openTables(lake.lake);
    await afterRun(at, tables);
  }
  using tables = await openTables(lake.lake);
  return await read(lake, tables);
}

const clock = (minutes: number) =>
  `${String(Math.floor(minutes / 60) % 24).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;
/** The opening hours as lines of a file. */
const LINES = HOURS.map(({ group, weekday, from, to, zone, since, until }) =>
  [group, weekday, clock(from), clock(to), zone, since, until].join(),
);

/** The rows of an answer by the names of their columns. */
function rowsOf({ columns, rows }: QueryResult): readonly Row[] {
  return rows.map((row) => Object.fromEntries(columns.map((name, index) => [name, row[index]])));
}

async function readFigures(tables: Tables, { worlds, vaults }: Exported): Promise<Figures['views']> {
  const asked = { ...(worlds && OF_FLEETS), ...(vaults && OF_ACCOUNTS), ...OF_BOTH };
  const rows: Record<string, readonly Row[]> = {};
  for (const name of Object.keys(VIEWS)) rows[name] = [];
  for (const [name, view] of Object.entries(asked)) {
    // The views to come read it too.
    await tables.keep([view]);
    rows[name] = rowsOf(await tables.query(`select * from ${view}`));
  }
  return rows as Figures['views'];
}
