import type { Config } from '../config/config.ts';
import { oldFrom } from '../config/schedule.ts';
import { RESOURCES } from '../sources/resources.ts';
import { groupColumns } from '../views/config-tables.ts';
import { concerns, gapSentences, readGaps } from '../views/gaps.ts';
import { withIdleTargets } from '../views/idle-targets.ts';
import { notKnown, unaskedKind } from '../views/not-known.ts';
import type { Tables } from '../views/open-tables.ts';
import { ASKED_OFTEN, collectNews, type FoundNews } from './collect-news.ts';
import { readCompared } from './compared.ts';
import { HAS_PERHAPS_MISSED, HAS_SURELY_MISSED } from './opening-hours.ts';
import { readGroups } from './read-groups.ts';
import { countOf, readTable, withoutSource } from './read-table.ts';
import {
  type Language,
  type ReportData,
  type ReportTable,
  type SourceFigures,
  TILES,
  type TileName,
} from './report-data.ts';
import { REPORT_TABLES } from './report-tables.ts';
import { COMPARISON, FRESHNESS, NEWS } from './section-tables.ts';
import type { TableQuery } from './table-query.ts';
import { readTrend } from './trend.ts';

/** A source that lacks this share of its answers is named next to the figure. */
const MUCH = 0.1;

/** A repair of a few listings leaves the others as old as they were: the answer in the middle dates a source. */
const AS_OF = `
  -- grain: one row
  select max(coalesce(middle, observed_at)) as observed_at
  from export_health
  left join (
    -- grain: a source
    select export_source, quantile_disc(observed_at, 0.5) as middle
    from outcomes
    where outcome in ('ok', 'empty', 'gone')
    group by export_source
  ) as answered using (export_source)`;

interface ReportOptions {
  /** @default the language of the reader's browser */
  readonly language?: Language | null;
  /** What was read already. */
  readonly found?: FoundNews;
}

/** Reads from the views everything that the page shows. */
export async function collectReport(
  tables: Tables,
  config: Pick<Config, 'name' | 'timeZone' | 'schedule' | 'sources' | 'mute'>,
  now: Date,
  { language = null, found }: ReportOptions = {},
): Promise<ReportData> {
  const has = ({ view }: { readonly view: string }) => tables.views.some(({ name }) => name === view);
  const isAsked = (lists: readonly string[]) => unaskedKind(lists, tables.unasked) === undefined;
  const listsOf = (view: string) => tables.views.find(({ name }) => name === view)?.lists ?? [];
  await tables.keep([...ASKED_OFTEN, 'daily_trend']);
  const unknown = await withIdleTargets(tables, await notKnown(tables));
  const gaps = await readGaps(tables.query);
  const sourcesOf = ({ view }: TableQuery) => {
    const kinds = RESOURCES.filter(({ name }) => listsOf(view).includes(name)).map(({ kind }) => kind);
    return config.sources.filter(({ kind }) => kinds.length === 0 || kinds.includes(kind)).length;
  };
  const shown: ReportTable[] = [];
  const grouping = groupColumns(tables.schema);
  const hasHours = tables.schema.hours.length > 0 && has({ view: 'off_in_hours' });
  const saysPower = !(tables.views.find(({ name }) => name === 'screen_status')?.unsaid ?? []).some(
    ({ column }) => column === 'screens.is_on',
  );
  const isShown = (query: TableQuery) =>
    has(query) &&
    isAsked(listsOf(query.view)) &&
    (query.id !== 'hours' || hasHours) &&
    (query.id !== 'screens-since' || !saysPower);
  for (const query of REPORT_TABLES.filter(isShown)) {
    const table = await readTable(tables, query, grouping);
    shown.push({ ...withoutSource(table, sourcesOf(query)), notKnown: unknown.get(query.view) ?? [] });
  }
  const trend = await readTrend(tables);
  const compared = await readCompared(tables);
  const { findings, news, lagging, muted, closed } =
    found ?? (await collectNews(tables, { config, now, gaps }));
  const { rows: times } = await tables.query(AS_OF);
  const observedAt = typeof times[0]?.[0] === 'string' ? times[0][0] : null;
  return {
    language,
    name: config.name,
    timeZone: config.timeZone,
    runId: tables.head.runId,
    status: tables.head.status,
    observedAt,
    oldFrom: (observedAt === null ? undefined : oldFrom(config, new Date(observedAt)))?.toISOString() ?? null,
    generatedAt: now.toISOString(),
    incomplete: await incompleteSources(tables),
    lagging,
    without: byTile(({ lists }) => [
      ...new Set(
        gaps
          .filter((gap) => gap.unanswered >= MUCH * gap.asked && concerns(lists, gap))
          .map(({ source }) => source),
      ),
    ]),
    notKnown: byTile(
      ({ lists, view }) => unknown.get(view) ?? gapSentences(lists, { gaps, since: tables.since }),
    ),
    news,
    newsList: has(NEWS)
      ? {
          ...withoutSource(await readTable(tables, NEWS), config.sources.length),
          notKnown: unknown.get('news') ?? [],
        }
      : null,
    playerUrls: playerUrlsOf(config),
    freshness: await readTable(tables, FRESHNESS),
    findings,
    muted,
    closed,
    trend,
    compared: compared.all,
    groups: has({ view: 'group_trend' }) ? await readGroups(tables, { dates: trend.dates, compared }) : [],
    hours: hasHours ? await readHoursTile(tables) : null,
    stuck: has({ view: 'stuck_transfers' })
      ? await countOf(tables, 'stuck_transfers where is_stuck and is_expected and not is_carried')
      : 0,
    slots: has({ view: 'backup_usage' }) ? await readSlots(tables) : { count: 0, used: 0, unknown: 0 },
    sources: await readSources(tables),
    comparison: await readTable(tables, COMPARISON),
    tables: shown,
    views: tables.views.map(({ name, question }) => ({ name, question })),
    asked: TILES.filter((name) => isAsked(TILE_LISTS[name].lists)),
    leftOut: tables.leftOut.map(({ name, missing }) => ({
      name,
      missing: missing.map(({ column, reason }) => ({
        text: '{column}: {reason}',
        values: { column, reason: { text: reason } },
      })),
    })),
  };
}

function playerUrlsOf({ sources }: Pick<Config, 'sources'>): ReportData['playerUrls'] {
  return Object.fromEntries(
    sources.flatMap((source) =>
      source.kind === 'signage' && source.playerUrl !== undefined ? [[source.name, source.playerUrl]] : [],
    ),
  );
}

/** The lists for each tile, and the view that it comes from. */
const TILE_LISTS: Readonly<Record<TileName, { readonly lists: readonly string[]; readonly view: string }>> = {
  players: { lists: ['players'], view: 'player_health' },
  screens: { lists: ['screens', 'players'], view: 'screen_status' },
  hours: { lists: ['screens', 'players'], view: 'off_in_hours' },
  transfers: { lists: ['pending_file_transfers', 'players'], view: 'stuck_transfers' },
  licenses: { lists: ['licenses'], view: 'license_utilisation' },
  backup: { lists: ['backup_storages', 'backup_slots'], view: 'backup_usage' },
};

function byTile<Value>(
  of: (tile: (typeof TILE_LISTS)[TileName]) => Value,
): Readonly<Record<TileName, Value>> {
  return Object.fromEntries(TILES.map((name) => [name, of(TILE_LISTS[name])])) as Record<TileName, Value>;
}

/** How many screens of expected players were off in opening hours of the last day. */
async function readHoursTile(tables: Tables): Promise<ReportData['hours']> {
  const { rows } = await tables.query(`
    -- grain: one row
    select
      count(*), count_if(missed_hours_day is null), count_if(${HAS_SURELY_MISSED}), count_if(${HAS_PERHAPS_MISSED})
    from off_in_hours
    where is_expected`);
  const [screens = 0, unknown = 0, least = 0, most = 0] = (rows[0] ?? []).map(Number);
  return { screens, unknown, least, most };
}

async function readSlots(tables: Tables): Promise<ReportData['slots']> {
  const { rows } = await tables.query(`
    -- grain: one row
    select count(*), sum(slot_used), count_if(slot_used is null)
    from backup_usage
    where slot is not null and not is_carried`);
  const [count, used, unknown] = (rows[0] ?? []).map(Number);
  return { count: count ?? 0, used: used ?? 0, unknown: unknown ?? 0 };
}

async function readSources(tables: Tables): Promise<readonly SourceFigures[]> {
  const { rows } = await tables.query(`
    -- grain: a source with screens, its newest day
    select
      export_source, expected_screens_on, expected_screens_off, expected_screens_stale, expected_screens_unknown
    from (
      select *, max(case when runs > 0 then export_date end) over (partition by export_source) as newest_date
      from daily_trend
    ) as days
    where export_date = newest_date and expected_screens > 0 and export_source in (select export_source from outcomes)
    order by export_source`);
  return rows.map(([source, ...counts]) => {
    const [on = 0, off = 0, stale = 0, unknown = 0] = counts.map(Number);
    return { source: String(source), on, off, stale, unknown };
  });
}

async function incompleteSources(tables: Tables): Promise<readonly string[]> {
  const { rows } = await tables.query(`
    -- grain: a source
    select export_source
    from export_health
    where status <> 'complete'
    order by export_source`);
  return rows.map(([source]) => String(source));
}
