import { readHead } from '#lib/lake/head.ts';
import type { Lake } from '#lib/lake/lake.ts';
import { TABLES } from '#lib/schema/tables.ts';
import { neededBy } from '#lib/views/needed-by.ts';
import { openTables, type QueryResult, type Tables } from '#lib/views/open-tables.ts';
import { QUERIES } from '#lib/views/queries.ts';
import { readViews } from '#lib/views/view-file.ts';

export interface CommittedTables extends AsyncDisposable {
  query(sql: string): Promise<QueryResult>;
  /** The rows of a query as objects. */
  rows(sql: string): Promise<readonly Record<string, unknown>[]>;
}

/** Queries over what is committed. Tables are opened once a commit, without views until a query names one. */
export function committedTables(lake: Lake): CommittedTables {
  const opened = new Map<string, Promise<Tables>>();
  const query = async (sql: string) => {
    const views = await viewsIn(sql);
    const key = `${(await readHead(lake))?.etag} ${views.join(' ')}`;
    // Files of a lake elsewhere would be fetched as they are read, where a query is named.
    const wanted = lake.copies === undefined ? { sql: [...TABLE_NAMES, ...views].join(' ') } : {};
    const tables = opened.get(key) ?? openTables(lake, wanted);
    opened.set(key, tables);
    return await (await tables).query(sql);
  };
  return {
    query,
    rows: async (sql) => {
      const { columns, rows } = await query(sql);
      return rows.map((row) => Object.fromEntries(columns.map((name, index) => [name, row[index]])));
    },
    [Symbol.asyncDispose]: async () => {
      for (const each of await Promise.allSettled(opened.values()))
        if (each.status === 'fulfilled') each.value[Symbol.dispose]();
    },
  };
}

const TABLE_NAMES = TABLES.flatMap(({ name }) => [name, `${name}_daily`]);

/** The views of queries/ that a query names, in the order of their names. */
async function viewsIn(sql: string): Promise<readonly string[]> {
  const isNeeded = await neededBy(sql, QUERIES);
  return (await readViews(QUERIES)).map(({ name }) => name).filter(isNeeded);
}
