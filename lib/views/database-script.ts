import type { Head } from '../lake/head.ts';
import type { Lake } from '../lake/lake.ts';
import { readSchema } from '../schema/schema.ts';
import { trimEnd } from '../text.ts';
import { commentStatements } from './comments.ts';
import { createView } from './create-views.ts';
import { viewsOf } from './lake-views.ts';
import { commitOf } from './leave-database.ts';
import { QUERIES, readMacros } from './queries.ts';
import { tableViews } from './table-views.ts';
import { inOrderOfReading, readViews } from './view-file.ts';

/**
 * The SQL that makes an empty DuckDB database the same as that of `makeDatabase`. It opens no file: the
 * database that runs it reads them. `at` is the lake's place for it, such as `s3://bucket/prefix`.
 */
export async function databaseScript(
  lake: Lake,
  { head, at }: { readonly head: Head; readonly at: string },
): Promise<string> {
  const schema = await readSchema(lake, head.schema);
  const root = trimEnd(at, '/');
  const paths = { localPaths: async (keys: readonly string[]) => keys.map((key) => `${root}/${key}`) };
  const files = await readViews(QUERIES);
  const views = viewsOf(files, schema, 'main');
  const statements: string[] = [];
  for (const { name, sql } of tableViews(paths, { head, schema }))
    statements.push(createView(name, await sql()));
  statements.push((await readMacros(QUERIES)).trim().replace(/;$/, ''));
  statements.push(...inOrderOfReading(views).map(({ name, sql }) => createView(name, sql.trim())));
  statements.push(createView('lake_commit', commitOf(head).trim()));
  statements.push(...commentStatements(files, { schema, isThere: () => true }));
  return statements.map((statement) => `${statement};\n`).join('\n');
}
