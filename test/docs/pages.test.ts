import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { RECOVERY } from '#cli/recovery.ts';
import { COMMANDS_PAGES, commandsPage } from '../../scripts/commands-page.ts';
import { decisionFiles, decisionsPage } from '../../scripts/decisions-page.ts';
import { eventSchemas, eventsPage } from '../../scripts/events-page.ts';
import { recoveryPage } from '../../scripts/recovery-page.ts';

const CURE = '`npm run docs` writes it again';

it.each(COMMANDS_PAGES)('docs/%s says what each command says of itself', async (name) => {
  const page = readFileSync(`docs/${name}`, 'utf8');
  expect(page, CURE).toBe(await commandsPage(name, page));
});

it('docs/run/recovery.md has the ways that run and status print', () => {
  const page = readFileSync('docs/run/recovery.md', 'utf8');
  expect(page, CURE).toBe(recoveryPage(page));
  for (const { seen } of Object.values(RECOVERY)) expect(page).toContain(`\n| ${seen} | `);
});

it.each([
  ['docs/run/events.md', eventsPage],
  ['docs/run/events.schema.json', eventSchemas],
] as const)('%s is as lib/news says', (file, content) => {
  const page = readFileSync(file, 'utf8');
  expect(page, CURE).toBe(content(page));
});

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

/** Nobody reads more: an older entry is made shorter, or two topics become one. */
const MOST_PAGES = 32;
const MOST_LINES = 40;

it('docs/decisions/README.md lists every page with its title', async () => {
  expect(readFileSync('docs/decisions/README.md', 'utf8'), CURE).toBe(await decisionsPage());
});

it(`docs/decisions has at most ${MOST_PAGES} pages of ${MOST_LINES} lines, each named by its topic`, async () => {
  const files = await decisionFiles();
  expect(files.length).toBeGreaterThan(10);
  expect(files.length).toBeLessThanOrEqual(MOST_PAGES);
  expect(files.filter((file) => !/^[a-z]+(-[a-z]+)*\.md$/.test(file))).toEqual([]);
  const lines = (file: string) => readFileSync(`docs/decisions/${file}`, 'utf8').trimEnd().split('\n').length;
  expect(files.filter((file) => lines(file) > MOST_LINES)).toEqual([]);
});

const rows = [
  ...readFileSync('docs/understand/glossary.md', 'utf8').matchAll(
    /^\| ([^|]+) \| ([^|]+) \| `([^`]+)` \|$/gm,
  ),
].map(([, word = '', meaning = '', file = '']) => ({ word, meaning, file }));

it('docs/understand/glossary.md has each word once, with a sentence and a file that is there', () => {
  expect(rows.length).toBeGreaterThan(40);
  const words = rows.map(({ word }) => word);
  expect(words.filter((word, index) => words.indexOf(word) !== index)).toEqual([]);
  expect(rows.filter(({ file }) => !existsSync(file))).toEqual([]);
  expect(rows.filter(({ meaning }) => !meaning.endsWith('.'))).toEqual([]);
});
