import * as z from 'zod';
import type { Lake } from '#lib/lake/lake.ts';
import { slicesOf } from '#lib/run/answers.ts';
import type { ExecutionInput } from '#lib/run/payloads.ts';
import { localRaw, storedRaw } from '#lib/run/raw-of-run.ts';
import type { DuckDb, Row } from '#lib/runtime/duckdb.ts';
import { leafColumn, leavesSql } from '#lib/schema/leaves.ts';
import type { Schema, SchemaColumn } from '#lib/schema/schema.ts';
import type { Note } from '#lib/sources/note.ts';
import type { ResourceName } from '#lib/sources/resources.ts';
import { quoteLiteral } from '#lib/sql.ts';
import { counted } from '#lib/text.ts';

export interface ColumnFacts extends Pick<SchemaColumn, 'name' | 'type'> {
  readonly source: string;
  readonly resource: ResourceName;
  /** The API's names of it, the outermost first. */
  readonly path: readonly string[];
  readonly plainName: string;
  /** It is shown in clear, and its values are not JSON. */
  readonly isPlain: boolean;
  /** Its different values, if there are at most three short ones: words with a meaning. */
  readonly words: readonly string[];
  /** Set if its values are lists of records. */
  readonly note: Note | undefined;
}

const WORDS_AT_MOST = 3;
const LONGEST_WORD = 40;
const words = z.array(z.string());

/** The facts of all columns of a run with values. `db` has its table `outcomes`. */
export async function columnFacts(
  db: DuckDb,
  { lake, input, schema }: { readonly lake: Lake; readonly input: ExecutionInput; readonly schema: Schema },
): Promise<readonly ColumnFacts[]> {
  const facts: ColumnFacts[] = [];
  for (const stored of await storedRaw(lake, { runId: input.runId })) {
    const { source, resource } = stored;
    const columns = (schema.tables[resource]?.columns ?? []).flatMap((column) =>
      column.paths
        .filter((each) => each.source === source && !each.isDropped)
        .map(({ path, plainName = column.name }) => ({ ...column, path, plainName })),
    );
    if (columns.length === 0) continue;
    const paths = columns.map(({ path }) => path);
    const raw = await localRaw(lake, stored);
    const fields = new Set(paths.map(([field = '']) => quoteLiteral(field)));
    const rows = await db.rows(factsSql(leavesSql(await slicesOf(db, raw), paths), [...fields]));
    for (const [index, { path, name, plainName, type, provisional, masked }] of columns.entries()) {
      const row = rows.find(({ leaf_of }) => leaf_of === leafColumn(index));
      if (row === undefined) continue;
      const says = type === 'varchar' && path.length === 1 ? nestedText(name, resource, row) : undefined;
      facts.push({
        ...{ source, resource, path, name, plainName, type },
        isPlain: row.json === 0n && !provisional && !masked.includes(source),
        words: words.parse(JSON.parse(String(row.words))),
        note: says === undefined ? undefined : { code: 'NESTED_LISTS', source, resource, says },
      });
    }
  }
  return facts;
}

/** `fields`: the names of the records' members, as SQL. */
function factsSql(leaves: string, fields: readonly string[]): string {
  return `
    -- grain: column with values
    with leaves as (${leaves}),
    cells as (
      select leaf_of, leaf, cell_text(leaf) as word, json_keys(json_extract(leaf, '$[0]')) as keys,
        starts_with(leaf, '[') and len(keys) > 0 as is_list
      from (unpivot leaves on columns('^c\\d+$') into name leaf_of value leaf)
    )
    select
      leaf_of,
      count(*) filter (leaf[1] in ('[', '{')) as json,
      case
        when count(distinct word) <= ${WORDS_AT_MOST} and max(len(word)) <= ${LONGEST_WORD}
          then to_json(list_sort(list(distinct word)))
        else '[]'
      end::varchar as words,
      count(*) filter (is_list) as lists,
      sum(json_array_length(leaf)) filter (is_list) as records,
      count(*) filter (is_list and len(list_intersect(keys, [${fields.join(', ')}])) * 2 > len(keys)) * 2 > lists as are_alike,
      records > (select count(*) from leaves) as are_many
    from cells
    group by leaf_of`;
}

/** A tree has lists of records like its own. Lists as short as the tags of a record are not worth a note. */
function nestedText(column: string, resource: ResourceName, row: Row): string | undefined {
  const isTree = row.are_alike === true;
  if (!isTree && row.are_many !== true) return undefined;
  const whose = isTree ? `records like those of ${resource} itself` : 'records of their own';
  const depth = isTree ? ', and what is below them' : '';
  return `${column} holds ${counted(Number(row.lists), 'list')} of ${whose} (${row.records} in all${depth}), which become no rows but stay in that column as JSON text: docs/read/tables.md says how to query it`;
}
