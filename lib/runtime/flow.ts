/** A definition of the flow in the Amazon States Language, or a part of one. */
type Part = Readonly<Record<string, unknown>>;

/**
 * The definition as Step Functions takes it. In the file, `Retries` has each kind of retry once, and a task
 * names the kinds that it uses.
 */
export function flowOf(text: string): Part {
  const { Retries, ...definition } = JSON.parse(text) as Part;
  const ways = new Map(Object.entries((Retries ?? {}) as Record<string, readonly unknown[]>));
  return withRetries(definition, ways) as Part;
}

function withRetries(part: unknown, ways: ReadonlyMap<string, readonly unknown[]>): unknown {
  if (Array.isArray(part)) return part.map((each) => withRetries(each, ways));
  if (typeof part !== 'object' || part === null) return part;
  return Object.fromEntries(
    Object.entries(part).map(([key, value]) => [
      key,
      key === 'Retry'
        ? (value as readonly unknown[]).flatMap((way) => (typeof way === 'string' ? named(way, ways) : [way]))
        : withRetries(value, ways),
    ]),
  );
}

/** The retry rules of a named kind; a kind that is written out is its own rule. */
function named(way: string, ways: ReadonlyMap<string, readonly unknown[]>): readonly unknown[] {
  const says = ways.get(way);
  if (says === undefined) throw new Error(`The definition has no way of trying again that is called ${way}.`);
  return says;
}
