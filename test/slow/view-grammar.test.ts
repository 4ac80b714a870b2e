import { build } from 'esbuild';
import { expect, it } from 'vitest';
import { EMPTY_SCHEMA } from '#lib/schema/schema.ts';
import { viewsOf } from '#lib/views/lake-views.ts';
import { QUERIES } from '#lib/views/queries.ts';
import { readViews } from '#lib/views/view-file.ts';
import { someOf } from '../support/some-of.ts';

interface TrinoParser {
  validate(sql: string): readonly { readonly message: string }[];
}

/** The parser is published for bundlers, so it is bundled. */
async function trinoParser(): Promise<TrinoParser> {
  const { outputFiles } = await build({
    stdin: { contents: "export { TrinoSQL } from 'dt-sql-parser';", resolveDir: import.meta.dirname },
    bundle: true,
    platform: 'node',
    format: 'esm',
    write: false,
    logLevel: 'error',
  });
  const code = outputFiles[0]?.text ?? '';
  const { TrinoSQL } = await import(`data:text/javascript;base64,${Buffer.from(code).toString('base64')}`);
  return new TrinoSQL();
}

it('views are read by the grammar of Trino, as they stand and as they are shaped for an API', async () => {
  const parser = await trinoParser();
  const files = await readViews(QUERIES);
  expect(files.length).toBeGreaterThan(8);
  const asks = (sql: string) =>
    parser.validate(`create or replace view v as ${sql}`).map(({ message }) => message);
  for (const { name, sql } of files) expect([name, asks(sql)]).toEqual([name, []]);
  const bare = viewsOf(files, EMPTY_SCHEMA, 'lake');
  for (const { name, sql } of someOf(bare)) expect([name, asks(sql)]).toEqual([name, []]);
  expect(asks('select a from b where')).not.toEqual([]);
});
