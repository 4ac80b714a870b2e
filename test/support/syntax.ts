import { execFileSync } from 'node:child_process';
import { parseSync } from 'rolldown/utils';

/** A node of the syntax tree as ESTree has it, with the types of TypeScript next to it. */
export interface Node {
  readonly type: string;
  /** Where it is in the text, in UTF-16 code units. */
  readonly start: number;
  readonly end: number;
  readonly [field: string]: unknown;
}

/** All files of the repository whose path matches, as git knows them. */
export const repositoryFiles = (where: RegExp): readonly string[] =>
  execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { encoding: 'utf8' })
    .split('\n')
    .filter((file) => where.test(file));

/** Those of code; declarations of types aside. */
export const sourceFiles = (where: RegExp): readonly string[] =>
  repositoryFiles(/\.[cm]?[jt]sx?$/).filter((file) => where.test(file) && !/\.d\.[cm]?ts$/.test(file));

/** The statements of a file with this text. @throws where it is not TypeScript. */
export function statementsOf(file: string, text: string): readonly Node[] {
  const { program, errors } = parseSync(file, text);
  if (errors.length > 0) throw new Error(`${file}: ${errors.map(({ message }) => message).join('; ')}`);
  return nodesIn(program.body);
}

/** A node and all nodes below it. */
export function* below(from: unknown): Generator<Node> {
  const open: unknown[] = [from];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (isNode(next)) yield next;
    if (typeof next === 'object' && next !== null)
      open.push(...Object.values(next).filter((value) => typeof value === 'object' && value !== null));
  }
}

/** The nodes that a field holds. */
export function nodesIn(value: unknown): readonly Node[] {
  return (Array.isArray(value) ? value : [value]).filter(isNode);
}

/** The text of a string literal, or the name of an identifier; undefined of anything else. */
export function wordOf(value: unknown): string | undefined {
  if (!isNode(value)) return undefined;
  const word = value.type === 'Identifier' ? value.name : value.value;
  return typeof word === 'string' ? word : undefined;
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && 'start' in value;
}
