import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { addQuery } from '#cli/query.ts';
import { UsageError } from '#lib/errors.ts';
import { viewLab } from '../queries/view-lab.ts';
import { temporaryFolder } from '../support/lake-children.ts';
import { cli } from './support.ts';

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
