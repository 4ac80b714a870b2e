import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { decisionsPage } from '../../scripts/decisions-page.ts';

it('docs/decisions/README.md lists every decision with its title', async () => {
  const cure = 'The list of decisions is not true: `npm run docs` writes it anew.';
  expect(await readFile('docs/decisions/README.md', 'utf8'), cure).toBe(await decisionsPage());
});
