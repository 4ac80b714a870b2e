import { existsSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { describe, expect, it } from 'vitest';
import { sourceFiles } from '../support/syntax.ts';

const page = readFileSync('docs/understand/promises.md', 'utf8');

interface Named {
  readonly file: string;
  readonly title: string;
}

const listed = (text: string): readonly Named[] =>
  [...text.matchAll(/^- `([^`]+)`: (.+)$/gm)].map(([, file = '', title = '']) => ({ file, title }));

/** Each promise with the tests that the page says hold it. */
const promises = page
  .split(/^## /m)
  .slice(1)
  .map((text) => ({ name: /^R\d+/.exec(text)?.[0] ?? text, tests: listed(text) }));

/** The tests whose title begins with a promise, of all tiers. */
const named: readonly Named[] = sourceFiles(/^test\/.*\.test\.ts$/).flatMap((file) =>
  [...readFileSync(file, 'utf8').matchAll(/^\s*(?:describe|it|test)\b.*?['"`](R\d+\b[^'"`]*)['"`]/gm)].map(
    ([, title = '']) => ({ file, title }),
  ),
);

describe('docs/understand/promises.md', () => {
  it('has the promises from R1 to R12, each with a test that is named after it', () => {
    expect(promises.map(({ name }) => name)).toEqual(Array.from({ length: 12 }, (_, at) => `R${at + 1}`));
    const without = promises.filter(
      ({ name, tests }) =>
        !tests.some(
          ({ file, title }) =>
            title.startsWith(`${name}:`) || basename(file).startsWith(`${name.toLowerCase()}-`),
        ),
    );
    expect(without.map(({ name }) => name)).toEqual([]);
  });

  it('names no test that does not exist', () => {
    const missing = listed(page).filter(
      ({ file, title }) => !existsSync(file) || !readFileSync(file, 'utf8').includes(title),
    );
    expect(missing).toEqual([]);
  });

  it('leaves out no test that is named after a promise', () => {
    expect(named.length).toBeGreaterThan(11);
    const known = new Set(listed(page).map(({ file, title }) => `${file}: ${title}`));
    const cure =
      'A test is named after a promise and does not stand under it in docs/understand/promises.md.';
    expect(
      named.map(({ file, title }) => `${file}: ${title}`).filter((each) => !known.has(each)),
      cure,
    ).toEqual([]);
  });
});
