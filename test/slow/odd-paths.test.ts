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
import { stockClient } from '../support/stock-client.ts';

const SIGNS = [
  ...' \t\n\r\'"`\\#%&;:|<>(){}]!$^~,=+@',
  ...['é', 'e\u0301', 'ß', '語', '\u202e', '\u200b', '🙂', '%2F', '--', '$' + '{x}', "'';", '.'],
];
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
    expect(() => folderLake(join(lab.folder, `a${sign}b`, 'lake'))).toThrow(
      expect.objectContaining({
        code: 'LAKE_NOT_WRITABLE',
        message: expect.stringContaining('without * ? [ by --lake'),
      }),
    );
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
    const refused = {
      code: 'LAKE_NOT_WRITABLE',
      message: expect.stringContaining('is a link, but all files of a lake'),
    };
    await expect(again()).rejects.toMatchObject(refused);
  });
});
