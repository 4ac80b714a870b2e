import type { Config } from '../config/config.ts';
import { exportDate, runIdAt } from '../run-id.ts';
import { quoteLiteral } from '../sql.ts';
import { type Gap, readGaps } from '../views/gaps.ts';
import type { Tables } from '../views/open-tables.ts';
import { readRunDates } from './days/run-dates.ts';
import { FINDINGS, type FindingQuery } from './findings.ts';
import { findClosed, wasClosed } from './opening-hours.ts';
import { readNews } from './read-news.ts';
import { cellOf, countOf } from './read-table.ts';
import type { Finding, News, ReportData } from './report-data.ts';
import { comparedRows } from './unknown-states.ts';

/** What a run found, and what is new. */
export type FoundNews = Pick<ReportData, 'findings' | 'news' | 'lagging' | 'muted' | 'closed'>;

/** Views that several parts of the news and of the page read. */
export const ASKED_OFTEN: readonly string[] = [
  'export_health',
  'player_health',
  'screen_status',
  'off_in_hours',
  'stuck_transfers',
  'license_utilisation',
  'backup_usage',
  'data_quality',
  'news',
];

interface CollectNewsOptions {
  readonly config: Pick<Config, 'mute' | 'timeZone'>;
  readonly now: Date;
  /** What was read already. */
  readonly gaps?: readonly Gap[];
}

/** Reads from the views what to report about a run: what is found and what is new, without the rest of the page. */
export async function collectNews(
  tables: Tables,
  { config: { mute = [], timeZone }, now, gaps }: CollectNewsOptions,
): Promise<FoundNews> {
  await tables.keep(ASKED_OFTEN);
  const news = await readNews(tables, gaps ?? (await readGaps(tables.query)));
  const today = exportDate(runIdAt(now), timeZone);
  const muted = await withIdle(
    tables,
    mute.filter(({ end }) => end >= today),
  );
  const lagging = await laggingSources(tables);
  const found = {
    ...news,
    muted: await mutedNews(tables, muted),
    newlyOffline: await newlyOffline(tables, news),
  };
  const closed = await findClosed(tables);
  const findings = await readFindings(tables, { news, muted, closed });
  return { news: found, lagging, muted, findings, closed };
}

async function newlyOffline(tables: Tables, news: News): Promise<number | null> {
  const query = FINDINGS.find(
    ({ id, view }) => id === 'offline-players' && tables.views.some(({ name }) => name === view),
  );
  return query === undefined ? null : await countNew(tables, query, news, await newSql(tables, query, news));
}

/** What is muted, and whether the fleet has nothing with that id. */
async function withIdle(
  tables: Tables,
  mute: readonly Omit<ReportData['muted'][number], 'isIdle'>[],
): Promise<ReportData['muted']> {
  if (mute.length === 0) return [];
  const { rows } = await tables.query(`
    -- grain: a record that is muted
    select concat(export_source, '/', record_key) as id
    from (
      select export_source, record_key from players
      union all
      select export_source, record_key from screens
      union all
      select export_source, record_key from backup_storages
    )
    where concat(export_source, '/', record_key) in (${mute.map(({ id }) => quoteLiteral(id)).join(', ')})`);
  const found = new Set(rows.map(([id]) => String(id)));
  return mute.map((each) => ({ ...each, isIdle: !found.has(each.id) }));
}

/** By kind: the news since the day before of what is muted, and of a muted player's screens, also of removed ones. */
async function mutedNews(
  tables: Tables,
  muted: ReportData['muted'],
): Promise<Readonly<Record<string, number>>> {
  if (muted.length === 0 || !tables.views.some(({ name }) => name === 'news')) return {};
  const ids = muted.map(({ id }) => quoteLiteral(id)).join(', ');
  const { rows } = await tables.query(`
    -- grain: a kind of news
    select news, count(*)
    from news
    where days = 1 and (
      concat(export_source, '/', record_key) in (${ids})
      or news like 'screen %' and (export_source, record_key) in (
        select export_source, record_key
        from screens_daily
        where export_date >= (select min(since_date) from news where days = 1)
          and concat(export_source, '/', player_id) in (${ids})
      )
    )
    group by news`);
  return Object.fromEntries(rows.map(([kind, count]) => [String(kind), Number(count)]));
}

/** The config's sources that the newest run did not list, with the time of their last run that did not fail. */
async function laggingSources(tables: Tables): Promise<ReportData['lagging']> {
  const { rows } = await tables.query(`
    -- grain: a source that ran
    with
      -- grain: a source that was listed
      listed as (
        select distinct export_source
        from outcomes
        where resource in ('players', 'backup_storages') and outcome in ('ok', 'empty')
      )
    select
      export_source,
      max(case when status <> 'failed' then observed_at end),
      max(export_run_id) = ${quoteLiteral(tables.head.runId)} and export_source in (select export_source from listed)
    from runs
    group by export_source`);
  const listed = new Set(rows.flatMap(([source, , isListed]) => (isListed === true ? [source] : [])));
  const observed = new Map(rows.map(([source, observedAt]) => [source, observedAt]));
  return tables.head.sources
    .filter((source) => !listed.has(source))
    .toSorted()
    .map((source) => ({ source, observedAt: (observed.get(source) as string | null | undefined) ?? null }));
}

/** What needs attention and is not muted, with its count and its worst. A view that is left out adds nothing. */
async function readFindings(
  tables: Tables,
  { news, muted, closed }: Pick<FoundNews, 'news' | 'muted' | 'closed'>,
): Promise<readonly Finding[]> {
  const found: Finding[] = [];
  const mutedIds = muted.map(({ id }) => quoteLiteral(id)).join(', ');
  for (const query of FINDINGS.filter(({ view }) => tables.views.some(({ name }) => name === view))) {
    const keys = muted.length === 0 ? [] : (query.keys ?? []);
    const own = (rows: string) =>
      [rows, ...keys.map((key) => `coalesce(${key}, '') not in (${mutedIds})`)].join(' and ');
    const { where, perhaps, out } = query;
    const asked = {
      ...query,
      where: own(where),
      ...(closed &&
        out && {
          where: own(`${where} and not ${wasClosed(out, 'now')}`),
          alsoNew: wasClosed(out, 'a day ago'),
        }),
      ...(perhaps !== undefined && { perhaps: own(perhaps) }),
    };
    found.push(...(await readFinding(tables, asked, news)));
  }
  return found;
}

/**
 * How many rows of a finding are new since the day before. These are its news, and what was not listed or not expected
 * on that day. Null if no news has them, or none is known to be new and some may be.
 */
async function countNew(
  tables: Tables,
  query: FindingQuery,
  news: News,
  isNew: string | null,
): Promise<number | null> {
  const [told] = newsOf(query, news);
  if (told === undefined || isNew === null) return null;
  const from = query.from?.(tables.since) ?? query.view;
  const count = await countOf(tables, `${from} where ${query.where} and ${isNew}`);
  return count === 0 && told.counts['1'] === null ? null : count;
}

/** The condition for a row of a finding that is new since the day before; null where nobody can say. */
async function newSql(tables: Tables, query: FindingQuery, news: News): Promise<string | null> {
  if (newsOf(query, news).length === 0 || news.since['1'] === undefined) return null;
  const { kinds = [], key } = query.news ?? {};
  const { compared, dates } = comparedRows((await readRunDates(tables)).bySource);
  return `(
      ${query.alsoNew ?? false}
      or (export_source, ${key}) in (
        select export_source, record_key from news where days = 1 and news in (${kinds.map(quoteLiteral).join(', ')})
      )
      or (export_source, player_id) in (
        select days.export_source, days.player_id
        from (select * from player_days where export_date in (${dates})) as days
        join ${compared}
          on compared.export_source = days.export_source and compared.export_date = days.export_date
        where compared.span = '1' and not days.is_expected and not days.is_carried
      )
    )`;
}

/** The kinds of news of a finding. The first one says whose state changed. */
function newsOf({ news }: FindingQuery, { kinds }: News): News['kinds'] {
  return (news?.kinds ?? []).flatMap((name) => kinds.find(({ kind }) => kind === name) ?? []);
}

/** How many a finding names: the new ones, then the worst. */
const WORST = 3;

async function readFinding(tables: Tables, query: FindingQuery, news: News): Promise<readonly Finding[]> {
  const from = query.from?.(tables.since) ?? query.view;
  const isNew = await newSql(tables, query, news);
  const { rows } = await tables.query(`
    -- grain: one of the worst, the new ones first
    select ${query.name} as name, ${query.value} as value, export_source, ${query.says ?? 'null'} as says
    from ${from}
    where ${query.where}
    order by ${isNew === null ? '' : `case when ${isNew} then 0 else 1 end,`} ${query.order}, name, says
    limit ${WORST}`);
  if (rows.length === 0) return [];
  const listed = query.keys?.includes('storage_key') === true ? 'backup_storages' : 'players';
  const { rows: sources } = await tables.query(`select distinct export_source from ${listed}`);
  // Two sources may have the same names.
  const nameOf = (name: unknown, source: unknown) =>
    sources.length < 2 || name === source ? String(cellOf(name)) : `${cellOf(name)} (${source})`;
  const { id, urgency, one, many, why, table, kind, perhaps } = query;
  const count = await countOf(tables, `${from} where ${query.where}`);
  return [
    {
      id,
      urgency,
      count,
      isLeast: perhaps !== undefined && (await countOf(tables, `${from} where ${perhaps}`)) > 0,
      what: count === 1 ? one : many,
      why,
      newCount: await countNew(tables, query, news, isNew),
      isNewLeast: newsOf(query, news).some(({ isLeast, unknown }) => isLeast['1'] || unknown['1'] > 0),
      table,
      kind,
      worst: rows.map(([name, value, source, says]) => ({
        name: nameOf(name, source),
        ...(typeof says === 'string' && { says }),
        value: cellOf(value, kind),
      })),
    },
  ];
}
