import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { lakeKey } from '../../lake/keys.ts';
import type { Lake } from '../../lake/lake.ts';
import { quoteLiteral, readParquet } from '../../sql.ts';
import type { Tables } from '../../views/open-tables.ts';
import { copyTo, DAY_FIGURES, type FigureFile, inDays } from './day-figures.ts';

/** The column of a stored file with the stamp of each row's day. */
const STAMP = 'made_from';

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
  const path = join(folder, 'to-store.parquet');
  for (const { name } of DAY_FIGURES.filter((figure) => names.has(figure.name))) {
    const sql = `select ${name}.*, ${STAMP}
      from ${name}
      join (values ${values.join(', ')}) as stamps (export_date, ${STAMP}) using (export_date)`;
    await copyTo(tables, { path, sql });
    await lake.write(lakeKey('figures', { table: name }), await readFile(path));
  }
}

/** The stored figures of the days with these stamps. A file that DuckDB cannot read has none. */
export async function storedFigures(
  tables: Tables,
  { lake, stamps, folder }: StoreOptions,
): Promise<readonly FigureFile[]> {
  const files: FigureFile[] = [];
  for (const { name } of DAY_FIGURES) {
    const stored = await lake.read(lakeKey('figures', { table: name }));
    if (stored === undefined) continue;
    const from = join(folder, 'from-store.parquet');
    await writeFile(from, stored.bytes);
    const days = await daysWithStamps(tables, { path: from, stamps });
    if (days.length === 0) continue;
    const path = join(folder, `stored-${name}.parquet`);
    await copyTo(tables, {
      path,
      sql: `select * exclude (${STAMP}) from ${readParquet([from])} where ${inDays(days)}`,
    });
    files.push({ name, path, days });
  }
  return files;
}

async function daysWithStamps(
  tables: Tables,
  { path, stamps }: { readonly path: string; readonly stamps: ReadonlyMap<string, string> },
): Promise<readonly string[]> {
  try {
    const { rows } = await tables.query(
      `-- grain: a day and a stamp\n select distinct export_date, ${STAMP} from ${readParquet([path])} where ${inDays([...stamps.keys()])}`,
    );
    return rows
      .map((row) => row.map(String))
      .flatMap(([day = '', stamp]) => (stamps.get(day) === stamp ? [day] : []));
  } catch {
    return [];
  }
}
