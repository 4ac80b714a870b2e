import { openTables } from '#lib/views/open-tables.ts';
import type { Model } from './commands/model.ts';
import type { World } from './world.ts';

/** Views that have a row for each row of a table. */
const ROWS_OF = { player_health: 'players', screen_status: 'screens' } as const;

/** Views that do not answer, or have another number of rows than the table that they show. */
export async function viewFaults(world: World, { runs }: Model): Promise<readonly string[]> {
  const last = runs.at(-1);
  if (last === undefined) return [];
  using tables = await openTables(world.lake);
  const found: string[] = [];
  for (const { name } of tables.views) {
    const { rows } = await tables.query(`select count(*) as rows from "${name}"`);
    const count = Number(rows[0]?.[0]);
    const due = Object.entries(ROWS_OF).find(([view]) => view === name)?.[1];
    if (due !== undefined && count !== last.after[due].size)
      found.push(`${name} has ${count} rows and not ${last.after[due].size}`);
  }
  return found;
}
