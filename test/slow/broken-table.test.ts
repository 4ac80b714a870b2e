import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { LOCAL_HOLDER } from '#cli/local-holder.ts';
import { localServices } from '#cli/local-services.ts';
import { readHead } from '#lib/lake/head.ts';
import type { Lake } from '#lib/lake/lake.ts';
import { tableKeys } from '#lib/lake/named-files.ts';
import { rebuild } from '#lib/repair/rebuild.ts';
import { cliHere } from '../cli/support.ts';
import { type ViewLab, viewLab } from '../queries/view-lab.ts';
import { labConfig } from '../support/export-lab.ts';

async function twoDays(lab: ViewLab): Promise<void> {
  const day = {
    players: [{ Id: 1, Name: 'P1', LastAccess: '2026-11-20T02:00:00Z' }],
    screens: { 1: [{ Id: 1, IsOn: true, LastUpdate: '2026-11-20T02:00:00Z' }] },
  };
  await lab.run('2026-11-20T03:00:00Z', day);
  await lab.run('2026-11-21T03:00:00Z', day);
}

/** Loses what the newest commit has of a table and gives the path of its first file. */
async function lose(lake: Lake, table: string): Promise<string> {
  const newest = (await readHead(lake))?.head.tables[table]?.newest;
  if (newest === undefined) throw new Error(`no ${table}`);
  const paths = await lake.localPaths(tableKeys(table, newest));
  await Promise.all(paths.map((path) => rm(path)));
  return String(paths[0]);
}

const asked = (lab: ViewLab) => async (args: readonly string[]) => {
  const { stdout, stderr } = await cliHere(...args, '--lake', join(lab.folder, 'lake'));
  return stdout === '' ? stderr : stdout;
};

it('a lost file costs its own table and the views that need it; status names it and the cure', async () => {
  await using lab = await viewLab();
  await twoDays(lab);
  const path = await lose(lab.lake, 'screens');
  const fault = `The file ${path} is damaged or missing. Take an earlier commit with \`rollback RUN_ID\`, or build the tables again with \`rebuild --from 2026-11-21\`.`;

  expect(await lab.rows('select name from players')).toEqual([{ name: 'P1' }]);
  expect(await lab.rows('select distinct coverage from export_health')).toEqual([{ coverage: 1 }]);
  for (const name of ['screens', 'screens_daily', 'screen_status', 'daily_trend'])
    await expect(lab.rows(`select * from ${name}`)).rejects.toThrow(
      expect.objectContaining({ code: 'FILE_CORRUPT', message: fault }),
    );

  const ask = asked(lab);
  expect(await ask(['query', 'SCREENS'])).toBe(`FILE_CORRUPT: ${fault}\n`);
  const status = await ask(['status']);
  expect(status).toContain(`Broken tables; all others answer:\n  screens, screens_daily: ${fault}\n`);
  expect(status).toContain('Fresh as of 2026-11-21 03:00Z');
  expect(status).toContain('screen_status: needs screens (one of its files is damaged or missing)');
  expect(status).toMatch(/\nNext \(until it is done.*\n {2}signage-export rebuild --from 2026-11-21 --lake /);
  expect(JSON.parse(await ask(['status', '--json'])).broken).toEqual([
    { name: 'screens', message: fault, date: '2026-11-21' },
    { name: 'screens_daily', message: fault, date: '2026-11-21' },
  ]);

  const config = labConfig('http://localhost:1');
  await rebuild('2026-11-21', { ...localServices(lab.lake), ...LOCAL_HOLDER, config });
  expect(await lab.rows('select state from screen_status')).toHaveLength(1);
  expect(await ask(['status'])).not.toContain('Broken');
}, 60_000);
