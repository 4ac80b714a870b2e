import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { withReferenceTables } from '../../scripts/reference-tables.ts';
import { tablesPage } from '../../scripts/tables-page.ts';
import { columnsOfViews, typedColumns } from '../../scripts/view-columns.ts';

it('docs/tables.md and queries/columns.json say what an export of the reference profile has', {
  timeout: 60_000,
}, async () => {
  const cure = (file: string) =>
    `A table or a view is another than ${file} says: \`npm run docs\` writes it again.`;
  await withReferenceTables(async (tables) => {
    expect(await readFile('docs/tables.md', 'utf8'), cure('docs/tables.md')).toBe(await tablesPage(tables));
    expect(await typedColumns(), cure('queries/columns.json')).toEqual(await columnsOfViews(tables));
  });
});
