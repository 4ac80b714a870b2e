import type { ResourceName } from '../sources/resources.ts';
import { quoteLiteral } from '../sql.ts';
import { concerns, type Gap } from '../views/gaps.ts';
import type { Tables } from '../views/open-tables.ts';
import { comparedDay, readRunDates } from './days/run-dates.ts';
import { type News, SPANS } from './report-data.ts';
import { comparedRows, unknownStates, untoldStates } from './unknown-states.ts';

/** When a screen reported, or else its player. */
const REPORTS = ['screens.last_update', 'players.last_access'];

/** Each kind of the view `news`, the most harmful first, with its table and what it needs: one of these columns each. */
export const KINDS: readonly {
  readonly kind: string;
  readonly table: ResourceName;
  readonly needs?: readonly (readonly string[])[];
}[] = [
  { kind: 'player offline', table: 'players', needs: [['players.last_access']] },
  { kind: 'screen stale', table: 'screens', needs: [REPORTS, ['screens.is_on']] },
  { kind: 'screen off', table: 'screens', needs: [REPORTS, ['screens.is_on']] },
  { kind: 'licences ran out', table: 'licenses', needs: [['licenses.available_count']] },
  { kind: 'storage grew', table: 'backup_slots', needs: [['backup_slots.storage_used']] },
  { kind: 'player recovered', table: 'players', needs: [['players.last_access']] },
  { kind: 'screen recovered', table: 'screens', needs: [REPORTS, ['screens.is_on']] },
  { kind: 'player added', table: 'players' },
  { kind: 'player removed', table: 'players' },
  { kind: 'screen added', table: 'screens' },
  { kind: 'screen removed', table: 'screens' },
];

/**
 * How many of each kind of news there are since 1, 7 and 30 days. unknown: how many may be such news too. A count is
 * null if no source has run that long, or if the API lacks what it needs. A count is at least so many if a source has
 * not run that long, did not answer on one of the two days, told no state then, or was left out: a 0 is null then.
 */
export async function readNews(tables: Tables, gaps: readonly Gap[]): Promise<News> {
  const { bySource: days } = await readRunDates(tables);
  const since = comparedDays(tables.head.sources.map((source) => days.get(source) ?? []));
  const view = tables.views.find(({ name }) => name === 'news');
  if (view === undefined) return { since: {}, players: null, kinds: [] };
  const { rows } = await tables.query(`
    -- grain: a span of days and a kind of news
    select days, news, count(*)
    from news
    group by days, news`);
  const counts = new Map(rows.map(([days, news, count]) => [`${days} ${news}`, Number(count)]));
  const newest = await newestDays(tables);
  const leftOut = await tablesLeftOut(tables, newest);
  const unsaid = new Set(view.unsaid.map(({ column }) => column));
  const silent = await silentColumns(tables);
  // Nothing stands in for a column that the source had once.
  const isSilent = ([first = '', ...others]: readonly string[]) =>
    [...(silent.get(first) ?? [])].some(
      (source) =>
        hasColumn(tables, source, first) || others.every((column) => silent.get(column)?.has(source)),
    );
  const lacks = (source: string, table: ResourceName) =>
    gaps.some((gap) => gap.source === source && !newest.whole.has(source) && concerns([table], gap));
  const gapsBefore = await gapsOfComparedDays(tables, days);
  // A screen is new only if the last run of the day before read its player's screens.
  const lackedBefore = (span: (typeof SPANS)[number], table: ResourceName, kind?: string) =>
    (gapsBefore.get(span) ?? []).some(
      (gap) => (kind === 'screen added' || !gap.hasWholeRun) && concerns([table], gap),
    );
  const asked = await askedSources(tables);
  const hasNoDay = (span: (typeof SPANS)[number], table: ResourceName) =>
    (asked.get(table) ?? []).some(
      (source) => comparedDay(days.get(source) ?? [], Number(span)) === undefined,
    );
  const untold = await untoldStates(tables, days);
  const unknown = await unknownStates(tables, days);
  const players = comparedPlayers(
    asked.get('players') ?? [],
    days,
    (source) =>
      !newest.leftOut.includes(source) && !lacks(source, 'players') && !lackedBefore('1', 'players'),
  );
  const kinds = KINDS.flatMap(({ kind, table, needs = [] }) => {
    const hasGap =
      leftOut.has(table) ||
      needs.some((columns) => isSilent(columns)) ||
      gaps.some((gap) => !newest.whole.has(gap.source) && concerns([table], gap));
    if ((tables.schema.tables[table]?.columns.length ?? 0) === 0 && !hasGap) return [];
    const isLeast = (span: (typeof SPANS)[number]) =>
      hasGap ||
      hasNoDay(span, table) ||
      lackedBefore(span, table, kind) ||
      (needs.length > 0 && untold.has(`${span} ${table}`));
    const countOf = (span: (typeof SPANS)[number]) => {
      if (since[span] === undefined || needs.some((columns) => columns.every((column) => unsaid.has(column))))
        return null;
      return counts.get(`${span} ${kind}`) ?? (isLeast(span) ? null : 0);
    };
    const unknownOf = (span: (typeof SPANS)[number]) =>
      needs.length > 0 ? (unknown.get(`${span} ${table}`) ?? 0) : 0;
    return [
      {
        kind,
        counts: { '1': countOf('1'), '7': countOf('7'), '30': countOf('30') },
        isLeast: { '1': isLeast('1'), '7': isLeast('7'), '30': isLeast('30') },
        unknown: { '1': unknownOf('1'), '7': unknownOf('7'), '30': unknownOf('30') },
      },
    ];
  });
  return { since, players, kinds };
}

function hasColumn({ schema }: Tables, source: string, needs: string): boolean {
  const [table = '', column = ''] = needs.split('.');
  const found = schema.tables[table]?.columns.find(({ name }) => name === column);
  return found?.paths.some((path) => path.source === source) === true;
}

/** Of each needed column the sources with newest records of which none has a value. */
async function silentColumns({ schema, query }: Tables): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const needed = [...new Set(KINDS.flatMap(({ needs = [] }) => needs.flat()))];
  const found = needed.map(async (needs) => {
    const [table = '', column = ''] = needs.split('.');
    const columns = schema.tables[table]?.columns ?? [];
    if (columns.length === 0) return [needs, new Set<string>()] as const;
    const isThere = columns.some(({ name }) => name === column);
    const { rows } = await query(
      `-- grain: a source\n select export_source from ${table} group by export_source having count(${isThere ? column : 'null'}) = 0`,
    );
    return [needs, new Set(rows.map(([source]) => String(source)))] as const;
  });
  return new Map(await Promise.all(found));
}

/** Tables with rows of a source that the newest run left out. */
async function tablesLeftOut(tables: Tables, { leftOut }: NewestDays): Promise<ReadonlySet<string>> {
  if (leftOut.length === 0) return new Set();
  const names = [...new Set(KINDS.map(({ table }) => table))].filter(
    (name) => (tables.schema.tables[name]?.columns.length ?? 0) > 0,
  );
  const sources = leftOut.map(quoteLiteral).join(', ');
  const found = await Promise.all(
    names.map(async (name) => {
      const { rows: some } = await tables.query(
        `-- grain: one row\n select 1 from ${name} where export_source in (${sources}) limit 1`,
      );
      return some.length > 0 ? [name] : [];
    }),
  );
  return new Set(found.flat());
}

type NewestDays = Awaited<ReturnType<typeof newestDays>>;

async function newestDays(tables: Tables) {
  const { rows } = await tables.query(`
    -- grain: a source
    select
      runs.export_source,
      max(runs.export_date),
      -- A later run may have brought a player whose listings had no answer.
      max(case when denied + failed = 0 and (arrived.export_run_id is null or runs.export_run_id >= arrived.export_run_id) then runs.export_date end)
    from runs
    left join (
      select export_source, max(export_run_id) as export_run_id
      from changes
      where table_name = 'players' and change = 'added' and export_date = ${quoteLiteral(tables.head.exportDate)}
      group by export_source
    ) as arrived on arrived.export_source = runs.export_source
    group by runs.export_source`);
  const days = rows.map((row) => row.map(String));
  const newest = days.reduce((latest, [, day = '']) => (day > latest ? day : latest), '');
  return {
    /** Sources with a run of their newest day that was answered every listing: a later one takes nothing of it back. */
    whole: new Set(days.flatMap(([source = '', day, answered]) => (day === answered ? [source] : []))),
    /** Sources without a run on the newest day of all. */
    leftOut: days.flatMap(([source = '', day = '']) => (day < newest ? [source] : [])),
  };
}

/** By span: the first and the last of the days with which the sources are compared. */
function comparedDays(all: readonly (readonly string[])[]): News['since'] {
  return Object.fromEntries(
    SPANS.flatMap((span) => {
      const days = all.flatMap((own) => comparedDay(own, Number(span)) ?? []).toSorted();
      const [first, last] = [days[0], days.at(-1)];
      return first === undefined || last === undefined ? [] : [[span, { first, last }]];
    }),
  );
}

interface GapBefore {
  readonly resource: string;
  /** True if another run of the day was answered every listing. */
  readonly hasWholeRun: boolean;
}

/** By span: the listings without an answer in the last run of the day that it compares with. */
async function gapsOfComparedDays(
  tables: Tables,
  all: ReadonlyMap<string, readonly string[]>,
): Promise<ReadonlyMap<string, readonly GapBefore[]>> {
  const { compared, dates } = comparedRows(all);
  if (dates.length === 0) return new Map();
  const { rows } = await tables.query(`
    -- grain: a span, a listing, and whether a run of the day was whole
    select distinct
      compared.span,
      ended.resource,
      (ended.export_source, ended.export_date) in (select (export_source, export_date) from runs where denied + failed = 0)
    from outcomes_daily as ended
    join ${compared}
      on compared.export_source = ended.export_source and compared.export_date = ended.export_date
    where ended.export_date in (${dates}) and ended.outcome in ('denied', 'failed')`);
  const found = rows.map(([span, resource, hasWholeRun]) => ({
    span: String(span),
    resource: String(resource),
    hasWholeRun: hasWholeRun === true,
  }));
  return Map.groupBy(found, ({ span }) => span);
}

/** By listing: the config's sources that were asked for it. */
async function askedSources(tables: Tables): Promise<ReadonlyMap<string, readonly string[]>> {
  const { rows } = await tables.query(`
    -- grain: a source and a listing that it was asked for
    select distinct export_source, resource
    from outcomes`);
  const asked = rows
    .map(([source, resource]) => ({ source: String(source), resource: String(resource) }))
    .filter(({ source }) => tables.head.sources.includes(source));
  const byListing = Map.groupBy(asked, ({ resource }) => resource);
  return new Map([...byListing].map(([resource, of]) => [resource, of.map(({ source }) => source)]));
}

/** The day before of the sources that were asked for players. */
function comparedPlayers(
  sources: readonly string[],
  all: ReadonlyMap<string, readonly string[]>,
  isCurrent: (source: string) => boolean,
): News['players'] {
  const compared = sources.flatMap((source) => comparedDay(all.get(source) ?? [], 1) ?? []);
  const [since] = compared.toSorted();
  if (since === undefined) return null;
  const isWhole =
    compared.length === sources.length && compared.every((day) => day === since) && sources.every(isCurrent);
  return { since, isWhole };
}
