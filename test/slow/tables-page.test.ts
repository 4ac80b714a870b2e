import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { signage } from '#lib/sources/signage.ts';
import ofApiColumns from '../../lib/schema/of-api-columns.json' with { type: 'json' };
import { columnsOfViews, typedColumns, withReferenceTables } from '../../scripts/reference-tables.ts';
import { TABLES_PAGES, tablesPage } from '../../scripts/tables-page.ts';
import { exportLab } from '../support/export-lab.ts';

it('the pages of tables and views and queries/columns.json say what an export of the reference profile has', async () => {
  const cure = (file: string) =>
    `A table or a view is another than ${file} says: \`npm run docs\` writes it again.`;
  await withReferenceTables(async (tables) => {
    for (const name of TABLES_PAGES) {
      const file = `docs/read/${name}`;
      const page = await readFile(file, 'utf8');
      expect(page, cure(file)).toBe(await tablesPage(name, page, tables));
    }
    const columns = Object.entries(ofApiColumns).flatMap(([table, said]) =>
      Object.keys(said).map((name) => ({ table, name })),
    );
    const isKnown = (table: string, wanted: string) =>
      tables.schema.tables[table]?.columns.some(({ name }) => name === wanted);
    expect(columns.filter(({ table, name }) => !isKnown(table, name))).toEqual([]);
    expect(await typedColumns(), cure('queries/columns.json')).toEqual(await columnsOfViews(tables));
  });
});

/** `player_health |o--o{ screen_days : player_key` of the diagram in docs/read/bi.md: what was removed has no partner. */
const RELATION = /^ {2}(\w+) \|[|o]--o\{ (\w+) : (\w+)$/gm;

it('the diagram of docs/read/bi.md joins views by keys of one column, each row of many with one', async () => {
  const relations = [...(await readFile('docs/read/bi.md', 'utf8')).matchAll(RELATION)];
  expect(relations.length).toBeGreaterThan(10);
  // Both fleets have the same ids.
  const { basePath } = signage.defaults;
  const fleets = { berlin: { basePath }, munich: { basePath } };
  await using lab = await exportLab({ players: 12, seed: 3 }, { fleets, config: { groups: ['City'] } });
  // Nobody leaves from one day to the other, so each row has its one.
  for (const date of ['2026-11-20', '2026-11-21']) await lab.run(`${date}T03:00:00Z`);
  for (const [, one, many, key] of relations) {
    const [found] = await lab.rows(`
      select
        (select count(*) - count(distinct ${key}) from ${one}) as repeated,
        (select count(*) from ${many} where ${key} is not null) as rows,
        (select count(*) from ${many} join ${one} using (${key})) as joined`);
    const { rows, joined, repeated } = found ?? {};
    expect([one, many, repeated, joined, Number(rows) > 0]).toEqual([one, many, 0, rows, true]);
  }
});
