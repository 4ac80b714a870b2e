import { readFileSync } from 'node:fs';

/** infra/export.asl.json, or another, as it is deployed: the same text, with `${…}` for what CloudFormation puts in. */
export function definitionText(name: 'export' | 'operate' = 'export'): string {
  return readFileSync(new URL(`${name}.asl.json`, import.meta.url), 'utf8');
}

/** A state of the definition, and how one comes to it. */
export interface FoundState {
  readonly name: string;
  readonly state: Readonly<Record<string, unknown>>;
}

/** Every state of a definition, those inside maps too. */
export function allStates(definition: unknown): readonly FoundState[] {
  const states = fieldOf(definition, 'States');
  if (typeof states !== 'object' || states === null) return [];
  return Object.entries(states).flatMap(([name, state]) => [
    { name, state },
    ...allStates(fieldOf(state, 'ItemProcessor')),
  ]);
}

/** What the definition wants from CloudFormation, such as `ListFunctionArn`. */
export function placeholders(text: string): readonly string[] {
  return [...new Set([...text.matchAll(/\$\{(\w+)\}/g)].map(([, name]) => name ?? ''))];
}

/** The stages whose functions the definition calls: `list` for `ListFunctionArn`. */
export function calledStages(text: string): readonly string[] {
  return placeholders(text).map((name) => name.replace(/FunctionArn$/, '').toLowerCase());
}

/** Labels of the distributed maps: they stand in the ARNs of their executions. */
export function mapLabels(definition: unknown): readonly string[] {
  return allStates(definition).flatMap(({ name, state }) => {
    const mode = fieldOf(fieldOf(fieldOf(state, 'ItemProcessor'), 'ProcessorConfig'), 'Mode');
    if (mode !== 'DISTRIBUTED') return [];
    const label = state['Label'];
    if (typeof label !== 'string') {
      throw new Error(
        `The distributed map ${name} of infra/export.asl.json needs a Label: its role names it.`,
      );
    }
    return [label];
  });
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}

/** `list` → `List`, as the definition spells it. */
export function pascal(name: string): string {
  return `${name.slice(0, 1).toUpperCase()}${name.slice(1)}`;
}
