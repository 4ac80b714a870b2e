import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { extname } from 'node:path';
import { expect, it } from 'vitest';
import { decisionFiles, decisionsPage } from '../../scripts/decisions-page.ts';

/** Nobody reads more: an older entry is made shorter, or two topics become one. */
const MOST_PAGES = 32;
const MOST_LINES = 40;

/** What of a file is prose: the whole page, or its comments. Of other files nothing is looked at. */
const PROSE: Readonly<Record<string, RegExp>> = {
  ...of(['.md'], /.+/gm),
  ...of(['.ts', '.js', '.mjs', '.cjs'], /(?:^|\s)\/\/.*|^\s*\/?\*.*/gm),
  ...of(['.sql'], /--.*/gm),
  ...of(['', '.py', '.sh', '.yaml', '.yml', '.toml', '.txt', '.service', '.timer'], /(?:^|\s)#.*/gm),
};

/** The number by which a decision was once named. A time, an id, a path, the year of a date and a mode such as 0600 are none. */
const NUMBER = /(?<![\w.,:+/"'-])0[0-2]\d\d(?![\w:/"'-]|\.\w)/g;

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

it('no comment and no page names a decision by a number', () => {
  expect(
    texts.flatMap(({ file, text }) => numbersIn(file, text).map((number) => ({ file, number }))),
  ).toEqual([]);
});

it('finds a page that is gone and a number, and takes no date and no value for one', () => {
  const gone = 'gone';
  const page = ['docs', 'decisions', gone].join('/');
  expect(pagesIn(`see ${page}.md, ${page}. [why](${page}.md#x)`)).toEqual([`${gone}.md`, gone, `${gone}.md`]);
  const number = ['02', '59'].join('');
  for (const comment of [`// as (${number}).`, ` * see ${number}, and`, `const a = 1; // ${number}`])
    expect(numbersIn('a.ts', comment)).toEqual([number]);
  expect(numbersIn('a.sql', `select 1 -- ${number}`)).toEqual([number]);
  expect(numbersIn('README.md', `Since ${number} it is so.`)).toEqual([number]);
  for (const other of [
    "f('0123');",
    '// 0001-01-01 is never',
    '// part-0003.parquet',
    '// mode 0700',
    '// 0.0123',
  ])
    expect(numbersIn('a.ts', other)).toEqual([]);
});

function of(endings: readonly string[], prose: RegExp): Readonly<Record<string, RegExp>> {
  return Object.fromEntries(endings.map((ending) => [ending, prose]));
}

function pagesIn(text: string): readonly string[] {
  return [...text.matchAll(/\bdecisions\/([a-z0-9][\w.-]*)/gi)].map(([, page = '']) =>
    page.replace(/\.$/, ''),
  );
}

function numbersIn(file: string, text: string): readonly string[] {
  const prose = PROSE[extname(file)];
  return prose === undefined ? [] : (text.match(prose) ?? []).flatMap((line) => line.match(NUMBER) ?? []);
}
