import { readFileSync } from 'node:fs';
import { flowOf } from '../lib/runtime/flow.ts';

/** The definition of infra/export.asl.json, or another, with `${…}` where CloudFormation puts an ARN. */
export function definitionText(name: 'export' | 'operate' = 'export'): string {
  return JSON.stringify(flowOf(readFileSync(new URL(`${name}.asl.json`, import.meta.url), 'utf8')));
}

/** A state of the definition, and its place in it. */
export interface FoundState {
  readonly name: string;
  readonly state: Readonly<Record<string, unknown>>;
}

/** Every state of a definition, including those inside maps. */
export function allStates(definition: unknown): readonly FoundState[] {
  const states = fieldOf(definition, 'States');
  if (typeof states !== 'object' || states === null) return [];
  return Object.entries(states).flatMap(([name, state]) => [
    { name, state },
    ...allStates(fieldOf(state, 'ItemProcessor')),
  ]);
}

/** The names that CloudFormation replaces, such as `ListFunctionArn`. */
export function placeholders(text: string): readonly string[] {
  return [...new Set([...text.matchAll(/\$\{(\w+)\}/g)].map(([, name]) => name ?? ''))];
}

/** The labels of the distributed maps, which are part of the ARNs of their executions. */
export function mapLabels(text: string): readonly string[] {
  return [...text.matchAll(/"Label":"(\w+)"/g)].map(([, label]) => label ?? '');
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}

/** `list` → `List`, as in the definition. */
export function pascal(name: string): string {
  return `${name.slice(0, 1).toUpperCase()}${name.slice(1)}`;
}
