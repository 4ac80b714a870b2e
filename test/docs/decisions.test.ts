import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { decisionFiles, decisionsPage } from '../../scripts/decisions-page.ts';

/** Nobody reads more: an older entry is made shorter, or two topics become one. */
const MOST_PAGES = 32;
const MOST_LINES = 40;

it('docs/decisions/README.md lists every page with its title', async () => {
  const cure = 'The list of decisions is not true: `npm run docs` writes it again.';
  expect(readFileSync('docs/decisions/README.md', 'utf8'), cure).toBe(await decisionsPage());
});

it(`docs/decisions has at most ${MOST_PAGES} pages of ${MOST_LINES} lines, each named by its topic`, async () => {
  const files = await decisionFiles();
  expect(files.length).toBeGreaterThan(10);
  expect(files.length).toBeLessThanOrEqual(MOST_PAGES);
  expect(files.filter((file) => !/^[a-z]+(-[a-z]+)*\.md$/.test(file))).toEqual([]);
  const lines = (file: string) => readFileSync(`docs/decisions/${file}`, 'utf8').trimEnd().split('\n').length;
  expect(files.filter((file) => lines(file) > MOST_LINES)).toEqual([]);
});
