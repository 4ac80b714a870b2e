import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { collectReport } from '#lib/report/collect-report.ts';
import { openReport } from '#lib/report/days/open-report.ts';
import type { ReportData } from '#lib/report/report-data.ts';
import { writeWorkbook } from '#lib/report/write-workbook.ts';
import { readRunRecord } from '#lib/run/run-record.ts';
import { runTime } from '#lib/run-id.ts';
import { openTables, type QueryResult, type Tables } from '#lib/views/open-tables.ts';
import { startFixtureServer } from '#simulator/fixture-server.ts';
import { type ClockedLake, clockedLake } from '../queries/clocked-lake.ts';
import { type ReadSheet, readWorkbook } from '../report/read-workbook.ts';
import { type AskedListing, askedListing } from '../support/asked-listing.ts';
import { labConfig } from '../support/export-lab.ts';
import { licenseRecords, transferRecords } from './goods.ts';
import { type Clocks, clocksOf } from './local-time.ts';
import { playerRecords, screenRecords } from './told.ts';
import { PRICE_LIST, priceRecords, slotRecords, storageRecords, type Vault } from './vault.ts';
import type { World, WorldRun } from './world.ts';

/** When the places of the worlds are open: by day, over midnight in another zone, and nowhere else. */
export const HOURS = [
  { group: 'Bern', weekday: 'Mon-Sun', from: 480, to: 1200, zone: 'Europe/Berlin' },
  { group: 'Nancy', weekday: 'Mon-Fri', from: 1320, to: 1620, zone: 'America/New_York' },
] as const;

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
      | 'news',
      readonly Row[]
    >
  >;
}

/** The name of a world's source. */
export function sourceOf({ seed }: World): string {
  return `w${seed}`;
}

/** The name of an account's source. */
export function vaultSourceOf({ seed }: Vault): string {
  return `v${seed}`;
}

/** What is exported with runs at the same times, a source each. */
export interface Exported {
  readonly worlds?: readonly World[];
  readonly vaults?: readonly Vault[];
}

/** The page and the workbook of all that was exported, with what each view says. */
export interface Page {
  readonly data: ReportData;
  readonly sheets: readonly ReadSheet[];
  readonly answers: ReadonlyMap<string, QueryResult>;
}

/** Exports fleets and accounts. Then reads what the views say of them. */
export async function figuresOf(exported: Exported, timeZone: string): Promise<Figures> {
  return await readOf(exported, timeZone, async () => {});
}

/** The same with its page, of the moment after the last run. */
export async function pageOf(
  exported: Exported,
  timeZone: string,
): Promise<Figures & { readonly page: Page }> {
  let page: Page | undefined;
  const figures = await readOf(exported, timeZone, async ({ lake }, tables) => {
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
    page = { data, sheets, answers };
  });
  if (page === undefined) throw new Error('no page was made');
  return { ...figures, page };
}

async function readOf(
  exported: Exported,
  timeZone: string,
  read: (lake: ClockedLake, tables: Tables) => Promise<void>,
): Promise<Figures> {
  const { worlds = [], vaults = [] } = exported;
  const folder = await mkdtemp(join(tmpdir(), 'signage-export-truth-'));
  const clocks = clocksOf(timeZone);
  let time = 0;
  const server = await startFixtureServer({
    routes: new Proxy({}, { get: (_, path: string) => answerOf(path) }),
  });
  const config = labConfig(server.url, {
    fleets: Object.fromEntries(worlds.map((world) => [sourceOf(world), {}])),
    vaults: Object.fromEntries(vaults.map((vault) => [vaultSourceOf(vault), {}])),
    config: { groups: ['City'], hours: await writeHours(folder), timeZone, minCoverage: 0.01, maxShrink: 1 },
  });
  const answerOf = (path: string) => {
    const asked = path.includes('?') ? undefined : askedListing(config, path);
    if (asked === undefined) return undefined;
    const world = worlds.find((each) => sourceOf(each) === asked.source);
    const vault = vaults.find((each) => vaultSourceOf(each) === asked.source);
    if (world !== undefined) return told(world, asked, { at: time, localDay: clocks.dayOf(time) });
    return vault && toldOfVault(vault, asked, time);
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
    const views = await readFigures(tables, exported);
    await read(lake, tables);
    return { clocks, views };
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
    [each.group, each.weekday, clock(each.from), clock(each.to), each.zone].join(),
  );
  await writeFile(file, ['group,weekday,from,to,zone', ...lines, ''].join('\n'));
  return file;
}

/** The views that speak of what was exported. */
async function readFigures(tables: Tables, { worlds, vaults }: Exported): Promise<Figures['views']> {
  const rows = async (view: string, isAsked: boolean): Promise<readonly Row[]> => {
    if (!isAsked) return [];
    // The views to come read it too.
    await tables.keep([view]);
    const answer = await tables.query(`select * from ${view}`);
    return answer.rows.map((row) =>
      Object.fromEntries(answer.columns.map((name, index) => [name, row[index]])),
    );
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
  };
}

const DENIED = { status: 403, body: '{"Message":"denied"}' };

/** What a fleet's API answers; undefined for a run that it has no part in. */
function told(
  world: World,
  asked: AskedListing,
  { at, localDay }: { readonly at: number; readonly localDay: string },
) {
  const run = world.runs.find((each) => each.at === at);
  if (run === undefined) return undefined;
  const found = run.how === 'asked' ? bodyOf(asked, { world, run, localDay }) : 'denied';
  return found === 'denied' ? DENIED : { body: JSON.stringify(found) };
}

/** What an account's API answers. */
function toldOfVault(vault: Vault, { name, parentId }: AskedListing, at: number) {
  const run = vault.runs.find((each) => each.at === at);
  if (run === undefined) return undefined;
  const storage = vault.storages.find(({ id }) => String(id) === parentId);
  const denies = run.denied.includes(name === 'backup_pricing' ? PRICE_LIST : (storage?.id ?? -1));
  if (run.how !== 'asked' || denies) return DENIED;
  const data =
    name === 'backup_pricing'
      ? priceRecords(vault, at)
      : storage === undefined
        ? storageRecords(vault, at)
        : slotRecords(vault, storage, at);
  return { body: JSON.stringify({ result: 'success', data }) };
}

function bodyOf(
  { name, parentId }: AskedListing,
  { world, run, localDay }: { readonly world: World; readonly run: WorldRun; readonly localDay: string },
): readonly object[] | 'denied' {
  if (name === 'players') return playerRecords(world, run, localDay);
  const player = world.players.find(({ id }) => String(id) === parentId);
  if (name === 'licenses') return licenseRecords(world, run.at);
  if (player === undefined) return [];
  if (name === 'pending_file_transfers') return transferRecords(world, player.id, run.at, localDay);
  if (name !== 'screens') return [];
  return run.denied.includes(player.id) ? 'denied' : screenRecords(player, run);
}
