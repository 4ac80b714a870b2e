import * as z from 'zod';
import type { Lake } from '#lib/lake/lake.ts';
import { slicesOf } from '#lib/run/answers.ts';
import type { ExecutionInput } from '#lib/run/payloads.ts';
import { rawOfRun } from '#lib/run/raw-of-run.ts';
import type { DuckDb } from '#lib/runtime/duckdb.ts';
import { leafColumn, leavesSql } from '#lib/schema/leaves.ts';
import type { Schema, SchemaColumn } from '#lib/schema/schema.ts';
import type { Note } from '#lib/sources/note.ts';
import type { ResourceName } from '#lib/sources/resources.ts';
import { quoteLiteral } from '#lib/sql.ts';
import { counted } from '#lib/text.ts';

/** What the values of a source's column are like. */
export interface ColumnFacts {
  readonly source: string;
  readonly resource: ResourceName;
  /** The API's names of it, the outermost first. */
  readonly path: readonly string[];
  /** Its name in the table, and the one that it would have without `as`. */
  readonly name: string;
  readonly plainName: string;
  readonly type: SchemaColumn['type'];
  /** It is shown in clear, and has values that are no JSON. */
  readonly isPlain: boolean;
  /** Its different values, where they are three short ones at most. */
  readonly words: readonly string[];
  /** Of a column whose values are lists of records. */
  readonly note: Note | undefined;
}

export const NUMBERS: readonly SchemaColumn['type'][] = ['bigint', 'decimal(38,9)', 'double'];

/** Where a column has no more different values, they are words that mean something; a longer text is no word. */
const WORDS_AT_MOST = 3;
const LONGEST_WORD = 40;

export interface ColumnFactsOptions {
  /** Has the table `outcomes` of the run. */
  readonly db: DuckDb;
  readonly lake: Lake;
  readonly input: ExecutionInput;
  readonly schema: Schema;
}

/** The facts of all columns of a run. */
export async function columnFacts({
  db,
  lake,
  input,
  schema,
}: ColumnFactsOptions): Promise<readonly ColumnFacts[]> {
  const facts: ColumnFacts[] = [];
  for (const raw of await rawOfRun(lake, input.runId, input.sources)) {
    const { source, resource } = raw;
    const own = (schema.tables[resource]?.columns ?? []).flatMap(
      ({ name, type, provisional, masked, paths }) =>
        paths.flatMap(({ source: of, path, plainName = name, isDropped }) =>
          of !== source || isDropped
            ? []
            : [
                {
                  source,
                  resource,
                  path,
                  name,
                  plainName,
                  type,
                  isClear: !provisional && !masked.includes(source),
                },
              ],
        ),
    );
    if (own.length === 0) continue;
    const fields = `[${own.map(({ path }) => quoteLiteral(path[0] ?? '')).join(', ')}]`;
    const asked = own.map((_, index) => askedOf(leafColumn(index), { fields, index }));
    const leaves = leavesSql(
      await slicesOf(db, raw),
      own.map(({ path }) => path),
    );
    const [row = {}] = await db.rows(`select count(*) as rows, ${asked.join(', ')} from (${leaves})`);
    for (const [index, { isClear, ...column }] of own.entries()) {
      const of = (what: string) => row[`${what}${index}`];
      const [lists, records, alike] = ['lists', 'records', 'alike'].map((what) => Number(of(what) ?? 0));
      const note = noteOf(column, { lists, records, alike, rows: Number(row['rows']) });
      facts.push({ ...column, isPlain: isClear && of('json') === false, words: wordsIn(of('words')), note });
    }
  }
  return facts;
}

function askedOf(
  leaf: string,
  { fields, index }: { readonly fields: string; readonly index: number },
): string {
  const keys = `json_keys(json_extract(${leaf}, '$[0]'))`;
  const isList = `starts_with(${leaf}, '[') and len(${keys}) > 0`;
  return `
    bool_or(starts_with(${leaf}, '[') or starts_with(${leaf}, '{')) as json${index},
    case when count(distinct ${leaf}) <= ${WORDS_AT_MOST}
      then cast(to_json(list(distinct cell_text(${leaf})) filter (${leaf} is not null)) as varchar) end as words${index},
    count(*) filter (${isList}) as lists${index},
    sum(json_array_length(${leaf})) filter (${isList}) as records${index},
    count(*) filter (${isList} and len(list_intersect(${keys}, ${fields})) * 2 > len(${keys})) as alike${index}`;
}

function wordsIn(list: unknown): readonly string[] {
  const words = typeof list === 'string' ? z.array(z.string()).parse(JSON.parse(list)) : [];
  return words.every((word) => word.length <= LONGEST_WORD) ? words.toSorted() : [];
}

/** A tree has lists of records like its own. Lists as short as the tags of a record are not worth a note. */
function noteOf(
  { source, resource, name, type, path }: Pick<ColumnFacts, 'source' | 'resource' | 'name' | 'type' | 'path'>,
  {
    lists = 0,
    records = 0,
    alike = 0,
    rows,
  }: { lists?: number | undefined; records?: number | undefined; alike?: number | undefined; rows: number },
): Note | undefined {
  const areAlike = 2 * alike > lists;
  if (type !== 'varchar' || path.length > 1 || lists === 0 || !(areAlike || records > rows)) return undefined;
  const whose = areAlike ? `records like those of ${resource} itself` : 'records of their own';
  const depth = areAlike ? ', and what is below them' : '';
  const says = `${name} holds ${counted(lists, 'list')} of ${whose} (${records} in all${depth}), which become no rows but stay in that column as JSON text: docs/tables.md says how to query it`;
  return { code: 'NESTED_LISTS', source, resource, says };
}
