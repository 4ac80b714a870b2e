import { readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { type AnyNode, type CallExpression, type NewExpression, parse } from 'acorn';
import { sourceFiles } from './import-graph.ts';

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
  // Types become blanks, so that lines stay what they are.
  const program = parse(stripTypeScriptTypes(text), {
    ecmaVersion: 'latest',
    sourceType: 'module',
    locations: true,
    allowHashBang: true,
  });
  const found: Expression[] = [];
  const open: unknown[] = [program];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (Array.isArray(next)) open.push(...next);
    if (!isNode(next)) continue;
    const place = `${file}:${next.loc?.start.line}`;
    if (next.type === 'Literal' && next.regex)
      found.push({ place, literal: { source: next.regex.pattern, flags: next.regex.flags } });
    if (isCall(next) && next.callee.type === 'Identifier' && next.callee.name === 'RegExp')
      found.push({ place, literal: null });
    open.push(...Object.values(next).filter((value) => typeof value === 'object' && value !== null));
  }
  return found;
}

function isCall(node: AnyNode): node is CallExpression | NewExpression {
  return node.type === 'NewExpression' || node.type === 'CallExpression';
}

function isNode(value: unknown): value is AnyNode {
  return typeof value === 'object' && value !== null && 'type' in value;
}
