import { type Node, parseTree } from 'jsonc-parser';
import type { Mutation } from './mutation.ts';

/** Every wrong line that can be made of a state machine's definition, which is JSON. */
export function flowMutations(json: string): readonly Mutation[] {
  const root = parseTree(json);
  if (root === undefined) throw new Error('this is no JSON');
  const states = namesOf(root);
  return nodesOf(root).flatMap((node) => {
    if (node.type === 'number') return [made(node, 'bound', String(Number(node.value) + 1))];
    if (node.type === 'boolean') return [made(node, 'flag', String(node.value !== true))];
    if (node.type !== 'property') return [];
    const [key, value] = node.children ?? [];
    if (value === undefined) return [];
    const name = String(key?.value);
    if (name === 'Retry' || name === 'Catch') return [made(value, name.toLowerCase(), '[]')];
    if (name === 'Next' || name === 'Default')
      return states
        .filter((state) => state !== value.value)
        .slice(0, 1)
        .map((state) => made(value, 'next', JSON.stringify(state)));
    if (name === 'ErrorEquals') return (value.children ?? []).map((each) => made(each, 'error', '"None"'));
    return [];
  });
}

function made({ offset, length }: Node, operator: string, text: string): Mutation {
  return { operator, start: offset, end: offset + length, text };
}

function nodesOf(node: Node): readonly Node[] {
  return [node, ...(node.children ?? []).flatMap(nodesOf)];
}

function namesOf(root: Node): readonly string[] {
  const states = root.children?.find(({ children }) => children?.[0]?.value === 'States')?.children?.[1];
  return (states?.children ?? []).map(({ children }) => String(children?.[0]?.value));
}
