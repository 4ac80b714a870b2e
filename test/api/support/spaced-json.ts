import fc from 'fast-check';

/** A JSON text with any white space between its tokens. */
export function spacedJson(value: unknown, spaces: readonly string[]): string {
  let used = 0;
  const space = (): string => {
    used += 1;
    return spaces[used % spaces.length] ?? '';
  };
  const write = (each: unknown): string => {
    if (typeof each !== 'object' || each === null) return JSON.stringify(each);
    if (Array.isArray(each))
      return `[${space()}${each.map((item) => `${write(item)}${space()}`).join(`,${space()}`)}]`;
    const members = Object.entries(each).map(
      ([key, item]) => `${JSON.stringify(key)}${space()}:${space()}${write(item)}${space()}`,
    );
    return `{${space()}${members.join(`,${space()}`)}}`;
  };
  return `${space()}${write(value)}${space()}`;
}

/** White space as a list that is used over and over. */
export const anySpaces = fc.array(fc.constantFrom('', '', ' ', '\n', '\t', '\r\n  '), {
  minLength: 1,
  maxLength: 7,
});

/** Records with any JSON in them that JSON.parse gives back as it is: no -0, no integer beyond 2^53. */
export const anyRecords = fc
  .array(
    fc.dictionary(fc.string({ unit: 'binary', maxLength: 6 }), fc.jsonValue({ maxDepth: 3 }), { maxKeys: 5 }),
    { maxLength: 12 },
  )
  .map((records) => JSON.parse(JSON.stringify(records), safe) as Record<string, unknown>[]);

function safe(_key: string, value: unknown): unknown {
  return Number.isInteger(value) && !Number.isSafeInteger(value) ? 0.5 : value;
}

/** Where records may be. */
export const ENVELOPES: ReadonlyArray<{
  readonly name: string;
  readonly wrap: (records: unknown) => unknown;
}> = [
  { name: '$', wrap: (records) => records },
  {
    name: 'data',
    wrap: (records) => ({ result: 'success', total: 3, data: records, tail: { a: [1, { b: 2 }] } }),
  },
  { name: 'd.results', wrap: (records) => ({ d: { results: records, __count: '7' } }) },
  { name: 'data.items', wrap: (records) => ({ meta: { ok: true }, data: { page: 1, items: records } }) },
];
