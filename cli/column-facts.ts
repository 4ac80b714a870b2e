import * as z from 'zod';
import type { Lake } from '#lib/lake/lake.ts';
import { slicesOf } from '#lib/run/answers.ts';
import type { ExecutionInput } from '#lib/run/payloads.ts';
import { localRaw, type StoredRaw, storedRaw } from '#lib/run/raw-of-run.ts';
import type { DuckDb, Row } from '#lib/runtime/duckdb.ts';
import { leafColumn, leavesSql } from '#lib/schema/leaves.ts';
import type { Schema } from '#lib/schema/schema.ts';
import type { ResourceName } from '#lib/sources/resources.ts';
import { quoteLiteral } from '#lib/sql.ts';
import { counted } from '#lib/text.ts';

export type ColumnFacts = Awaited<ReturnType<typeof columnFacts>>[number];

const WORDS_AT_MOST = 3;
const LONGEST_WORD = 40;
const words = z.array(z.string());

/** The facts of all columns of a run with values. `db` has its table `outcomes`. */
export async function columnFacts(
  db: DuckDb,
  { lake, input, schema }: { readonly lake: Lake; readonly input: ExecutionInput; readonly schema: Schema },
) {
  const ofListing = async (stored: StoredRaw) => {
    const { source, resource } = stored;
    const columns = (schema.tables[resource]?.columns ?? []).flatMap((column) =>
      column.paths
        .filter((each) => each.source === source && !each.isDropped)
        .map(({ path, plainName = column.name }) => ({ ...column, path, plainName })),
    );
    if (columns.length === 0) return [];
    const paths = columns.map(({ path }) => path);
    const raw = await localRaw(lake, stored);
    const fields = new Set(paths.map(([field = '']) => quoteLiteral(field)));
    const rows = await db.rows(factsSql(leavesSql(await slicesOf(db, raw), paths), [...fields]));
    return columns.flatMap(({ path, name, plainName, type, provisional, masked }, index) => {
      const row = rows.find(({ leaf_of }) => leaf_of === leafColumn(index));
      if (row === undefined) return [];
      const says = type === 'varchar' && path.length === 1 ? nestedText(name, resource, row) : undefined;
      return {
        /** `path`: the API's names of it, the outermost first. */
        ...{ source, resource, path, name, plainName, type },
        /** It is shown in clear, and its values are not JSON. */
        isPlain: row.json === 0n && !provisional && !masked.includes(source),
        /** Its different values, if there are at most three short ones: words with a meaning. */
        words: words.parse(JSON.parse(String(row.words))),
        /** Set if its values are lists of records. */
        notes: says === undefined ? [] : [{ code: 'NESTED_LISTS' as const, source, resource, says }],
      };
    });
  };
  const found = [];
  for (const stored of await storedRaw(lake, { runId: input.runId })) found.push(await ofListing(stored));
  return found.flat();
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
          then to_json(list_sort(list(distinct word) filter (word is not null)))
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
