import { join } from 'node:path';
import { expect, it } from 'vitest';
import { localServices } from '#cli/local-services.ts';
import type { Lake } from '#lib/lake/lake.ts';
import { ConditionFailed } from '#lib/lake/lake.ts';
import { leaveDatabase } from '#lib/views/leave-database.ts';
import { SIGNAGE, signageLab } from '../support/fixture-lab.ts';
import { stockClient } from '../support/stock-client.ts';

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
