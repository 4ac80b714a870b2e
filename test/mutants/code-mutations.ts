import { type Node, nodesIn, statementsOf, wordOf } from '../support/syntax.ts';
import type { Mutation } from './mutation.ts';
import { sqlMutations } from './sql-mutations.ts';

/** Every wrong line that can be made of a TypeScript file, SQL in its texts included. */
export function codeMutations(file: string, text: string): readonly Mutation[] {
  return values(statementsOf(file, text)).flatMap((node) => [
    ...(MADE_OF[node.type]?.(node, text) ?? []),
    ...(node.type === 'Literal' || node.type === 'TemplateElement' ? sqlIn(node, text) : []),
  ]);
}

/** All nodes that have a value: what is gone at run time, and what names a module, is left out. */
function values(nodes: readonly Node[]): readonly Node[] {
  return nodes.flatMap((node) => {
    if (/^TS(?!(As|NonNull|Satisfies)Expression)/.test(node.type) || /^Import|^ExportAll/.test(node.type))
      return [];
    return [node, ...values(Object.values(node).flatMap(nodesIn))];
  });
}

const OTHER_COMPARISON: Readonly<Record<string, string>> = {
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '===': '!==',
  '!==': '===',
};
const OTHER_METHOD = new Map([
  ['every', 'some'],
  ['some', 'every'],
  ['min', 'max'],
  ['max', 'min'],
  ['startsWith', 'includes'],
  ['endsWith', 'includes'],
]);
/** Methods without which a list is as it was. */
const LEFT_OUT = new Set([
  'filter',
  'sort',
  'toSorted',
  'slice',
  'toReversed',
  'reverse',
  'catch',
  'finally',
]);

type Maker = (node: Node, text: string) => readonly Mutation[];

const MADE_OF: Readonly<Record<string, Maker>> = {
  BinaryExpression: (node, text) => {
    const other = OTHER_COMPARISON[String(node.operator)];
    return other === undefined ? [] : [between(node, text, { operator: 'comparison', to: other })];
  },
  LogicalExpression: (node, text) => {
    const [left] = nodesIn(node.left);
    if (node.operator === '??' && left !== undefined)
      return [{ operator: 'default', start: left.end, end: node.end, text: '' }];
    return [between(node, text, { operator: 'condition', to: node.operator === '&&' ? '||' : '&&' })];
  },
  IfStatement: (node, text) => negated(node.test, text),
  ConditionalExpression: (node, text) => negated(node.test, text),
  UnaryExpression: ({ operator, argument, start, end }, text) => {
    const [inner] = nodesIn(argument);
    if (operator !== '!' || inner === undefined) return [];
    return [{ operator: 'condition', start, end, text: text.slice(inner.start, inner.end) }];
  },
  ExpressionStatement: ({ expression, start, end }, text) => {
    const [call] = nodesIn(expression);
    const left = { operator: 'call left out', start, end, text: ';' };
    if (call?.type === 'CallExpression') return [left];
    if (call?.type !== 'AwaitExpression') return [];
    const [waited] = nodesIn(call.argument);
    if (waited === undefined) return [];
    const unwaited = `void ${text.slice(waited.start, waited.end)};`;
    return [left, { operator: 'await', start, end, text: unwaited }];
  },
  Literal: ({ value, start, end }) => {
    if (typeof value === 'number') return [{ operator: 'bound', start, end, text: String(value + 1) }];
    if (typeof value === 'boolean') return [{ operator: 'flag', start, end, text: String(!value) }];
    // A right of a policy: `s3:GetObject`.
    const isRight = typeof value === 'string' && /^[a-z0-9-]+:[A-Z][A-Za-z]+\*?$/.test(value);
    return isRight ? [{ operator: 'right', start, end, text: "'none:None'" }] : [];
  },
  CallExpression: (node, text) => [...ofMethod(node), ...unquoted(node, text)],
};

function ofMethod({ callee, end }: Node): readonly Mutation[] {
  const [member] = nodesIn(callee);
  const [of, property] = [nodesIn(member?.object)[0], nodesIn(member?.property)[0]];
  if (member?.type !== 'MemberExpression' || of === undefined || property === undefined) return [];
  const name = wordOf(property) ?? '';
  const other = OTHER_METHOD.get(name);
  if (other !== undefined)
    return [{ operator: 'method', start: property.start, end: property.end, text: other }];
  return LEFT_OUT.has(name) ? [{ operator: 'method left out', start: of.end, end, text: '' }] : [];
}

/** A value that is put into SQL, HTML or a path as it is. */
function unquoted({ callee, arguments: given, start, end }: Node, text: string): readonly Mutation[] {
  const [value, ...more] = nodesIn(given);
  if (value === undefined || more.length > 0 || !/^(quote|escape|encode)/.test(wordOf(callee) ?? ''))
    return [];
  return [{ operator: 'quoting', start, end, text: `String(${text.slice(value.start, value.end)})` }];
}

function negated(test: unknown, text: string): readonly Mutation[] {
  return nodesIn(test).map(({ start, end }) => ({
    operator: 'condition',
    start,
    end,
    text: `!(${text.slice(start, end)})`,
  }));
}

/** The operator of an expression of two sides becomes another. */
function between(node: Node, text: string, { operator, to }: { operator: string; to: string }): Mutation {
  const [left] = nodesIn(node.left);
  const from = String(node.operator);
  const start = text.indexOf(from, left?.end ?? node.start);
  return { operator, start, end: start + from.length, text: to };
}

const OF_SQL = /\b(select|where|join|from|order by|partition by|group by|filter \()\b/i;
/** What no sentence has. */
const NO_SENTENCE = /[=<>(_*]|\b(select|order by|partition by|group by|distinct from|is (not )?null)\b/i;

/** SQL in a text: the text has a word of SQL, and is not a sentence. */
function sqlIn({ start, end }: Node, text: string): readonly Mutation[] {
  const own = text.slice(start, end);
  if (!OF_SQL.test(own) || !NO_SENTENCE.test(own)) return [];
  return sqlMutations(own).map((each) => ({ ...each, start: each.start + start, end: each.end + start }));
}
