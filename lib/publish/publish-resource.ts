import { duckdbType } from '../column-types.ts';
import { resourceNamed } from '../resources.ts';
import type { PublishedUnit, ResourceUnit } from '../run/unit.ts';
import { fileColumns } from '../schema/schema.ts';
import { tableForm } from '../schema/tables.ts';
import { readParquet } from '../sql.ts';
import { changesSql } from './changes-sql.ts';
import { answersOf, type Collected, collectedOf } from './collected.ts';
import { committedSql } from './committed-sql.ts';
import type { Bench } from './publish.ts';
import { type PutPart, putTable } from './put-table.ts';
import { cutsSql } from './rejects-sql.ts';

/** Writes a resource's table as of this run, what changed against the committed one, and what did not fit its column. */
export async function publishResource(unit: ResourceUnit, bench: Bench): Promise<PublishedUnit> {
  const columns = fileColumns(bench.schema, unit.table);
  const committed = await committedSql(unit, bench);
  const answers = await answersOf(unit, bench);
  const plain = collectedOf(unit, answers, { ...bench, isNumbered: false });
  const numbered = collectedOf(unit, answers, { ...bench, isNumbered: true });
  const none = `select ${columns.map(({ name, type }) => `null::${duckdbType(type)} as "${name}"`).join(', ')} where false`;
  const rowsOf = (collected: readonly Collected[]) =>
    [none, ...collected.map(({ rows }) => rows), ...(committed ? [committed.carried] : [])].join(
      '\n union all by name ',
    );
  const table = await putTable({
    bench,
    table: unit.table,
    part: unit.part,
    columns,
    rows: rowsOf(plain),
    rowsIfRepeated: rowsOf(numbered),
    orderBy: isOfOneSource(unit, bench) ? ['record_key'] : ['export_source', 'record_key'],
  });
  const changes =
    committed && (await putChanges({ unit, bench, committed: committed.committed, path: table.path }));
  const cuts = unit.part === 0 ? cutsSql(bench.schema, unit.table, bench.record.runId) : undefined;
  const misfits = (table.isRepeated ? numbered : plain).map((each) => each.rejects);
  const rejects = await putLedgerPart(
    bench,
    'rejects',
    [...misfits, cuts].filter((each) => each !== undefined),
  );
  const parts = [table, ...(changes?.part ?? []), ...rejects].map(
    ({ path: _, isRepeated: __, ...part }) => part,
  );
  return {
    parts,
    table: unit.table,
    rows: table.rows,
    added: changes?.added ?? 0,
    removed: changes?.removed ?? 0,
    changed: changes?.changed ?? 0,
    rejected: rejects[0]?.rows ?? 0,
  };
}

/** Then its name, in front of each key by which rows are sorted, takes an eighth of what publishing them takes. */
function isOfOneSource({ table }: ResourceUnit, { record }: Bench): boolean {
  const { kind } = resourceNamed(table);
  return record.config.sources.filter((source) => source.kind === kind).length === 1;
}

interface ChangesPut {
  readonly part: readonly PutPart[];
  /** Records. */
  readonly added: number;
  readonly removed: number;
  readonly changed: number;
}

async function putChanges(options: {
  readonly unit: ResourceUnit;
  readonly bench: Bench;
  readonly committed: string;
  readonly path: string;
}): Promise<ChangesPut> {
  const { unit, bench } = options;
  const { db, record } = bench;
  const own = fileColumns(bench.schema, unit.table).slice(tableForm(unit.table).columns.length);
  await db.run(`create temp view old_rows as ${options.committed}`);
  await db.run(`create temp view new_rows as select * from ${readParquet([options.path])}`);
  const sql = changesSql({
    runId: record.runId,
    scheduledAt: record.scheduledAt,
    resource: resourceNamed(unit.table),
    columns: own,
    sources: record.config.sources.map(({ name }) => name),
  });
  const part = await putLedgerPart(bench, 'changes', [sql]);
  const [changes] = part;
  if (changes === undefined) return { part, added: 0, removed: 0, changed: 0 };
  const counts = await db.rows(
    `select change, count(distinct (export_source, record_key)) as records from ${readParquet([changes.path])} group by change`,
  );
  const count = (change: string) => Number(counts.find((row) => row.change === change)?.records ?? 0);
  return { part, added: count('added'), removed: count('removed'), changed: count('changed') };
}

/** A unit's own part of a table that only has days; none where it has no rows. */
async function putLedgerPart(
  bench: Bench,
  table: 'changes' | 'rejects',
  selects: readonly string[],
): Promise<readonly PutPart[]> {
  if (selects.length === 0) return [];
  const { columns } = tableForm(table);
  const made = `made_${table}`;
  await bench.db.run(`create temp table ${made} as ${selects.join(' union all by name ')}`);
  const [any] = await bench.db.rows(`select count(*) as rows from ${made}`);
  if (Number(any?.rows ?? 0) === 0) return [];
  const put = await putTable({
    bench,
    table,
    // Part 0 holds what earlier runs of the date committed.
    part: bench.unit + 1,
    columns,
    rows: `select * from ${made}`,
    orderBy: columns.map(({ name }) => name),
  });
  return [put];
}
