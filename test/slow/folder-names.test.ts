import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { localServices } from '#cli/local-services.ts';
import { folderLake } from '#lib/lake/folder/folder-lake.ts';
import type { Lake } from '#lib/lake/lake.ts';
import { leaveDatabase } from '#lib/views/leave-database.ts';
import { openTables } from '#lib/views/open-tables.ts';
import { contentHash } from '../support/content-hash.ts';
import { type ExportLab, exportLab } from '../support/export-lab.ts';
import { tablesAsText, VARYING } from '../support/same-tables.ts';
import { stockClient } from '../support/stock-client.ts';

/** A column of ours, of the API's, of our files of state and of what DuckDB says of a file; a date, and what is not a number. */
const NAME = [
  'name=foo/is_on=false/player_id=7/export_date=1999-01-01/run=20200101T000000Z.9',
  'export_source=x/outcome=failed/items=x/parent_id=1/body=x/ok=x',
  'filename=x/content=x/size=x/groups=x/key=x/value=x',
].join('/');

let lab: ExportLab;
let plain: Lake;
beforeAll(async () => {
  lab = await exportLab({ players: 6, seed: 5 });
  plain = await exported('plain');
});
afterAll(() => lab[Symbol.asyncDispose]());

/** Two days of the same API, the second with refusals, in a lake below a folder of that name. */
async function exported(name: string): Promise<Lake> {
  const lake = folderLake(join(lab.folder, name, 'lake'));
  for (const [day, faults] of ['', 'denied:0.3'].entries()) {
    lab.simulator.day = day;
    await lab.simulator.setFaults(faults);
    await lab.run(`2026-11-2${day}T03:00:00Z`, { lake });
  }
  return lake;
}

async function namesOf(lake: Lake): Promise<readonly string[]> {
  using tables = await openTables(lake);
  const { rows } = await tables.query(
    "select view_name from duckdb_views() where database_name = 'memory' and not internal order by 1",
  );
  return rows.map(([name]) => String(name));
}

/** What a client finds in `lake.duckdb` that knows nothing of us. */
async function readByClient(lake: Lake, names: readonly string[]): Promise<Record<string, unknown>> {
  using client = await stockClient(join(lake.name, 'lake.duckdb'));
  const found: Record<string, unknown> = {};
  for (const name of names) {
    const left = `select columns(c -> not list_contains(${`['${VARYING.join("', '")}']`}, c)) from "${name}"`;
    found[name] = await client.rows(`select t::varchar from (${left}) as t order by 1`);
  }
  return found;
}

it('folders called as columns change no cell', { timeout: 60_000 }, async () => {
  const odd = await exported(NAME);
  expect(await contentHash(odd)).toEqual(await contentHash(plain));
  // Ages in views depend on the time of a run, so views are compared with those of the same files.
  const copy = folderLake(join(lab.folder, 'copy'));
  await cp(odd.name, copy.name, { recursive: true });
  for (const lake of [odd, copy]) await leaveDatabase(localServices(lake));
  const names = await namesOf(copy);
  expect(names.length).toBeGreaterThan(30);
  const wanted = await tablesAsText(copy, names);
  expect(await tablesAsText(odd, names)).toEqual(wanted);
  expect(Object.values(wanted).flat().length).toBeGreaterThan(100);
  expect(await readByClient(odd, names)).toEqual(await readByClient(copy, names));
});
