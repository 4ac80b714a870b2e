import type { Lake } from '#lib/lake/lake.ts';
import { slicesOf } from '#lib/run/answers.ts';
import type { ExecutionInput } from '#lib/run/payloads.ts';
import { rawOfRun } from '#lib/run/raw-of-run.ts';
import type { DuckDb } from '#lib/runtime/duckdb.ts';
import { cellForm, valueSql } from '#lib/schema/cells/cast-sql.ts';
import { leafColumn, leavesSql } from '#lib/schema/leaves.ts';
import type { Schema, SchemaColumn } from '#lib/schema/schema.ts';
import type { ResourceName } from '#lib/sources/resources.ts';

/** What the values of a source's column are like. */
export interface ColumnFacts {
  readonly source: string;
  readonly resource: ResourceName;
  /** The API's name of it; of what lies in an object, its names with points between. */
  readonly field: string;
  /** Its name in the table, and the one that it would have without `as`. */
  readonly name: string;
  readonly plainName: string;
  readonly type: SchemaColumn['type'];
  /** Records that have a value. */
  readonly filled: number;
  /** Different values. */
  readonly distinct: number;
  /** Its words, the most frequent first, where they are three at most. */
  readonly words: readonly string[];
  /** Of times: milliseconds since 1970 of the middle one. */
  readonly middleTime?: number;
  /** Of numbers: the middle one. */
  readonly middleNumber?: number;
}

export const NUMBERS: readonly SchemaColumn['type'][] = ['bigint', 'decimal(38,9)', 'double'];

/** Where a column has no more different values, they are words that mean something. */
const WORDS_AT_MOST = 3;
/** A longer text is no word. */
const LONGEST_WORD = 40;

export interface ColumnFactsOptions {
  /** Has the table `outcomes` of the run. */
  readonly db: DuckDb;
  readonly lake: Lake;
  readonly input: ExecutionInput;
  readonly schema: Schema;
}

/** The facts of all columns of a run that have values, are shown in clear and hold no JSON. */
export async function columnFacts({
  db,
  lake,
  input,
  schema,
}: ColumnFactsOptions): Promise<readonly ColumnFacts[]> {
  const facts: ColumnFacts[] = [];
  for (const raw of await rawOfRun(lake, input.runId, input.sources)) {
    const { source, resource } = raw;
    const own = (schema.tables[resource]?.columns ?? []).flatMap((column) =>
      column.provisional || column.masked.includes(source)
        ? []
        : column.paths.flatMap(({ source: of, path, plainName, isDropped }) =>
            of === source && !isDropped ? [{ column, path, plainName: plainName ?? column.name }] : [],
          ),
    );
    if (own.length === 0) continue;
    const paths = own.map(({ path }) => path);
    const leaves = leavesSql(await slicesOf(db, raw), paths);
    const counts = own.map(({ column }, index) => {
      const leaf = leafColumn(index);
      const time =
        column.type === 'timestamp'
          ? `median(epoch_ms(${valueSql(cellForm(column, source), leaf)}))`
          : 'null';
      return `
        count(${leaf}) as filled${index},
        count(distinct ${leaf}) as distinct${index},
        coalesce(bool_or(starts_with(${leaf}, '[') or starts_with(${leaf}, '{')), false) as json${index},
        ${time} as middle${index},
        ${NUMBERS.includes(column.type) ? `median(try_cast(cell_text(${leaf}) as double))` : 'null'} as number${index}`;
    });
    const [row] = await db.rows(`select ${counts.join(', ')} from (${leaves})`);
    for (const [index, { column, path, plainName }] of own.entries()) {
      const [filled, distinct] = [Number(row?.[`filled${index}`]), Number(row?.[`distinct${index}`])];
      if (filled === 0 || row?.[`json${index}`] === true) continue;
      const middle = row?.[`middle${index}`];
      const number = row?.[`number${index}`];
      facts.push({
        source,
        resource,
        field: path.join('.'),
        name: column.name,
        plainName,
        type: column.type,
        filled,
        distinct,
        words: distinct <= WORDS_AT_MOST ? await wordsOf(db, leaves, leafColumn(index)) : [],
        ...(middle != null && { middleTime: Number(middle) }),
        ...(number != null && { middleNumber: Number(number) }),
      });
    }
  }
  return facts;
}

async function wordsOf(db: DuckDb, leaves: string, leaf: string): Promise<readonly string[]> {
  const rows = await db.rows(`
    -- grain: word
    select cell_text(${leaf}) as word
    from (${leaves})
    where ${leaf} is not null
    group by word
    order by count(*) desc, word`);
  const words = rows.map(({ word }) => String(word));
  return words.every((word) => word.length <= LONGEST_WORD) ? words : [];
}
