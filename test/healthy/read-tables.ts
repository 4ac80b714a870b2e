import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { rowsOf } from '../support/files-of-head.ts';
import type { Table } from './truth.ts';

export type Row = Readonly<Record<string, unknown>>;

/** What the head says of a table, as its file has it. */
interface TableHead {
  readonly newest: { readonly date: string; readonly run: string; readonly parts: readonly number[] };
  readonly dates: Readonly<Record<string, { readonly run: string; readonly parts: readonly number[] }>>;
}

/** The committed tables of a folder. A reader that is not ours reads the files that the head names. */
export interface Committed {
  /** The newest rows; none where the table has none yet. */
  newest(table: Table | 'outcomes'): Promise<readonly Row[]>;
  /** Those that `_daily` shows of a date. */
  daily(table: Table, date: string): Promise<readonly Row[]>;
}

/** What is committed in that folder now. Days of closed months are not looked for: a life has none. */
export async function committedIn(folder: string): Promise<Committed> {
  const text = await readFile(join(folder, 'state/head.json'), 'utf8').catch(() => '{"tables":{}}');
  const { tables } = JSON.parse(text) as { readonly tables: Readonly<Record<string, TableHead>> };
  const read = (table: Table | 'outcomes', date: string, run: string, parts: readonly number[]) => {
    const at = join(folder, 'tables', table, `export_date=${date}`, `run=${run}`);
    return rowsOf(parts.map((part) => join(at, `part-${String(part).padStart(4, '0')}.parquet`)));
  };
  return {
    newest: async (table) => {
      const newest = tables[table]?.newest;
      return newest === undefined ? [] : await read(table, newest.date, newest.run, newest.parts);
    },
    daily: async (table, date) => {
      const files = tables[table]?.dates[date];
      return files === undefined ? [] : await read(table, date, files.run, files.parts);
    },
  };
}
