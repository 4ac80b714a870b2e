import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { addQuery } from '#cli/query.ts';
import { UsageError } from '#lib/errors.ts';
import { signageViewLab, viewLab } from '../queries/view-lab.ts';
import { temporaryFolder } from '../support/lake-children.ts';
import { cli, cliHere } from './support.ts';

const none = (what: string) =>
  new UsageError(
    `${what} holds no query: write one SELECT, or the name of a table or view such as screen_status.`,
    'QUERY_INVALID',
  );

it.each(['', '  \n', ';', ' -- nothing\n', '/* nor\nhere */ ;'])(
  'query %j says that there is no query',
  async (sql) => {
    await expect(cli(addQuery, 'query', sql)).rejects.toThrow(none(JSON.stringify(sql)));
  },
);

it('query says so of a file too', async () => {
  await using place = await temporaryFolder();
  const folder = place.path;
  const file = join(folder, 'empty.sql');
  await writeFile(file, '-- later\n');
  await expect(cli(addQuery, 'query', file)).rejects.toThrow(none(file));
});

it('query says what is wrong in an SQL in the words of DuckDB alone, and which table was meant', async () => {
  await using lab = await viewLab();
  await lab.run('2026-11-21T03:00:00Z', { players: [{ Id: 1, Name: 'P1' }] });
  const query = (sql: string) => cli(addQuery, 'query', sql, '--lake', lab.lake.name);
  await expect(query('selct 1')).rejects.toMatchObject({
    code: 'QUERY_INVALID',
    message: expect.stringMatching(/^Parser Error: syntax error at or near "selct"/),
  });
  await expect(query('playrs')).rejects.toMatchObject({
    code: 'QUERY_INVALID',
    message: 'no table playrs; did you mean players?',
  });
});

const ENDLESS = 'select count(*) from range(10000000) a, range(10000000) b where hash(a.range, b.range) = 1';

it('a query ends at its time limit, with what to do, and others are not hurt by it', async () => {
  await using lab = await signageViewLab();
  await lab.run('2026-11-20T03:00:00Z', { players: [{ Id: 1 }] });
  const query = (sql: string, ...more: string[]) => cliHere('query', sql, '--lake', lab.lake.name, ...more);
  const stopped = await query(ENDLESS, '--timeout', '1');
  const stderr = expect.stringMatching(
    /^QUERY_STOPPED: .*after 1 s.*WHERE on export_date.*--timeout SECONDS/,
  );
  expect(stopped).toEqual({ status: 1, stdout: '', stderr });
  expect((await query('players', '--timeout', '60', '--json')).status).toBe(0);
});

it.each(['0', '-1', 'ten', '1.5'])('--timeout %s is refused', async (given) => {
  expect(await cliHere('query', 'players', '--timeout', given)).toMatchObject({
    status: 2,
    stderr: expect.stringContaining('a whole number from 1'),
  });
});
