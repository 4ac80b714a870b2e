import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { tablesPage } from '../../scripts/tables-page.ts';

it('docs/tables.md says what an export of the reference profile has; `npm run docs` writes it anew', async () => {
  expect(await readFile('docs/tables.md', 'utf8')).toBe(await tablesPage());
});
