import { join } from 'node:path';
import { expect, it } from 'vitest';
import { localServices } from '#cli/local-services.ts';
import { readHead } from '#lib/lake/head.ts';
import { ConditionFailed, type Lake } from '#lib/lake/lake.ts';
import { databaseScript } from '#lib/views/database-script.ts';
import { leaveDatabase } from '#lib/views/leave-database.ts';
import { SIGNAGE, signageLab } from '../support/fixture-lab.ts';
import { stockClient } from '../support/stock-client.ts';

it('the script of views makes what lake.duckdb has: its tables, views, macros and the commit that they are of', async () => {
  await using lab = await signageLab({ [`${SIGNAGE}/Players`]: { body: '[{"Id":1,"Name":"a"}]' } });
  const { runId } = await lab.run('2026-11-20T03:00:00Z');
  await leaveDatabase(localServices(lab.lake));
  const at = join(lab.folder, 'lake');
  const stored = await readHead(lab.lake);
  if (stored === undefined) throw new Error('nothing is committed');
  using client = await stockClient(join(at, 'lake.duckdb'));
  const { rows } = client;
  const made = async (database: string) => [
    ...(await rows(
      `select 'view', view_name from duckdb_views() where database_name = '${database}' and not internal order by all`,
    )),
    ...(await rows(
      `select 'macro', function_name from duckdb_functions() where database_name = '${database}' and not internal and function_name not like 'files of %' order by all`,
    )),
  ];
  await client.run('use memory');
  await client.run(await databaseScript(lab.lake, { head: stored.head, at }));
  const scripted = await made('memory');
  expect(scripted.length).toBeGreaterThan(20);
  expect(scripted).toEqual(await made('lake'));
  expect(await rows('select run_id, attempt::int from memory.lake_commit')).toEqual([[runId, 1]]);
  expect(await rows('select player_id, name from memory.players')).toEqual([['1', 'a']]);
});

it('a process that was paused while it made lake.duckdb puts no older one over that of a later commit', async () => {
  await using lab = await signageLab({ [`${SIGNAGE}/Players`]: { body: '[{"Id":1}]' } });
  await lab.run('2026-11-20T03:00:00Z');
  await leaveDatabase(localServices(lab.lake));
  let isPaused = false;
  const slow: Lake = {
    ...lab.lake,
    moveIn: async (key, path, condition) => {
      if (!isPaused) {
        isPaused = true;
        await lab.run('2026-11-21T03:00:00Z');
        await leaveDatabase(localServices(lab.lake));
      }
      await lab.lake.moveIn(key, path, condition);
    },
  };
  await leaveDatabase(localServices(slow));
  expect(isPaused).toBe(true);
  using client = await stockClient(join(lab.lake.name, 'lake.duckdb'));
  expect(await client.rows('select run_id from lake_commit')).toEqual([['20261121T030000Z']]);
});

it('a file that another process writes again and again ends the tries in a sentence', async () => {
  await using lab = await signageLab({ [`${SIGNAGE}/Players`]: { body: '[{"Id":1}]' } });
  await lab.run('2026-11-20T03:00:00Z');
  const busy: Lake = { ...lab.lake, moveIn: async (key) => Promise.reject(new ConditionFailed(key)) };
  await expect(leaveDatabase(localServices(busy))).rejects.toMatchObject({ code: 'LAKE_BUSY' });
});
