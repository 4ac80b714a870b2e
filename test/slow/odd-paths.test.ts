import { cp, mkdir, rename, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { localServices } from '#cli/local-services.ts';
import { folderLake } from '#lib/lake/folder/folder-lake.ts';
import type { Lake } from '#lib/lake/lake.ts';
import { leaveDatabase } from '#lib/views/leave-database.ts';
import { openTables } from '#lib/views/open-tables.ts';
import { type ExportLab, exportLab, SIGNAGE_ALONE } from '../support/export-lab.ts';
import { temporaryFolder } from '../support/lake-children.ts';
import { tablesAsText, VARYING } from '../support/same-tables.ts';
import { stockClient } from '../support/stock-client.ts';

const WORDS = ['é', 'e\u0301', 'ß', '語', '\u202e', '\u200b', '🙂', '%2F', '--', '$' + '{x}', "'';", '.'];
const SIGNS = [...' \t\n\r\'"`\\#%&;:|<>(){}]!$^~,=+@', ...WORDS];
/** A run takes half a second, so signs share a name. */
const NAMES = [0, 1].map((part) => SIGNS.filter((_, index) => index % 2 === part).join('x'));
const PATTERNS = ['*', '['];

let lab: ExportLab;
beforeAll(async () => {
  lab = await exportLab({ players: 4 }, SIGNAGE_ALONE);
  await lab.run('2026-11-20T03:00:00Z');
});
afterAll(() => lab[Symbol.asyncDispose]());

async function playersIn(lake: Lake): Promise<readonly (readonly unknown[])[]> {
  const sql = 'select count(*) as n from players';
  using tables = await openTables(lake, { sql });
  return (await tables.query(sql)).rows;
}

describe('a lake whose path has odd signs', () => {
  it.each(NAMES.map((name) => [JSON.stringify(name), name]))('is a lake: %s', async (_, name) => {
    const path = join(lab.folder, name, 'lake');
    const lake = folderLake(path);
    const summary = await lab.run('2026-11-20T03:00:00Z', { lake });
    await leaveDatabase(localServices(lake));
    expect(summary.sources.map(({ outcomes }) => outcomes.failed)).toEqual([0]);
    expect(await playersIn(lake)).toEqual([[4]]);
    // What a BI tool opens.
    using client = await stockClient(join(path, 'lake.duckdb'));
    expect(await client.rows('select count(*)::int from players')).toEqual([[4]]);
  });

  it.each(PATTERNS)('is refused in a sentence where DuckDB sees a pattern: %s', (sign) => {
    const refused = { code: 'LAKE_NOT_WRITABLE', message: expect.stringContaining('without * ? [') };
    const open = () => folderLake(join(lab.folder, `a${sign}b`, 'lake'));
    expect(open).toThrow(expect.objectContaining(refused));
  });
});

describe('a link', () => {
  it('may lead to the lake', async () => {
    await using place = await temporaryFolder();
    const folder = place.path;
    await mkdir(join(folder, 'elsewhere'));
    await symlink(join(folder, 'elsewhere'), join(folder, 'lake'));
    const lake = folderLake(join(folder, 'lake'));
    expect((await lab.run('2026-11-20T03:00:00Z', { lake })).status).not.toBe('failed');
    expect(await playersIn(lake)).toEqual([[4]]);
  });

  it.each(['raw', 'tables/players'])('within the lake is refused in a sentence: %s', async (name) => {
    await using place = await temporaryFolder();
    const folder = place.path;
    const path = join(folder, 'lake');
    // The lab's own lake has a run.
    await cp(lab.lake.name, path, { recursive: true });
    await rename(join(path, name), join(folder, 'elsewhere'));
    await symlink(join(folder, 'elsewhere'), join(path, name));
    const again = async () => await lab.run('2026-11-21T03:00:00Z', { lake: folderLake(path) });
    const message = expect.stringContaining('is a link, but all files of a lake');
    await expect(again()).rejects.toMatchObject({ code: 'LAKE_NOT_WRITABLE', message });
  });
});

/** A column of ours, of the API's, of our files of state and of what DuckDB says of a file; a date, and what is not a number. */
const NAME = [
  'name=foo/is_on=false/player_id=7/export_date=1999-01-01/run=20200101T000000Z.9',
  'export_source=x/outcome=failed/items=x/parent_id=1/body=x/ok=x',
  'filename=x/content=x/size=x/groups=x/key=x/value=x',
].join('/');

/** Two days of the same API, the second with refusals, in a lake below a folder of that name. */
async function exported(from: ExportLab, name: string): Promise<Lake> {
  const lake = folderLake(join(from.folder, name, 'lake'));
  for (const [day, faults] of ['', 'denied:0.3'].entries()) {
    from.simulator.day = day;
    await from.simulator.setFaults(faults);
    await from.run(`2026-11-2${day}T03:00:00Z`, { lake });
  }
  return lake;
}

async function namesOf(lake: Lake): Promise<readonly string[]> {
  using tables = await openTables(lake);
  const sql =
    "select view_name from duckdb_views() where database_name = 'memory' and not internal order by 1";
  return (await tables.query(sql)).rows.map(String);
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

it('folders called as columns change no cell', async () => {
  await using two = await exportLab({ players: 6, seed: 5 });
  const [plain, odd] = [await exported(two, 'plain'), await exported(two, NAME)];
  expect(await tablesAsText(odd)).toEqual(await tablesAsText(plain));
  // Ages in views depend on the time of a run, so views are compared with those of the same files.
  const copy = folderLake(join(two.folder, 'copy'));
  await cp(odd.name, copy.name, { recursive: true });
  for (const lake of [odd, copy]) await leaveDatabase(localServices(lake));
  const names = await namesOf(copy);
  expect(names.length).toBeGreaterThan(30);
  const wanted = await tablesAsText(copy, names);
  expect(await tablesAsText(odd, names)).toEqual(wanted);
  expect(Object.values(wanted).flat().length).toBeGreaterThan(100);
  expect(await readByClient(odd, names)).toEqual(await readByClient(copy, names));
});
