import { plainPath } from '../lake/raw/marks.ts';
import { inRangeSql } from '../parent-hash.ts';
import { newestKeys } from '../run/base.ts';
import { failListings } from '../run/outcomes/set-aside.ts';
import { type Verdict, verdictOf } from '../run/outcomes/verdicts.ts';
import { readPlan } from '../run/plan-file.ts';
import { type HistoryAside, readPublishedUnits } from '../run/published-unit.ts';
import { readUnit } from '../run/unit.ts';
import { readingText } from '../schema/cells/formats.ts';
import { isWrittenAgain, newlyHidden } from '../schema/schema-changes.ts';
import { TABLES, tableForm } from '../schema/tables.ts';
import type { Note } from '../sources/note.ts';
import { questionText } from '../sources/question.ts';
import { RESOURCES } from '../sources/resources.ts';
import { isIn, quoteLiteral, readParquet, rowsSql } from '../sql.ts';
import { counted } from '../text.ts';
import { makeDay, type Rewritten } from './make-day.ts';
import { type MadePart, type MadeUnit, makeTable } from './make-table.ts';
import { type ShownRows, shownRows } from './shown-rows.ts';
import type { UnitContext } from './unit-context.ts';

/**
 * Makes outcomes, schema_columns and runs of this run. Also makes part 0 of the date's runs, changes and rejects, with
 * the rows of its earlier runs. All other units are published: a source that they set aside has failed.
 */
export async function makeLedger(context: UnitContext): Promise<MadeUnit> {
  const { record, services, db } = context;
  const { sources, units } = await readPlan(services.lake, record);
  const rewritten = await rewrittenToday(context);
  const asides = await failAside(context, units - 1);
  const noted = historyNotes([...asides, ...rewritten.flatMap((each) => each.history)]);
  const planned = sources.map((each) => ({
    ...each,
    notes: [...each.notes, ...noted.filter(({ source }) => source === each.name)],
  }));
  const verdict = await verdictOf(db, { sources: planned, minCoverage: record.config.minCoverage });
  const parts: MadePart[] = [
    await makeTable({
      context,
      table: 'outcomes',
      part: 0,
      rows: await outcomeRows(context),
      orderBy: ['export_source', 'resource', 'parent_id'],
    }),
    await makeTable({
      context,
      table: 'schema_columns',
      part: 0,
      rows: await schemaColumnRows(context),
      orderBy: ['export_source', 'table_name', 'column_name', 'api_path'],
    }),
    await makeTable({
      context,
      table: 'runs',
      part: 1,
      rows: runRows(context, verdict),
      orderBy: ['export_source'],
    }),
  ];
  for (const { name: table } of TABLES.filter(({ onlyDays }) => onlyDays)) {
    // This run's own rows are in the other parts.
    const day = {
      table,
      date: record.exportDate,
      rewritten: table === 'rejects' ? rewritten : [],
      without: record.runId,
    };
    parts.push(...(await makeDay(context, day)));
  }
  const hidden = newlyHidden(context.base.schema, context.schema);
  const leftOut = await leftOutSources(context);
  return { parts, verdict, hidden, leftOut, rows: 0, added: 0, removed: 0, changed: 0, rejected: 0 };
}

/**
 * The first `units` units may have set sources aside: their listings fail. Returns the sources with history
 * that was set aside.
 */
async function failAside(
  { db, services: { lake }, record }: UnitContext,
  units: number,
): Promise<readonly HistoryAside[]> {
  const published = await readPublishedUnits(lake, record, units);
  for (const [unit, { table: resource, setAside = [] }] of published.entries()) {
    if (resource === undefined || setAside.length === 0) continue;
    const of = await readUnit(lake, { ...record, unit });
    const range = of.kind === 'resource' ? of.range : undefined;
    for (const { source, message } of setAside) {
      await failListings(
        db,
        { source, resource },
        {
          error_code: 'SOURCE_SET_ASIDE',
          message,
          only: `select coalesce(parent_id, '') from outcomes where ${inRangeSql('parent_id', range)}`,
        },
      );
    }
  }
  return published.flatMap(({ history = [] }) => history);
}

/** A note for each source and table with history that was set aside. */
function historyNotes(asides: readonly HistoryAside[]): readonly Note[] {
  const byPlace = Map.groupBy(asides, ({ source, table }) => `${source} ${table}`);
  return [...byPlace.values()].flatMap((same) =>
    same.slice(0, 1).map(({ source, table: resource, why }) => {
      const lost = same.reduce((sum, each) => sum + each.lost, 0);
      const rejected = lost === 0 ? '' : `. ${counted(lost, 'value')} that they cannot hold went to rejects`;
      const says = `The kept answers of ${resource} could not be read again (${why}), so earlier dates were made from their cells${rejected}`;
      return { code: 'HISTORY_SET_ASIDE', source, resource, says };
    }),
  );
}

/** The outcomes, and the committed ones of sources that this run did not call. */
async function outcomeRows({ record, base, services }: UnitContext): Promise<string> {
  const rows = `
    select
      source as export_source,
      ${quoteLiteral(record.runId)} as export_run_id,
      resource, parent_id, outcome, error_code, message, http_status, attempts, observed_at, records as rows, note
    from outcomes`;
  const uncalled = uncalledIn(record);
  const paths = await services.lake.localPaths(newestKeys(base, 'outcomes'));
  if (uncalled.length === 0 || paths.length === 0) return rows;
  return `${rows}
    union all by name
    select * from ${readParquet(paths)} where ${isIn('export_source', uncalled)}`;
}

/** The config's sources that the run was not to call. */
const uncalledIn = ({ config, selected }: UnitContext['record']): readonly string[] =>
  config.sources.map(({ name }) => name).filter((name) => !selected.includes(name));

/** The same, with the time of the answers that the tables keep of each. */
async function leftOutSources({ db, record, base, services }: UnitContext) {
  const uncalled = uncalledIn(record);
  if (uncalled.length === 0) return [];
  const paths = await services.lake.localPaths(newestKeys(base, 'outcomes'));
  const rows =
    paths.length === 0
      ? []
      : await db.rows(`
    -- grain: source
    select export_source as source, strftime(max(observed_at), '%Y-%m-%dT%H:%M:%SZ') as as_of
    from ${readParquet(paths)}
    where outcome in ('ok', 'empty', 'gone')
    group by all`);
  return uncalled.map((name) => {
    const asOf = rows.find(({ source }) => source === name)?.['as_of'];
    return { name, asOf: typeof asOf === 'string' ? asOf : null };
  });
}

/** The tables with rows of this date, by earlier runs, that are now read in another way. */
async function rewrittenToday(context: UnitContext) {
  const { base, record, schema } = context;
  const rewritten: (Rewritten & ShownRows)[] = [];
  for (const { name: table } of RESOURCES) {
    const files = base.head?.tables[table]?.dates[record.exportDate];
    if (files === undefined || !isWrittenAgain(base.schema, schema, table)) continue;
    const shown = await shownRows(context, { table, files: { date: record.exportDate, ...files } });
    rewritten.push({ table, ...shown });
  }
  return rewritten;
}

function runRows({ record }: UnitContext, { sources }: Verdict): string {
  const rows = sources.map((source) => ({
    export_source: source.name,
    export_run_id: record.runId,
    scheduled_at: record.scheduledAt,
    started_at: record.startedAt,
    observed_at: source.observedAt,
    status: source.status,
    listed: source.listed,
    ...source.outcomes,
    coverage: source.coverage,
    requests: source.requests,
    retries: source.retries,
    duration_seconds:
      source.endedAt === null ? null : (Date.parse(source.endedAt) - Date.parse(record.startedAt)) / 1000,
    error_code: source.error?.code ?? null,
    message: source.error?.message ?? null,
  }));
  return rowsSql(tableForm('runs').columns, rows);
}

/**
 * SQL of the data dictionary of this run: one row for each column and path of a source. A source that has left the config
 * keeps its rows without their questions: they say since when and until when its past days told a field.
 */
async function schemaColumnRows({ record, schema, base, services }: UnitContext): Promise<string> {
  const configured = record.config.sources.map(({ name }) => name);
  const rows = Object.entries(schema.tables).flatMap(([table, { columns }]) =>
    columns.flatMap((column) =>
      column.paths
        .filter(({ source }) => configured.includes(source))
        .map(({ source, path, nullShare, filled, firstSeen, lastSeen }) => ({
          export_source: source,
          export_run_id: record.runId,
          table_name: table,
          column_name: column.name,
          type: column.type,
          api_path: plainPath(path),
          first_seen: firstSeen ?? column.firstSeen,
          last_seen: lastSeen ?? column.lastSeen,
          null_share: nullShare,
          format: column.readings[source] ? readingText(column.readings[source]) : null,
          provisional: column.provisional,
          question:
            column.questions
              .filter((each) => each.source === source)
              .map(questionText)
              .join(' ') || null,
          empty_since: filled?.emptied?.since ?? null,
        })),
    ),
  );
  const said = rowsSql(tableForm('schema_columns').columns, rows);
  const hasLeft = Object.values(schema.tables).some(({ columns }) =>
    columns.some((column) => column.paths.some(({ source }) => !configured.includes(source))),
  );
  const paths = hasLeft ? await services.lake.localPaths(newestKeys(base, 'schema_columns')) : [];
  if (paths.length === 0) return said;
  return `${said}
    union all by name
    select * replace (null as question) from ${readParquet(paths)}
    where not (${isIn('export_source', configured)})`;
}
