import type { ResourceUnit } from '../run/unit.ts';
import { fileColumns } from '../schema/schema.ts';
import { resourceNamed } from '../sources/resources.ts';
import { emptyRelation, readParquet } from '../sql.ts';
import { type Compared, changesSql } from './changes-sql.ts';
import { answersOf, type Collected, collectedOf } from './collected.ts';
import { committedSql } from './committed-sql.ts';
import { type MadePart, type MadeUnit, makeTable } from './make-table.ts';
import { cutsSql } from './rejects-sql.ts';
import type { UnitContext } from './unit-context.ts';

/** Makes a resource's table of this run, its changes against the committed table, and the values that did not fit. */
export async function makeResource(unit: ResourceUnit, context: UnitContext): Promise<MadeUnit> {
  const columns = fileColumns(context.schema, unit.table);
  const committed = await committedSql(unit, context);
  const answers = await answersOf(unit, context);
  const plain = collectedOf(unit, answers, { ...context, isNumbered: false });
  const numbered = collectedOf(unit, answers, { ...context, isNumbered: true });
  const inDoubt = unit.inDoubt ? committed : undefined;
  const rowsOf = (collected: readonly Collected[]) => {
    const now = [emptyRelation(columns), ...collected.map(({ rows }) => rows), committed?.carried];
    const sql = now.filter((each) => each !== undefined).join(UNION);
    return inDoubt ? [sql, inDoubt.lacking(sql)].join(UNION) : sql;
  };
  const { kind } = resourceNamed(unit.table);
  const sources = context.record.config.sources.filter((source) => source.kind === kind);
  const table = await makeTable({
    context,
    table: unit.table,
    part: unit.part,
    rows: rowsOf(plain),
    rowsIfRepeated: rowsOf(numbered),
    // In a table of one source, sorting without its name saves an eighth of the time.
    orderBy: sources.length === 1 ? ['record_key'] : ['export_source', 'record_key'],
  });
  const changes =
    committed && (table.rows > 0 || committed.hadRows)
      ? await makeChanges(context, {
          table: unit.table,
          before: committed.committed,
          after: `select * from ${readParquet([table.path])}`,
        })
      : undefined;
  const cuts = unit.part === 0 ? cutsSql(context.schema, unit.table, context.record.runId) : undefined;
  const misfits = (table.isRepeated ? numbered : plain).map((each) => each.rejects);
  const rejects = await makeLedgerPart(
    context,
    'rejects',
    [...misfits, cuts].filter((each) => each !== undefined),
  );
  return {
    parts: [table, ...(changes?.part ?? []), ...rejects],
    history: committed?.history ?? [],
    table: unit.table,
    rows: table.rows,
    added: changes?.added ?? 0,
    removed: changes?.removed ?? 0,
    changed: changes?.changed ?? 0,
    rejected: rejects.length === 0 ? 0 : await countRejected(context),
  };
}

const UNION = '\n union all by name ';

async function makeChanges(context: UnitContext, compared: Compared) {
  const part = await makeLedgerPart(context, 'changes', [changesSql(compared, context)]);
  if (part.length === 0) return { part, added: 0, removed: 0, changed: 0 };
  const counts = await context.db.rows(
    `select change, count(distinct (export_source, record_key)) as records from ${MADE}changes group by change`,
  );
  const count = (change: string) => Number(counts.find((row) => row.change === change)?.records ?? 0);
  return { part, added: count('added'), removed: count('removed'), changed: count('changed') };
}

/** The prefix of the tables for a unit's own part of a ledger. */
const MADE = 'made_';

/** How many rows report a value that is not in its cell. Times that were cut to the millisecond do not count. */
async function countRejected({ db }: UnitContext): Promise<number> {
  const [row] = await db.rows(
    `select count(*) as n from ${MADE}rejects where reason <> 'precision' or raw_value is not null`,
  );
  return Number(row?.n ?? 0);
}

/** Makes a unit's part of a table that has only days; none without rows. */
async function makeLedgerPart(
  context: UnitContext,
  table: 'changes' | 'rejects',
  selects: readonly string[],
): Promise<readonly MadePart[]> {
  if (selects.length === 0) return [];
  const made = `${MADE}${table}`;
  const rows = await context.db.run(
    `create or replace temp table ${made} as ${selects.join(' union all by name ')}`,
  );
  if (rows === 0) return [];
  const part = await makeTable({
    context,
    table,
    // Part 0 holds what earlier runs of the date committed.
    part: context.unit + 1,
    rows: `select * from ${made}`,
  });
  return [part];
}
