import type { Head } from '../lake/head.ts';
import type { QueryResult } from '../runtime/duckdb.ts';
import { quoteLiteral } from '../sql.ts';

/** `= (select max(export_date) from screens_daily)`, in any case. */
const EDGE = /([=<>]\s*)\(\s*select\s+(max|min)\s*\(\s*export_date\s*\)\s+from\s+(\w+)\s*\)/gi;

/** `export_date >= date '2026-11-20'`, and the same with a cast of the column. */
const COMPARED =
  /(?:cast\s*\(\s*((?:\w+\.)?export_date)\s+as\s+date\s*\)|\b((?:\w+\.)?export_date)(?:\s*::\s*date)?)\s*(=|<>|!=|<=|>=|<|>)\s*date\s*'(\d{4}-\d\d-\d\d)'/gi;
const BETWEEN =
  /(?:cast\s*\(\s*((?:\w+\.)?export_date)\s+as\s+date\s*\)|\b((?:\w+\.)?export_date)(?:\s*::\s*date)?)\s+between\s+date\s*'(\d{4}-\d\d-\d\d)'\s+and\s+date\s*'(\d{4}-\d\d-\d\d)'/gi;
/** `screens_daily as (`, which makes it a name of the query's own. */
const NAMED = /\b(\w+)\s*(?:\([^()]*\)\s*)?\bas\s*(?:not\s+)?(?:materialized\s*)?\(/gi;

/**
 * A query with the days that it compares as text, as in the column. DuckDB skips no day if one of the two has
 * a cast, because a cast may fail.
 */
function withDatesAsText(sql: string): string {
  return sql
    .replace(COMPARED, (text, cast, plain, operator, date, index: number, whole: string) =>
      isWord(whole, index) ? `${cast ?? plain} ${operator} '${date}'` : text,
    )
    .replace(BETWEEN, (text, cast, plain, from, to, index: number, whole: string) =>
      isWord(whole, index) ? `${cast ?? plain} between '${from}' and '${to}'` : text,
    );
}

/**
 * A query with the last or first date of a table as text, if a condition's subquery selects it. DuckDB would
 * open every day to answer that. The days are read from that end on, until one has a row.
 */
export async function withKnownDates(
  asked: string,
  { head, ask }: { readonly head: Head; readonly ask: (sql: string) => Promise<QueryResult> },
): Promise<string> {
  const sql = withDatesAsText(asked);
  let known = '';
  let read = 0;
  for (const found of sql.matchAll(EDGE)) {
    const [text, before = '', edge = '', name = ''] = found;
    const date = isTable(sql, found.index, name) ? await edgeOf({ head, ask, edge, name }) : undefined;
    known += sql.slice(read, found.index) + (date === undefined ? text : `${before}${quoteLiteral(date)}`);
    read = found.index + text.length;
  }
  return known + sql.slice(read);
}

/** False if it may be within a text or a comment, or if the query itself defines the name. */
function isTable(sql: string, index: number, name: string): boolean {
  const named = [...sql.matchAll(NAMED)].map(([, given = '']) => given.toLowerCase());
  return isWord(sql, index) && !named.includes(name.toLowerCase());
}

/** False if it may be within a text or a comment. */
function isWord(sql: string, index: number): boolean {
  const before = sql.slice(0, index);
  return before.split("'").length % 2 === 1 && !/--|\/\*|"|\$/.test(before);
}

interface Edge {
  readonly head: Head;
  readonly ask: (sql: string) => Promise<QueryResult>;
  readonly edge: string;
  readonly name: string;
}

async function edgeOf({ head, ask, edge, name }: Edge): Promise<string | undefined> {
  const table = name.toLowerCase();
  const dates = Object.keys(head.tables[table.replace(/_daily$/, '')]?.dates ?? {}).toSorted();
  try {
    for (const date of edge.toLowerCase() === 'max' ? dates.toReversed() : dates) {
      const { rows } = await ask(`select 1 from ${table} where export_date = ${quoteLiteral(date)} limit 1`);
      if (rows.length > 0) return date;
    }
  } catch {
    // An error must quote the query as it was written.
  }
  return undefined;
}
