import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { statusOf } from '#cli/status.ts';
import { readHead } from '#lib/lake/head.ts';
import { openTables } from '#lib/views/open-tables.ts';
import { SIGNAGE, signageLab } from '../support/fixture-lab.ts';

const PLAYERS = { [`${SIGNAGE}/Players`]: { body: '[{"Id":1}]' } };
const [FIRST, SECOND] = ['2026-11-20T03:00:00Z', '2026-11-21T03:00:00Z'] as const;
const RAW = 'raw answers of run 20261120T030000Z';
const TABLES = 'files of tables of run 20261120T030000Z';

it.each([
  ['raw answers and tables', [], `has ${RAW} and ${TABLES}, but`],
  ['raw answers alone', ['tables'], `has ${RAW}, but`],
  ['tables alone', ['raw'], `has ${TABLES}, but`],
])('a lake that has %s and no state begins no new history', async (_, gone, says) => {
  await using lab = await signageLab(PLAYERS);
  await lab.run(FIRST);
  const folder = (name: string) => join(lab.lake.name, name);
  const away = ['state', ...gone];
  for (const name of away) await rename(folder(name), folder(`${name}-away`));
  const refusal = { code: 'STATE_LOST', message: expect.stringContaining(says) };
  await expect(lab.run(SECOND)).rejects.toMatchObject(refusal);
  await expect(statusOf(lab.lake.name, lab.config)).rejects.toMatchObject(refusal);
  await expect(openTables(lab.lake)).rejects.toMatchObject(refusal);
  // Whoever looked may have left a lock.
  await rm(folder('state'), { recursive: true, force: true });
  for (const name of away) await rename(folder(`${name}-away`), folder(name));
  await lab.run(SECOND);
  expect((await readHead(lab.lake))?.head.runId).toBe('20261121T030000Z');
});

it('a lake whose first run was killed, and a folder with files of others, begin', async () => {
  await using lab = await signageLab(PLAYERS);
  await lab.lake.write('raw/notes.txt', Buffer.from('mine'));
  await lab.lake.write('tables/screens/export_date=2020-01-01/mine.parquet', Buffer.from('mine'));
  await lab.run(FIRST);
  const heads = ['state/head.json', 'state/next-head.json', 'state/runs/20261120T030000Z/head.json'];
  await lab.lake.remove(heads);
  await expect(lab.run(FIRST)).rejects.toMatchObject({
    code: 'STATE_LOST',
    message: expect.stringContaining('has a copy of the state of its last commit, but'),
  });
  await lab.lake.remove(['state-copy/state.json.gz']);
  await lab.run(FIRST);
  expect((await readHead(lab.lake))?.head.runId).toBe('20261120T030000Z');
});
