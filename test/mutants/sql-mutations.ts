import type { Mutation } from './mutation.ts';

/** What is looked for in SQL, and what it becomes. */
const RULES: readonly (readonly [operator: string, from: RegExp, to: string])[] = [
  ['condition', /(?<=\s)and(?=\s)/gi, 'or'],
  ['condition', /(?<=\s)or(?=\s)/gi, 'and'],
  ['condition', /\bis not null\b/gi, 'is null'],
  ['condition', /\bnot in\b/gi, 'in'],
  ['comparison', />=/g, '>'],
  ['comparison', /<=/g, '<'],
  ['comparison', /(?<=\s)<(?=\s)/g, '<='],
  ['comparison', /(?<=\s)>(?=\s)/g, '>='],
  ['join', /\bleft join\b/gi, 'join'],
  ['join', /\bsemi join\b/gi, 'anti join'],
  // The text comes before what it must follow, because to look back from each character takes long.
  ['join key', /\b(export_)?source, (?<=\busing \([^)]*)/gi, ''],
  ['join key', /\b(\w+\.)?(export_)?source, (?<=\bpartition by [^)]*)/gi, ''],
  ['join key', /\b(\w+)\.(export_)?source = (\w+\.)?(export_)?source\b/gi, 'true'],
  ['join key', /\b(\w+\.)?(export_)?source, (?<=\bgroup by [^)\n]*)/gi, ''],
  ['join key', /\b(export_)?source( as \w+)?, (?<=\bdistinct \(?\S*( as \w+)?, )/gi, ''],
  ['sort key', /\bdesc\b/gi, 'asc'],
  ['sort key', /\bnulls first\b/gi, 'nulls last'],
  ['sort key', /\bnulls last\b/gi, 'nulls first'],
  ['distinct', /\bdistinct /gi, ''],
  ['distinct', /\bunion all\b/gi, 'union'],
  ['aggregate', /\bmin(?=\(|_by\()/gi, 'max'],
  ['aggregate', /\bmax(?=\(|_by\()/gi, 'min'],
  ['aggregate', /\bbool_and(?=\()/gi, 'bool_or'],
  ['aggregate', /\bbool_or(?=\()/gi, 'bool_and'],
  ['bound', /(?<=[=<>]\s|\binterval '?)\d+\b/gi, '99'],
];

/** Every wrong line that can be made of SQL; comments are left as they are. */
export function sqlMutations(sql: string): readonly Mutation[] {
  const comments = [...sql.matchAll(/--[^\n]*|\/\*[\s\S]*?\*\//g)];
  const isSaid = (at: number) =>
    comments.some(({ index, 0: said }) => index <= at && at < index + said.length);
  return RULES.flatMap(([operator, from, text]) =>
    [...sql.matchAll(from)]
      .filter(({ index, 0: found }) => !isSaid(index) && found.toLowerCase() !== text)
      .map(({ index: start, 0: found }) => ({ operator, start, end: start + found.length, text })),
  );
}
