import type { Lake } from '#lib/lake/lake.ts';
import { slicesOf } from '#lib/run/answers.ts';
import type { ExecutionInput } from '#lib/run/payloads.ts';
import { type RawOfResource, rawOfRun } from '#lib/run/raw-of-run.ts';
import type { DuckDb } from '#lib/runtime/duckdb.ts';
import { leafColumn, leavesSql } from '#lib/schema/leaves.ts';
import type { Schema } from '#lib/schema/schema.ts';
import type { ResourceName } from '#lib/sources/resources.ts';
import { quoteLiteral } from '#lib/sql.ts';

/** A column whose values are lists of records. */
export interface NestedLists {
  readonly source: string;
  readonly resource: ResourceName;
  readonly column: string;
  /** True if the records are like the one that they are in: a tree, such as groups in a group. */
  readonly areAlike: boolean;
  readonly lists: number;
  /** Records in the lists, without those of lists further down. */
  readonly records: number;
}

export interface NestedListsOptions {
  /** Has the table `outcomes` of the run. */
  readonly db: DuckDb;
  readonly lake: Lake;
  readonly input: ExecutionInput;
  readonly schema: Schema;
}

/** The columns of a run whose values are lists of records, which do not become rows. */
export async function nestedLists({
  db,
  lake,
  input,
  schema,
}: NestedListsOptions): Promise<readonly NestedLists[]> {
  const found: NestedLists[] = [];
  for (const raw of await rawOfRun(lake, input.runId, input.sources))
    found.push(...(await listsIn(db, { raw, schema })));
  return found;
}

async function listsIn(
  db: DuckDb,
  { raw, schema }: { readonly raw: RawOfResource; readonly schema: Schema },
): Promise<readonly NestedLists[]> {
  const { source, resource } = raw;
  const own = (schema.tables[resource]?.columns ?? []).flatMap(({ name, type, paths }) =>
    paths.flatMap(({ source: of, path }) => (of === source ? [{ name, type, path }] : [])),
  );
  const texts = own.filter(({ type, path }) => type === 'varchar' && path.length === 1);
  if (texts.length === 0) return [];
  const fields = `[${own.map(({ path }) => quoteLiteral(path[0] ?? '')).join(', ')}]`;
  const counts = texts.map((_, index) => {
    const leaf = leafColumn(index);
    const keys = `json_keys(json_extract(${leaf}, '$[0]'))`;
    const isList = `starts_with(${leaf}, '[') and len(${keys}) > 0`;
    const isAlike = `len(list_intersect(${keys}, ${fields})) * 2 > len(${keys})`;
    return `
      count(*) filter (${isList}) as lists${index},
      sum(json_array_length(${leaf})) filter (${isList}) as records${index},
      count(*) filter (${isList} and ${isAlike}) as alike${index}`;
  });
  const leaves = leavesSql(
    await slicesOf(db, raw),
    texts.map(({ path }) => path),
  );
  const [row] = await db.rows(`select count(*) as rows, ${counts.join(', ')} from (${leaves})`);
  return (
    texts
      .map(({ name: column }, index) => ({
        source,
        resource,
        column,
        areAlike: 2 * Number(row?.[`alike${index}`] ?? 0) > Number(row?.[`lists${index}`] ?? 0),
        lists: Number(row?.[`lists${index}`] ?? 0),
        records: Number(row?.[`records${index}`] ?? 0),
      }))
      // Lists as short as the tags of a record are not worth a note.
      .filter(({ lists, areAlike, records }) => lists > 0 && (areAlike || records > Number(row?.rows ?? 0)))
  );
}
