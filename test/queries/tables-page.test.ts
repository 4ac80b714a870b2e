import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { tablesPage } from '../../scripts/tables-page.ts';

it('docs/tables.md says what an export of the reference profile has', async () => {
  const cure = 'The tables or views are others than docs/tables.md says: `npm run docs` writes it anew.';
  expect(await readFile('docs/tables.md', 'utf8'), cure).toBe(await tablesPage());
});
