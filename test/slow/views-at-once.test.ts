import { expect, it, vi } from 'vitest';
import { systemScratch } from '#lib/lake/folder/system-scratch.ts';
import { readHead } from '#lib/lake/head.ts';
import { openDuckDb } from '#lib/runtime/duckdb.ts';
import { readSchema, type Schema } from '#lib/schema/schema.ts';
import { createViews, viewStatements } from '#lib/views/create-views.ts';
import { QUERIES } from '#lib/views/queries.ts';
import { tableViews } from '#lib/views/table-views.ts';
import { type FixtureLab, SIGNAGE, signageLab } from '../support/fixture-lab.ts';

const DAYS = {
  '2026-11-20T03:00:00Z': '[{"Id":1,"Name":"a","LastSeen":"2026-11-20T02:00:00Z","run":7}]',
  // A column of times that only the files of this day have.
  '2026-11-21T03:00:00Z':
    '[{"Id":1,"Name":"a","LastSeen":"2026-11-21T02:00:00Z","run":7,"Installed":"2026-01-02T03:04:05Z"}]',
};

async function twoDays(): Promise<FixtureLab> {
  const lab = await signageLab({});
  for (const [time, body] of Object.entries(DAYS)) await lab.run(time, { [`${SIGNAGE}/Players`]: { body } });
  return lab;
}

/** Makes the views of the lab's lake for this schema, and reads each. Returns the number of statements. */
async function made(lab: FixtureLab, changed: (schema: Schema) => Schema) {
  const head = (await readHead(lab.lake))?.head;
  if (head === undefined) throw new Error('nothing is committed');
  const schema = changed(await readSchema(lab.lake, head.schema));
  await using scratch = await systemScratch();
  const folders = [...lab.lake.folders, scratch.path];
  using db = await openDuckDb({ folders, spillTo: scratch.path, memoryLimitMiB: 512, threads: 1 });
  const run = vi.fn(db.run);
  const tables = tableViews(lab.lake, { head, schema });
  const statements = await viewStatements({ tables, queries: QUERIES, schema });
  const { broken } = await createViews({ ...db, run }, statements);
  expect(broken).toEqual(new Map());
  const names = await db.rows('select view_name as name from duckdb_views() where not internal');
  for (const { name } of names) await db.rows(`select * from "${name}"`);
  const [{ type } = {}] = await db.rows('select typeof(last_seen) as type from players');
  return { statements: run.mock.calls.length, views: names.length, type };
}

it('views are made at once over tables without rows, and read those of the files', async () => {
  await using lab = await twoDays();
  const { statements, views, type } = await made(lab, (schema) => schema);
  expect(statements).toBe(2);
  expect(views).toBeGreaterThan(30);
  expect(type).toBe('TIMESTAMP');
});

it('views are made each by itself where the files have another type than the schema', async () => {
  await using lab = await twoDays();
  const { statements, views, type } = await made(lab, (schema) => {
    const { players } = schema.tables;
    if (players === undefined) throw new Error('no players');
    const columns = players.columns.map((column) =>
      column.name === 'last_seen' ? { ...column, type: 'varchar' as const } : column,
    );
    return { ...schema, tables: { ...schema.tables, players: { ...players, columns } } };
  });
  expect(statements).toBeGreaterThan(views);
  expect(type).toBe('TIMESTAMP');
});
