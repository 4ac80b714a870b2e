import { lakeKey } from '../lake/keys.ts';
import { missingFiles } from '../lake/named-files.ts';
import { fileSum } from '../lake/sums/file-sum.ts';
import { refuseDamaged } from '../lake/sums/refuse-damaged.ts';
import { readBase } from '../run/base.ts';
import { openMasks } from '../run/history/masks.ts';
import { holdLease } from '../run/keep-lease.ts';
import { isOfValues, setAsideMessage } from '../run/outcomes/set-aside.ts';
import { publishEvent } from '../run/payloads.ts';
import {
  type HistoryAside,
  isPublished,
  type PublishedUnit,
  writePublishedUnit,
} from '../run/published-unit.ts';
import { readAttempt } from '../run/run-record.ts';
import { type ResourceUnit, type RewriteUnit, readUnit, type Unit } from '../run/unit.ts';
import type { Services } from '../runtime/services.ts';
import { openStageDb } from '../runtime/stage-duckdb.ts';
import { isRemovedSql } from '../schema/removed.ts';
import { columnsInFiles, fileColumns, readSchema } from '../schema/schema.ts';
import { newlyHidden } from '../schema/schema-changes.ts';
import { RESOURCE_NAMES } from '../sources/resources.ts';
import { quoteLiteral, readParquet } from '../sql.ts';
import { makeDay, type Rewritten } from './make-day.ts';
import { makeLedger } from './make-ledger.ts';
import { makeResource } from './make-resource.ts';
import { type MadePart, type MadeUnit, makeTable } from './make-table.ts';
import { shownRows } from './shown-rows.ts';
import type { UnitContext } from './unit-context.ts';

/**
 * Publishes one unit: puts its files into the lake, where no head names them yet. A unit that is already there stays.
 * Units of one process share its memory: one without room next to the others is tried again alone.
 */
export async function publish(said: unknown, services: Services): Promise<0> {
  const event = publishEvent.parse(said);
  const { lake } = services;
  if (await isPublished(lake, event)) return 0;
  const record = await readAttempt(lake, event);
  await using _lease = await holdLease(record, services);
  const unit = await readUnit(lake, event);
  const base = await readBase(lake, record);
  const schema = await readSchema(lake, lakeKey('schema', event));
  const given = { services, unit: event.unit, record, base, schema };
  const { duckDb } = services;
  if (duckDb === undefined) {
    await tryUnit(unit, { ...given, isAlone: true });
  } else {
    try {
      await duckDb.beside(() => tryUnit(unit, { ...given, isAlone: false }));
    } catch (error) {
      if (!isOfValues(error)) throw error;
      await duckDb.alone(() => tryUnit(unit, { ...given, isAlone: true }));
    }
  }
  services.onProgress({ stage: 'publish' });
  return 0;
}

/** Makes a unit's files, puts them into the lake and notes them. Throws errors of its values, unless it is alone. */
async function tryUnit(unit: Unit, given: Omit<UnitContext, 'db' | 'scratch'>): Promise<void> {
  const { services, record, schema } = given;
  const { lake } = services;
  await using scratch = await lake.scratch();
  using db = await openStageDb(services, scratch);
  // A rewrite needs no outcomes, and an attempt of rewrites alone has none.
  if (unit.kind !== 'rewrite') {
    const outcomes = readParquet(await lake.localPaths([lakeKey('outcomes', record)]));
    // The ledger changes the outcomes of sources that other units set aside.
    const form = unit.kind === 'ledger' ? 'table' : 'view';
    await db.run(`create or replace temp ${form} outcomes as select * from ${outcomes}`);
  }

  // A rewrite that only leaves rows out makes no masks, so it needs no key for them.
  const masks = unit.kind !== 'rewrite' || unit.without === undefined;
  if (masks) await openMasks(db, { schema, services, config: record.config });
  const context: UnitContext = { ...given, db, scratch: scratch.path };
  const made = await make(unit, context);
  // An earlier try of the unit may have left a file without other sources. No head names it yet.
  const { attempt } = record;
  const parts: PublishedUnit['parts'][number][] = [];
  for (const { path, isRepeated: _, ...each } of made.parts) {
    const { table, date: exportDate, part, runId = record.runId } = each;
    parts.push({ ...each, sum: await fileSum(path) });
    await lake.moveIn(lakeKey('table', { table, part, exportDate, runId, attempt }), path);
  }
  await writePublishedUnit(lake, { ...record, unit: given.unit }, { ...made, parts });
}

function make(unit: Unit, context: UnitContext): Promise<MadeUnit> {
  switch (unit.kind) {
    case 'resource':
      return makeWithinWall(unit, context);
    case 'rewrite':
      return makeRewrite(unit, context);
    case 'ledger':
      return makeLedger(context);
  }
}

/**
 * Makes a date of tables again: rows and rejects as the present schema reads them, and changes without what the config
 * hides. Or makes it without what is purged. Where a source's answers cannot be processed, its rows come from their cells. A
 * lost file cannot be written again: the head still names it, and queries and `status` say so.
 */
async function makeRewrite(
  { date, tables, runId, ...of }: RewriteUnit,
  context: UnitContext,
): Promise<MadeUnit> {
  const { base, schema, services } = context;
  const parts: MadePart[] = [];
  const rewritten: Rewritten[] = [];
  const history: HistoryAside[] = [];
  for (const table of tables) {
    const files = base.head?.tables[table]?.dates[date];
    if (files === undefined) continue;
    if ((await missingFiles(services.lake, [{ table, date, ...files }])).length > 0) continue;
    await refuseDamaged(services.lake, [{ table, date, ...files }]);
    const shown = await shownRows(context, { table, files: { date, ...files } });
    history.push(...shown.history);
    const resource = RESOURCE_NAMES.find((name) => name === table);
    const there = runId === undefined ? undefined : columnsInFiles(schema, table, files.run);
    const part = await makeTable({
      context,
      table,
      date,
      part: 0,
      columns: fileColumns(schema, table).filter(({ name }) => there?.has(name) !== false),
      rows: ofSources(shown.rows, { table, ...of }),
      ...(resource && { orderBy: ['export_source', 'record_key'] }),
    });
    parts.push({ ...part, ...(runId !== undefined && { runId }) });
    if (resource !== undefined && shown.isRemade) rewritten.push({ table: resource, ...shown });
  }
  if (rewritten.length > 0) parts.push(...(await makeDay(context, { table: 'rejects', date, rewritten })));
  if (newlyHidden(base.schema, schema).length > 0)
    parts.push(...(await makeDay(context, { table: 'changes', date, rewritten: [] })));
  return { parts, history, rows: 0, added: 0, removed: 0, changed: 0, rejected: 0 };
}

/** SQL of the rows without what is purged, or with a source that has another name. */
function ofSources(
  rows: string,
  { table, without, renamed }: Pick<RewriteUnit, 'without' | 'renamed'> & { readonly table: string },
): string {
  if (without !== undefined) return `select * from (${rows}) where not ${isRemovedSql(table, without)}`;
  if (renamed === undefined) return rows;
  const name = `case export_source when ${quoteLiteral(renamed.was)} then ${quoteLiteral(renamed.name)} else export_source end`;
  return `select * replace (${name} as export_source) from (${rows})`;
}

/**
 * The wall around each source's answers for a table. A source with answers that cannot be processed is set aside: its
 * committed rows stay, and the unit has all others. Errors of the lake, such as a full disk, are thrown further.
 */
async function makeWithinWall(unit: ResourceUnit, context: UnitContext): Promise<MadeUnit> {
  try {
    return await makeResource(unit, context);
  } catch (error) {
    const [largest] = unit.collected;
    if (!context.isAlone || !isOfValues(error) || largest === undefined) throw error;
    const offending = await offendersIn(unit, context);
    // Each source works alone, but all together have too little memory.
    const aside = offending.length > 0 ? offending : [{ source: largest.source, error }];
    const sources = aside.map(({ source }) => source);
    const left = await makeWithinWall(without(unit, sources), context);
    const own = aside.map(({ source, error: cause }) => ({ source, message: setAsideMessage(cause) }));
    return { ...left, setAside: [...own, ...(left.setAside ?? [])] };
  }
}

/** The sources with answers that cannot be processed even alone. */
async function offendersIn(unit: ResourceUnit, context: UnitContext) {
  const found: { readonly source: string; readonly error: unknown }[] = [];
  const sources = unit.collected.map(({ source }) => source);
  for (const source of sources) {
    const others = sources.filter((each) => each !== source);
    try {
      await makeResource(without(unit, others), context);
    } catch (error) {
      if (!isOfValues(error)) throw error;
      found.push({ source, error });
    }
  }
  return found;
}

/** The unit with these sources' committed rows instead of their answers. */
function without(unit: ResourceUnit, sources: readonly string[]): ResourceUnit {
  return {
    ...unit,
    collected: unit.collected.filter(({ source }) => !sources.includes(source)),
    keepAll: [...unit.keepAll, ...sources],
  };
}
