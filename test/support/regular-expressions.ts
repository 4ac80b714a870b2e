import { readFileSync } from 'node:fs';
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
