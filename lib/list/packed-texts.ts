/** How many texts are joined into one. Each separate text costs 24 bytes in addition to its characters. */
const PACKED = 1024;

/** A list of texts in a third of the memory. Each of a million records may have four id candidates. */
export interface PackedTexts extends Iterable<string> {
  push(text: string): void;
  length(): number;
}

export function createPackedTexts(first: string): PackedTexts {
  const packs: string[] = [];
  let latest = [first];
  return {
    push: (text) => {
      if (latest.length === PACKED) {
        packs.push(JSON.stringify(latest));
        latest = [];
      }
      latest.push(text);
    },
    length: () => packs.length * PACKED + latest.length,
    *[Symbol.iterator]() {
      for (const pack of packs) for (const text of JSON.parse(pack)) yield String(text);
      yield* latest;
    },
  };
}
