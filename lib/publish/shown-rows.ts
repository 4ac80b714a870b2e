import type { TableHead } from '../lake/head.ts';
import { tableKeys } from '../lake/table-files.ts';
import { answersSql, endedSql, slicesOf } from '../run/answers.ts';
import { storedRaw } from '../run/raw-of-run.ts';
import { cellsSql } from '../schema/cells-sql.ts';
import { columnsInFiles, type TableSchema } from '../schema/schema.ts';
import { columnChanges } from '../schema/schema-changes.ts';
import { RESOURCES, type Resource } from '../sources/resources.ts';
import { quoteLiteral, readParquet } from '../sql.ts';
import { type Collected, collectedSql } from './collected.ts';
import type { UnitContext } from './unit-context.ts';

export interface ShownRows {
  /** False if the present schema reads the answers as the files show them. */
  readonly isRemade: boolean;
  /** SQL of the rows that the files show, with their answers read by the present schema. */
  readonly rows: string;
  /** SQL of the values that are not in their cells, with the columns of `rejects`, of rows that were made from raw. */
  readonly rejects: readonly string[];
  /** SQL of the values that lose their cells now, of rows whose raw is gone. */
  readonly lost: string | undefined;
}

/**
 * The rows of a table's committed files, with their answers read by the present schema. If an answer's raw is kept, the code
 * that publishes a run makes its rows again; else they are made from their cells. Leaves the temp table `remade__T` with
 * the answers (source, run_id, parent_id) that were made from raw.
 */
export async function shownRows(
  context: UnitContext,
  { table: name, files }: { readonly table: string; readonly files: TableHead['newest'] },
): Promise<ShownRows> {
  const { base, schema, services, db } = context;
  const stored = readParquet(await services.lake.localPaths(tableKeys(name, files)));
  const changes = columnChanges(base.schema, schema, name);
  const there = columnsInFiles(base.schema, name, files.run);
  const cells = cellsSql({ schema, table: name, there, changes });
  const table = schema.tables[name];
  const resource = RESOURCES.find((each) => each.name === name);
  if (changes.length === 0 || table === undefined || resource === undefined) {
    return { rows: `select ${cells.rows} from ${stored}`, isRemade: false, rejects: [], lost: undefined };
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
  const answers = await db.rows(`select distinct source, run_id from ${shown} order by all`);
  for (const [index, { source, run_id }] of answers.entries()) {
    const of = { source: String(source), runId: String(run_id), index };
    const made = await fromRaw(context, { ...of, resource, table: sayingAll(table), shown, remade });
    if (made !== undefined) collected.push(made);
  }
  const left = `
    from ${stored} as stored__rows
    anti join ${remade} as remade__rows
      on remade__rows.source = export_source
      and remade__rows.run_id = export_run_id
      and remade__rows.parent_id = ${parent}`;
  return {
    rows: [`select ${cells.rows} ${left}`, ...collected.map(({ rows }) => rows)].join(
      '\n union all by name ',
    ),
    isRemade: true,
    rejects: collected.flatMap(({ rejects }) => rejects ?? []),
    lost: cells.lost && `${cells.lost} ${left})`,
  };
}

interface FromRaw {
  readonly source: string;
  readonly runId: string;
  /** Makes the name of the temp table unique. */
  readonly index: number;
  readonly resource: Resource;
  readonly table: TableSchema;
  readonly shown: string;
  readonly remade: string;
}

/** The shown rows of one source and run, made from raw; undefined if the raw is gone. */
async function fromRaw(
  { db, services }: UnitContext,
  { source, runId, index, resource, table, shown, remade }: FromRaw,
) {
  const key = table.keys[source];
  const raw = (await storedRaw(services.lake, { runId, source, resource: resource.name }))[0];
  if (key === undefined || raw === undefined) return undefined;
  const paths = await services.lake.localPaths(raw.keys);
  const counted = `counted__${resource.name}_${index}`;
  const isOf = `shown.source = ${quoteLiteral(source)} and shown.run_id = ${quoteLiteral(runId)}`;
  await db.run(`
    -- grain: answer whose rows are shown
    create or replace temp table ${counted} as
    select ended.source, ended.resource, ended.parent_id, ended.pass, ended.outcome
    from (${endedSql(`(${answersSql({ ...raw, paths })})`)}) as ended
    join ${shown} as shown on ${isOf} and shown.parent_id = coalesce(ended.parent_id, '')
    where ended.outcome = 'ok'`);
  await db.run(`
    insert into ${remade}
    select ${quoteLiteral(source)}, ${quoteLiteral(runId)}, coalesce(parent_id, '') from ${counted}`);
  const slices = await slicesOf(db, { source, resource: resource.name, paths, counted });
  return collectedSql({ slices, source, resource, key, table, runId, isNumbered: true, withCuts: true });
}

/** The table with every reason to reject as possible, for plan counted nothing of these answers. */
function sayingAll(table: TableSchema): TableSchema {
  const all = { type: 1, sentinel: 1, precision: 1 };
  return {
    ...table,
    duplicates: [],
    columns: table.columns.map((column) => ({
      ...column,
      rejects: Object.fromEntries(column.paths.map(({ source }) => [source, all])),
    })),
  };
}
