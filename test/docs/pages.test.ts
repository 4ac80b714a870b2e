import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

/** Nobody finds anything in longer ones. */
const MOST_LINES_OF_A_PAGE = 250;
const MOST_LINES_OF_DOCS = 3500;
const MOST_LINES_OF_CHANGELOG = 120;

const pages = readdirSync('docs', { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.md'))
  .map((file) => ({ file, lines: linesOf(`docs/${file}`) }));

function linesOf(file: string): number {
  return readFileSync(file, 'utf8').trimEnd().split('\n').length;
}

it('no page is long, and neither are all together', () => {
  expect(pages.length).toBeGreaterThan(40);
  expect(pages.filter(({ lines }) => lines > MOST_LINES_OF_A_PAGE)).toEqual([]);
  expect(pages.reduce((sum, { lines }) => sum + lines, 0)).toBeLessThanOrEqual(MOST_LINES_OF_DOCS);
  expect(linesOf('CHANGELOG.md')).toBeLessThanOrEqual(MOST_LINES_OF_CHANGELOG);
});

it('docs/README.md names every page but decisions', () => {
  const index = readFileSync('docs/README.md', 'utf8');
  const named = pages.filter(({ file }) => file !== 'README.md' && !file.startsWith('decisions/'));
  expect(named.filter(({ file }) => !index.includes(`](${file})`))).toEqual([]);
});
