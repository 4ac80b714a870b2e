import { randomUUID } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { lakeKey, lakePrefix } from '../../lake/keys.ts';
import type { Lake } from '../../lake/lake.ts';
import { removeAll } from '../../lake/remove-all.ts';
import { quoteLiteral, readParquet } from '../../sql.ts';
import type { Tables } from '../../views/open-tables.ts';
import { copyTo, DAY_FIGURES, type FigureFile, inDays } from './day-figures.ts';

/** Columns of a stored file: what the figures of the row's day are made from, and which store wrote the file. */
const STAMP = 'made_from';
const STORE = 'stored_by';

interface StoreOptions {
  readonly lake: Lake;
  /** By day: what its figures are made from. */
  readonly stamps: ReadonlyMap<string, string>;
  /** A folder that DuckDB may use. */
  readonly folder: string;
}

/** Stores the figures that stand for these views, each day with its stamp. */
export async function storeFigures(
  tables: Tables,
  { lake, stamps, folder }: StoreOptions,
  names: ReadonlySet<string>,
): Promise<void> {
  const values = [...stamps].map(([day, stamp]) => `(${quoteLiteral(day)}, ${quoteLiteral(stamp)})`);
  const store = quoteLiteral(randomUUID());
  const path = join(folder, 'to-store.parquet');
  for (const { name } of DAY_FIGURES.filter((figure) => names.has(figure.name))) {
    const sql = `select ${name}.*, ${STAMP}, ${store} as ${STORE}
      from ${name}
      join (values ${values.join(', ')}) as stamps (export_date, ${STAMP}) using (export_date)`;
    await copyTo(tables, { path, sql });
    await lake.write(lakeKey('figures', { table: name }), await readFile(path));
  }
}

/** Removes all stored figures. */
export async function removeFigures(lake: Lake): Promise<void> {
  await removeAll(lake, lakePrefix('figures', {}));
}

/**
 * The stored figures of the days with these stamps. Two reports at once, a kill and damage leave files of several
 * stores, or one that DuckDB cannot read: then none counts.
 */
export async function storedFigures(
  tables: Tables,
  { lake, stamps, folder }: StoreOptions,
  names: ReadonlySet<string>,
): Promise<readonly FigureFile[]> {
  const found: { readonly name: string; readonly path: string }[] = [];
  for (const { name } of DAY_FIGURES.filter((figure) => names.has(figure.name))) {
    const stored = await lake.read(lakeKey('figures', { table: name }));
    if (stored === undefined) return [];
    const path = join(folder, `from-store-${name}.parquet`);
    await writeFile(path, stored.bytes);
    found.push({ name, path });
  }
  try {
    const days = await daysOfOneStore(tables, { found, stamps });
    const files: FigureFile[] = [];
    for (const { name, path } of found) {
      const own = join(folder, `stored-${name}.parquet`);
      const sql = `select * exclude (${STAMP}, ${STORE}) from ${readParquet([path])} where ${inDays(days)}`;
      await copyTo(tables, { path: own, sql });
      files.push({ name, path: own, days });
    }
    return days.length === 0 ? [] : files;
  } catch {
    return [];
  }
}

/** The days with their stamps, as the first figure has them; none if the files are of several stores. */
async function daysOfOneStore(
  tables: Tables,
  {
    found,
    stamps,
  }: {
    readonly found: readonly { readonly name: string; readonly path: string }[];
    readonly stamps: ReadonlyMap<string, string>;
  },
): Promise<readonly string[]> {
  const stores = new Set<unknown>();
  for (const { path } of found) {
    const { rows } = await tables.query(
      `-- grain: a store\n select distinct ${STORE} from ${readParquet([path])}`,
    );
    for (const [store] of rows) stores.add(store);
  }
  const first = found.find(({ name }) => name === 'daily_trend');
  if (stores.size !== 1 || first === undefined) return [];
  const { rows } = await tables.query(
    `-- grain: a day and a stamp\n select distinct export_date, ${STAMP} from ${readParquet([first.path])}`,
  );
  return rows.flatMap(([day, stamp]) => (stamps.get(String(day)) === stamp ? [String(day)] : []));
}
