import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { FINDINGS } from '#lib/report/findings.ts';
import { GERMAN } from '#lib/report/page/german/german.ts';
import { KINDS } from '#lib/report/read-news.ts';
import { REPORT_TABLES } from '#lib/report/report-tables.ts';
import { COMPARISON, FRESHNESS, NEWS } from '#lib/report/section-tables.ts';
import { QUERIES } from '#lib/views/queries.ts';
import { readViews } from '#lib/views/view-file.ts';
import { sourceFiles } from '../support/syntax.ts';

const textsIn = (file: string, pattern: RegExp) =>
  [...readFileSync(file, 'utf8').matchAll(pattern)].map(([, text = '']) => text.replaceAll("\\'", "'"));

/** Words that views and runs give as values, and that the page tells as ours. */
const VALUES = /(?:then|else) '([^']+)'|'([^']+)' as (?:finding|note|news)|^ {2}'([^']+)',$/gm;

/** What the view `data_quality` finds; two of its kinds are put together. */
const FOUND = [
  ...['unmatched key', 'duplicate id', 'unknown value', 'provisional column', 'new column', 'carried rows'],
  ...['denied', 'failed'].map((outcome) => `not collected: ${outcome}`),
  ...['type', 'precision', 'sentinel', 'secret', 'name'].map((reason) => `reject: ${reason}`),
];

/** Quoted text of a place for texts that no reader sees. */
const NO_TEXTS = new Set([
  'line',
  'dashed',
  'shadow',
  'solid',
  ' else ',
  ' when is_stuck then ',
  ' when pending > scheduled then ',
  ' when in_maintenance then ',
  'players',
  'screens',
  'transfers',
  'licenses',
  'backup',
  'hours',
]);

/** Every text that the page tells in the reader's language. */
async function texts(): Promise<ReadonlySet<string>> {
  const page = sourceFiles(/^lib\/report\/page\//).filter((file) => !file.includes('/german/'));
  const views = await readViews(QUERIES);
  const valuesOf = (name: string) =>
    [...(views.find((view) => view.name === name)?.sql.matchAll(VALUES) ?? [])].map(
      ([, a, b, c]) => a ?? b ?? c ?? '',
    );
  const all = [
    ...page.flatMap((file) => textsIn(file, /\bt\(\s*'((?:[^'\\]|\\.)+)'/g)),
    ...page.flatMap((file) => textsIn(file, /(?:title|note|name|text): '((?:[^'\\]|\\.)+)'/g)),
    ...page.flatMap((file) => textsIn(file, /\bline\('((?:[^'\\]|\\.)+)'/g)),
    ...page.flatMap((file) => textsIn(file, /\? '((?:[^'\\]|\\.)+)' : '[^']+'\)/g)),
    ...page.flatMap((file) => textsIn(file, /\? '[^']+' : '((?:[^'\\]|\\.)+)'\)/g)),
    ...textsIn('lib/report/workbook/overview-sheet.ts', /\bt\(\s*'((?:[^'\\]|\\.)+)'/g),
    ...textsIn('lib/report/workbook/overview-sheet.ts', /head\((.*)\)/g).flatMap((heads) =>
      [...heads.matchAll(/'([^']+)'/g)].map(([, head = '']) => head),
    ),
    ...[
      ...['lib/views/gaps.ts', 'lib/views/not-known.ts', 'lib/views/idle-targets.ts'],
      ...['lib/report/collect-report.ts', 'lib/report/workbook/write-workbook.ts'],
    ].flatMap((file) => textsIn(file, /text:\s*'((?:[^'\\]|\\.)* (?:[^'\\]|\\.)*)'/g)),
    ...textsIn('lib/views/config-tables.ts', /(?:reason|says): '((?:[^'\\]|\\.)+)'/g),
    ...textsIn('lib/views/lake-views.ts', /USED = '((?:[^'\\]|\\.)+)'/g),
    ...textsIn('lib/views/open-tables.ts', /reason: '((?:[^'\\]|\\.)+)'/g),
    ...[...REPORT_TABLES, FRESHNESS, COMPARISON, NEWS].flatMap(({ title, note, columns }) => [
      title,
      note,
      ...columns.map(([, label]) => label),
      ...columns
        .filter(([, , kind]) => kind === 'state')
        .flatMap(([sql]) => sql.match(/(?<=')[^']+(?=')/g) ?? []),
    ]),
    ...FINDINGS.flatMap(({ one, many, why, urgency }) => [one, many, why, urgency]),
    ...KINDS.map(({ kind }) => kind),
    ...views.flatMap(({ question, needs }) => [question, ...needs.map(({ says }) => says)]),
    ...['complete', 'partial', 'failed', 'online', 'offline', 'never seen', 'unknown', 'on', 'off', 'stale'],
    ...FOUND,
    ...valuesOf('backup_cost').filter((value) => value.includes(' ')),
  ];
  return new Set(all.filter((text) => !NO_TEXTS.has(text)));
}

describe('the page in German', () => {
  it('has every text of the page, and no other', async () => {
    const wanted = await texts();
    expect(wanted.size).toBeGreaterThan(150);
    expect([...wanted].filter((text) => !Object.hasOwn(GERMAN, text))).toEqual([]);
    expect(Object.keys(GERMAN).filter((text) => !wanted.has(text))).toEqual([]);
  });

  it('names the same values in each', () => {
    const names = (text: string) => (text.match(/\{\w+\}/g) ?? []).toSorted();
    for (const [english, german] of Object.entries(GERMAN))
      expect([english, names(german)]).toEqual([english, names(english)]);
  });
});
