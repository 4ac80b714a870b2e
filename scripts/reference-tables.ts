import { openTables, type Tables } from '#lib/views/open-tables.ts';
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
