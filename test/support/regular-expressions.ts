import { readFileSync } from 'node:fs';
import { checkSync } from 'recheck';
import { below, sourceFiles, statementsOf, wordOf } from './syntax.ts';

/** A regular expression in the code: its text, or null where it is made at run time. */
export interface Expression {
  readonly place: string;
  readonly literal: { readonly source: string; readonly flags: string } | null;
}

/** All regular expressions of the files whose path matches. */
export function expressionsIn(where: RegExp): readonly Expression[] {
  return sourceFiles(where).flatMap((file) => expressionsOf(file, readFileSync(file, 'utf8')));
}

/** Those of a file with this TypeScript text. */
export function expressionsOf(file: string, text: string): readonly Expression[] {
  return [...below(statementsOf(file, text))].flatMap((node) => {
    const place = `${file}:${text.slice(0, node.start).split('\n').length}`;
    if (node.type === 'Literal' && node.value instanceof RegExp)
      return { place, literal: { source: node.value.source, flags: node.value.flags } };
    const isMade = /^(New|Call)Expression$/.test(node.type) && wordOf(node.callee) === 'RegExp';
    return isMade ? { place, literal: null } : [];
  });
}

/** What the checker says of an expression; null where its time grows with the length of the text and no faster. */
export function faultOf({
  source,
  flags,
}: {
  readonly source: string;
  readonly flags: string;
}): string | null {
  // It tries texts at random: the same ones each time, so that no run finds by luck what is none.
  const found = checkSync(source, flags, { timeout: 60_000, randomSeed: 1 });
  if (found.status === 'safe') return null;
  return found.status === 'vulnerable' ? `vulnerable: ${found.complexity.summary}` : 'not decided';
}
