import { readFileSync } from 'node:fs';
import { checkSync } from 'recheck';
import { expect, it } from 'vitest';
import { createSecretFinder } from '#lib/api/body/secret-finder.ts';
import { growthOf } from '../support/growth.ts';
import { below, sourceFiles, statementsOf, wordOf } from '../support/syntax.ts';

/** A regular expression in the code: its text, or null where it is made at run time. */
interface Expression {
  readonly place: string;
  readonly literal: { readonly source: string; readonly flags: string } | null;
}

/** All regular expressions of the files whose path matches. */
function expressionsIn(where: RegExp): readonly Expression[] {
  return sourceFiles(where).flatMap((file) => expressionsOf(file, readFileSync(file, 'utf8')));
}

/** Those of a file with this TypeScript text. */
function expressionsOf(file: string, text: string): readonly Expression[] {
  return [...below(statementsOf(file, text))].flatMap((node) => {
    const place = `${file}:${text.slice(0, node.start).split('\n').length}`;
    if (node.type === 'Literal' && node.value instanceof RegExp)
      return { place, literal: { source: node.value.source, flags: node.value.flags } };
    const isMade = /^(New|Call)Expression$/.test(node.type) && wordOf(node.callee) === 'RegExp';
    return isMade ? { place, literal: null } : [];
  });
}

/** What the checker says of an expression; null where its time grows with the length of the text and no faster. */
function faultOf({ source, flags }: { readonly source: string; readonly flags: string }): string | null {
  // It tries texts at random: the same ones each time, so that no run finds by luck what is none.
  const found = checkSync(source, flags, { timeout: 60_000, randomSeed: 1 });
  if (found.status === 'safe') return null;
  return found.status === 'vulnerable' ? `vulnerable: ${found.complexity.summary}` : 'not decided';
}

it('every regular expression of lib, functions and cli takes a time that grows as the text does', () => {
  const literals = expressionsIn(/^(lib|functions|cli)\//).flatMap(({ place, literal }) =>
    literal === null ? [] : [{ place, literal }],
  );
  expect(literals.length).toBeGreaterThan(100);
  const different = Map.groupBy(literals, ({ literal }) => `/${literal.source}/${literal.flags}`);
  const faults = [...different].flatMap(([text, [first]]) => {
    const fault = first === undefined ? null : faultOf(first.literal);
    return fault === null ? [] : [`${first?.place} ${text} ${fault}`];
  });
  expect(faults).toEqual([]);
});

/** Why a text of foreign hands costs no more than its length where an expression is made at run time. */
const MADE_AT_RUN_TIME: Readonly<Record<string, string>> = {
  'cli/init-answers.ts': 'paths of our own listings over an address of the operator',
  'cli/query.ts': 'names of our own views over a query of the operator',
  'lib/api/body/secret-finder.ts': 'every repetition has an end, see below',
  'lib/api/contract/siblings.ts': 'a word of our own between words without repetition',
  'lib/lake/keys.ts': 'templates of our own keys',
  'lib/views/config-tables.ts': 'names of our own tables over our own views',
  'lib/views/view-file.ts': 'words of our own over our own views',
};

it('whoever makes an expression at run time says why it cannot hang', () => {
  const made = expressionsIn(/^(lib|functions|cli)\//).filter(({ literal }) => literal === null);
  const files = new Set(made.map(({ place }) => place.replace(/:\d+$/, '')));
  expect([...files].sort()).toEqual(Object.keys(MADE_AT_RUN_TIME).sort());
});

it('the search for a secret in its own beginnings takes a time that grows like the text', () => {
  const finder = createSecretFinder(['ab+cd/ef%gh&ij"kl']);
  for (const piece of ['ab+cd/ef', '\\\\\\\\', '\\u0061', '&#0000', '&amp;#x', '%25', '%2561']) {
    const search = (size: number) =>
      expect([...finder.hits(Buffer.from(piece.repeat(Math.ceil(size / piece.length))))]).toEqual([]);
    expect(growthOf(search, { from: 128 * 1024, to: 2 * 1024 * 1024 }), piece).toBeLessThan(4);
  }
});

it('the checker and what finds expressions see the ones that hang', () => {
  const text = 'const a: RegExp = /(x+)+y/; const b = "x".replace(/0+$/, ""); const c = new RegExp(b);';
  const found = expressionsOf('some.ts', text);
  const faults = found.map(({ literal }) => String(literal && faultOf(literal))).sort();
  expect(faults).toEqual(['null', 'vulnerable: 2nd degree polynomial', 'vulnerable: exponential']);
});
