import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import ofApiColumns from '../../lib/schema/of-api-columns.json' with { type: 'json' };
import { columnsOfViews, typedColumns, withReferenceTables } from '../../scripts/reference-tables.ts';
import { TABLES_PAGES, tablesPage } from '../../scripts/tables-page.ts';

it('the pages of tables and views and queries/columns.json say what an export of the reference profile has', {
  timeout: 60_000,
}, async () => {
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
    const known = tables.schema.tables;
    expect(
      columns.filter(({ table, name }) => !known[table]?.columns.some((column) => column.name === name)),
    ).toEqual([]);
    expect(await typedColumns(), cure('queries/columns.json')).toEqual(await columnsOfViews(tables));
  });
});
