/** How many texts are joined into one. A text by itself takes 24 bytes more than its characters. */
const PACKED = 1024;

/** A list of texts in a third of the memory. Each of 1,000,000 records may have four fields that may be its id. */
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
