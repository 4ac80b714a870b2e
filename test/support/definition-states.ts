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

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}
