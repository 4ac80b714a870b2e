import { readHead } from '#lib/lake/head.ts';
import type { Lake } from '#lib/lake/lake.ts';
import { TABLES } from '#lib/schema/tables.ts';
import { neededBy } from '#lib/views/needed-by.ts';
import { openTables, type Tables } from '#lib/views/open-tables.ts';
import { QUERIES } from '#lib/views/queries.ts';
import { readViews } from '#lib/views/view-file.ts';

export type CommittedTables = ReturnType<typeof committedTables>;

/** What was opened of a commit: all of its tables, and these views; all of them where none are named. */
interface Opened {
  readonly views?: readonly string[];
  readonly tables: Promise<Tables>;
}

/** So many times the tables of a commit are opened with the views of one query; then with all, which takes as long as two of those. */
const OPENED_FOR_ONE = 2;

/** Queries over what is committed. To open the tables of a commit takes ten times as long as a query. */
export function committedTables(lake: Lake) {
  const opened = new Map<string | undefined, Opened[]>();
  const open = (views: readonly string[] | undefined): Opened => {
    if (views === undefined) return { tables: openTables(lake) };
    return { views, tables: openTables(lake, { sql: [...TABLE_NAMES, ...views].join(' ') }) };
  };
  const query = async (sql: string) => {
    const asked = await viewsIn(sql);
    const etag = (await readHead(lake))?.etag;
    const ofCommit = opened.get(etag) ?? [];
    opened.set(etag, ofCommit);
    let own = ofCommit.find(
      ({ views }) => views === undefined || asked.every((view) => views.includes(view)),
    );
    if (own === undefined) {
      // Of a lake elsewhere files would be fetched as they are read.
      const isForOne = lake.copies === undefined && ofCommit.length < OPENED_FOR_ONE;
      own = open(isForOne ? asked : undefined);
      ofCommit.push(own);
    }
    return await (await own.tables).query(sql);
  };
  return {
    query,
    rows: async (sql: string): Promise<readonly Record<string, unknown>[]> => {
      const { columns, rows } = await query(sql);
      return rows.map((row) => Object.fromEntries(columns.map((name, index) => [name, row[index]])));
    },
    /** The cells of all rows of a query, one after the other. */
    flat: async (sql: string): Promise<readonly unknown[]> => (await query(sql)).rows.flat(),
    [Symbol.asyncDispose]: async () => {
      const all = [...opened.values()].flat().map(({ tables }) => tables);
      for (const each of await Promise.allSettled(all))
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
