import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { decisionFiles, decisionsPage } from '../../scripts/decisions-page.ts';

/** Nobody reads more: an older entry is made shorter, or two topics become one. */
const MOST_PAGES = 32;
const MOST_LINES = 40;

const texts = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  encoding: 'utf8',
})
  .split('\n')
  .filter((file) => file !== '' && file !== 'package-lock.json' && existsSync(file))
  .map((file) => ({ file, text: readFileSync(file, 'utf8') }))
  .filter(({ text }) => !text.includes('\0'));

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

it('every page of docs/decisions that a file names is there', () => {
  const named = texts.flatMap(({ file, text }) => pagesIn(text).map((page) => ({ file, page })));
  expect(named.length).toBeGreaterThan(2);
  expect(named.filter(({ page }) => !existsSync(`docs/decisions/${page}`))).toEqual([]);
});

function pagesIn(text: string): readonly string[] {
  return [...text.matchAll(/\bdecisions\/([a-z0-9][\w.-]*)/gi)].map(([, page = '']) =>
    page.replace(/\.$/, ''),
  );
}
