import { openTables, type Tables } from '#lib/views/open-tables.ts';
import { QUERIES } from '#lib/views/queries.ts';
import { readViews } from '#lib/views/view-file.ts';
import { exportLab } from '../test/support/export-lab.ts';

/** Runs a step with the tables and views of an export of the simulator's reference profile. */
export async function withReferenceTables<Result>(
  step: (tables: Tables) => Promise<Result>,
): Promise<Result> {
  await using lab = await exportLab({ players: 120 });
  await lab.run('2026-11-20T03:00:00Z');
  using tables = await openTables(lab.lake);
  return await step(tables);
}

type ViewColumns = Readonly<Record<string, readonly string[]>>;

/** The columns of every view, in the order of its SQL. */
export async function columnsOfViews(tables: Tables): Promise<ViewColumns> {
  const found: Record<string, readonly string[]> = {};
  for (const { name } of tables.views) {
    const { rows } = await tables.query(`select column_name from (describe ${name})`);
    found[name] = rows.map(([column]) => String(column));
  }
  return found;
}

/** The columns of every view as queries/columns.json has them, with the types that the catalog needs. */
export async function typedColumns(): Promise<ViewColumns> {
  const files = await readViews(QUERIES);
  return Object.fromEntries(files.map(({ name, columns }) => [name, Object.keys(columns)]));
}
