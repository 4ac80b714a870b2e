import type { TableHead } from '../lake/head.ts';
import { tableKeys } from '../lake/named-files.ts';
import type { HashRange } from '../parent-hash.ts';
import { answersSql, endedSql, slicesOf } from '../run/answers.ts';
import { rekeyedCellsSql, withoutFormerKeys } from '../run/history/rekeyed-cells.ts';
import { errorKind, isOfValues } from '../run/outcomes/set-aside.ts';
import type { HistoryAside } from '../run/published-unit.ts';
import { isSmall, localRaw, storedRaw } from '../run/raw-of-run.ts';
import type { DuckDb } from '../runtime/duckdb.ts';
import { MANY_RECORDS } from '../schema/cells/made-cells.ts';
import { cellsSql } from '../schema/cells-sql.ts';
import { columnsInFiles, type TableSchema } from '../schema/schema.ts';
import { columnChanges, isWrittenAgain } from '../schema/schema-changes.ts';
import { RESOURCES, type ResourceName } from '../sources/resources.ts';
import { quoteLiteral, readParquet } from '../sql.ts';
import { type Collected, type CollectedOptions, collectedSql } from './collected.ts';
import type { UnitContext } from './unit-context.ts';

export interface ShownRows {
  /** False if the present schema reads the answers as the files show them. */
  readonly isRemade: boolean;
  /** SQL of the rows that the files show, with their answers read by the present schema. */
  readonly rows: string;
  /**
   * SQL with the columns of `rejects`. Rows made from raw have the values that are not in their cells. Rows
   * made from cells have the values that lose their cells now.
   */
  readonly rejects: readonly string[];
  /** The sources with kept answers that cannot be processed: their rows come from their cells. */
  readonly history: readonly HistoryAside[];
}

export interface ShownRowsOptions {
  readonly table: string;
  readonly files: TableHead['newest'];
  /** Hashes of the parents with wanted children. The rows of all others may be anything. @default all */
  readonly range?: HashRange | undefined;
}

/**
 * The rows of a table's committed files, with their answers read by the present schema. If raw has an answer, the code
 * that publishes a run makes its rows again; otherwise its rows come from their cells. The same applies if a source's
 * raw of a run cannot be processed: this is the wall around each source's history. Leaves the temp table `remade__T`
 * with the answers (source, run_id, parent_id) that came from raw. Their files are in the scratch folder.
 */
export async function shownRows(
  context: UnitContext,
  { table: name, files, range }: ShownRowsOptions,
): Promise<ShownRows> {
  const { base, schema, services, db } = context;
  const stored = readParquet(await services.lake.localPaths(tableKeys(name, files)));
  const changes = columnChanges(base.schema, schema, name);
  const there = columnsInFiles(base.schema, name, files.run);
  const cells = cellsSql({ schema, table: name, there, changes });
  const table = schema.tables[name];
  const resource = RESOURCES.find((each) => each.name === name);
  if (!isWrittenAgain(base.schema, schema, name) || table === undefined || resource === undefined) {
    const rows = `select ${cells.rows} from ${stored}`;
    return { rows, isRemade: false, rejects: [], history: [] };
  }
  const parent = resource.parent === null ? "''" : `coalesce(${resource.parentColumn}, '')`;
  const shown = `shown__${name}`;
  const remade = `remade__${name}`;
  await db.run(`
    -- grain: answer whose rows are shown
    create or replace temp table ${shown} as
    select distinct export_source as source, export_run_id as run_id, ${parent} as parent_id
    from ${stored}`);
  await db.run(`create or replace temp table ${remade} as from ${shown} where false`);
  const collected: Collected[] = [];
  const failed: FailedAnswers[] = [];
  const answers = await db.rows(`select distinct source, run_id from ${shown} order by all`);
  for (const [index, { source, run_id }] of answers.entries()) {
    const of = { source: String(source), runId: String(run_id) };
    try {
      const options = { ...of, index, range, resource, table: sayingAll(table), shown, remade };
      const made = await fromRaw(context, options);
      if (made !== undefined) collected.push(made);
    } catch (error) {
      if (!context.isAlone || !isOfValues(error)) throw error;
      failed.push({ ...of, error });
    }
  }
  const left = `
    from ${stored} as stored__rows
    anti join ${remade} as remade__rows
      on remade__rows.source = export_source
      and remade__rows.run_id = export_run_id
      and remade__rows.parent_id = ${parent}`;
  const rekeyed = { base: base.schema, schema, table: name };
  const lost = cells.lost && withoutFormerKeys(rekeyed, `${cells.lost} ${left})`);
  return {
    rows: [
      rekeyedCellsSql(rekeyed, `select ${cells.rows} ${left}`),
      ...collected.map(({ rows }) => rows),
    ].join('\n union all by name '),
    isRemade: true,
    rejects: [...collected.map(({ rejects }) => rejects), lost].filter((each) => each !== undefined),
    history: await historyOf(db, failed, { table: resource.name, lost }),
  };
}

/** A source's answers of a run that could not be made from raw. */
interface FailedAnswers {
  readonly source: string;
  readonly runId: string;
  readonly error: unknown;
}

/** The history of each source, with the number of values that its cells cannot hold now. */
async function historyOf(
  db: DuckDb,
  failed: readonly FailedAnswers[],
  { table, lost }: { readonly table: ResourceName; readonly lost: string | undefined },
): Promise<readonly HistoryAside[]> {
  const history: HistoryAside[] = [];
  for (const [source, answers] of Map.groupBy(failed, (each) => each.source)) {
    const runs = answers.map(({ runId }) => quoteLiteral(runId)).join(', ');
    const [row] =
      lost === undefined
        ? []
        : await db.rows(`
            select count(*)::double as lost from (${lost})
            where export_source = ${quoteLiteral(source)} and export_run_id in (${runs})`);
    history.push({ source, table, why: errorKind(answers[0]?.error), lost: Number(row?.lost ?? 0) });
  }
  return history;
}

interface FromRaw extends Pick<CollectedOptions, 'source' | 'runId' | 'resource' | 'table'> {
  readonly range: HashRange | undefined;
  /** Makes the names of the temp table and of the files unique. */
  readonly index: number;
  readonly shown: string;
  readonly remade: string;
}

/** The shown rows of one source and run, made from raw into files; undefined if the raw is gone. */
async function fromRaw(
  { db, services, scratch, isAlone }: UnitContext,
  { source, runId, range, index, resource, table, shown, remade }: FromRaw,
): Promise<Collected | undefined> {
  const key = table.keys[source];
  const [stored] = await storedRaw(services.lake, { runId, source, resource: resource.name });
  if (key === undefined || stored === undefined) return undefined;
  const raw = await localRaw(services.lake, stored);
  const { paths } = raw;
  const counted = `counted__${resource.name}_${index}`;
  const isOf = `shown.source = ${quoteLiteral(source)} and shown.run_id = ${quoteLiteral(runId)}`;
  await db.run(`
    -- grain: answer whose rows are shown
    create or replace temp table ${counted} as
    select ended.source, ended.resource, ended.parent_id, ended.pass, ended.outcome, ended.records
    from (${endedSql(`(${answersSql(raw.paths)})`)}) as ended
    join ${shown} as shown on ${isOf} and shown.parent_id = coalesce(ended.parent_id, '')
    where ended.outcome = 'ok'`);
  const slices = await slicesOf(db, { source, resource: resource.name, paths, range, counted });
  const [row] = await db.rows(`select sum(records)::double as records from ${counted}`);
  const areFew = isSmall(stored) && Number(row?.records ?? 0) < MANY_RECORDS;
  const sql = collectedSql({
    ...{ slices, source, resource, key, table, runId, areFew },
    ...{ isNumbered: true, withCuts: true },
  });
  const written = async (rows: string, what: string) => {
    const path = `${scratch}/${what}-${resource.name}-${index}.parquet`;
    await db.run(`copy (${rows}) to ${quoteLiteral(path)} (format parquet, compression zstd)`);
    return `select * from ${readParquet([path])}`;
  };
  const rows = await written(sql.rows, 'remade');
  const rejects = sql.rejects && (await written(sql.rejects, 'rejects'));
  await db.run(`
    insert into ${remade}
    select ${quoteLiteral(source)}, ${quoteLiteral(runId)}, coalesce(parent_id, '') from ${counted}`);
  if (isAlone) await services.lake.copies?.drop(raw.keys);
  return { rows, rejects };
}

/** The table with every possible reason to reject, because plan counted nothing of these answers. */
function sayingAll(table: TableSchema): TableSchema {
  const all = { type: 1, sentinel: 1, precision: 1 };
  return {
    ...table,
    columns: table.columns.map((column) => ({
      ...column,
      rejects: Object.fromEntries(column.paths.map(({ source }) => [source, all])),
    })),
  };
}
