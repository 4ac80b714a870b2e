import { expect, it } from 'vitest';
import { signageViewLab } from '../queries/view-lab.ts';
import { cliHere } from './support.ts';

const ENDLESS = 'select count(*) from range(10000000) a, range(10000000) b where hash(a.range, b.range) = 1';

it('a query ends at its time limit, with what to do, and others are not hurt by it', async () => {
  await using lab = await signageViewLab();
  await lab.run('2026-11-20T03:00:00Z', { players: [{ Id: 1 }] });
  const query = (sql: string, ...more: string[]) => cliHere('query', sql, '--lake', lab.lake.name, ...more);
  const stopped = await query(ENDLESS, '--timeout', '1');
  expect(stopped).toEqual({
    status: 1,
    stdout: '',
    stderr: expect.stringMatching(/^QUERY_STOPPED: .*after 1 s.*WHERE on export_date.*--timeout SECONDS/),
  });
  expect((await query('players', '--timeout', '60', '--json')).status).toBe(0);
});

it.each(['0', '-1', 'ten', '1.5'])('--timeout %s is refused', async (given) => {
  expect(await cliHere('query', 'players', '--timeout', given)).toMatchObject({
    status: 2,
    stderr: expect.stringContaining('a whole number from 1'),
  });
});
