import { isAddress } from '../api/read/value-kind.ts';
import { wordsOf } from '../api/read/words.ts';
import { LAST_SEGMENT, lastSegment } from '../fields.ts';

/** The number of records to look at: enough to see which fields differ. */
const SAMPLED = 1000;
/** As deep as `_links.self.href`. */
const DEEPEST = 4;
const OFFERED_AT_MOST = 5;
const ID_WORDS = new Set('id guid uuid oid key code number ref href uri url self serial mac'.split(' '));
/** These fields differ between records, but no path has them as an id. */
const NO_ID_WORDS = new Set(
  'name type label title description time date timestamp at created updated seen'.split(' '),
);

/** A field that tells the records apart, and its ids. */
export interface Fitting {
  readonly field: string;
  readonly ids: readonly string[];
}

/**
 * Finds fields at any level, where no known name is the id. Looks at the first records. A field counts if each record has
 * it, with a different text or integer.
 */
export function idLeaves() {
  const leaves = new Map<string, { readonly values: Set<string>; isUnlike: boolean; isAddress: boolean }>();
  let records = 0;

  const look = (value: unknown, name: string, depth: number): void => {
    if (typeof value === 'object' && value !== null) {
      if (Array.isArray(value) || depth >= DEEPEST) return;
      for (const [member, its] of Object.entries(value))
        look(its, depth === 0 ? member : `${name}.${member}`, depth + 1);
      return;
    }
    const isText = typeof value === 'string' && value !== '';
    if (!isText && !Number.isSafeInteger(value)) return;
    const known = leaves.get(name) ?? { values: new Set<string>(), isUnlike: true, isAddress: true };
    if (!known.isUnlike) return;
    if (known.values.size === 0) leaves.set(name, known);
    known.isAddress &&= isText && isAddress(value);
    const id = isText ? lastSegment(value) : String(value);
    known.isUnlike = !known.values.has(id);
    known.values.add(id);
  };

  return {
    add: (record: object) => {
      if (records >= SAMPLED) return;
      records += 1;
      look(record, '', 0);
    },
    /** Named as in the setting `id`, the likeliest first, each with its ids. */
    fields: (): readonly Fitting[] => {
      const fitting = [...leaves]
        .filter(([name, { values, isUnlike }]) => isUnlike && values.size === records && rankOf(name) > 0)
        .sort(([, one], [, two]) => Number(two.isAddress) - Number(one.isAddress));
      // Fields with the same ids count once: FHIR's `fullUrl` ends with the `resource.id` of each record.
      const once = new Map(fitting.map((leaf) => [[...leaf[1].values].join('\n'), leaf]));
      return [...once.values()]
        .sort(([a], [b]) => rankOf(b) - rankOf(a))
        .slice(0, OFFERED_AT_MOST)
        .map(([name, { isAddress, values }]) => ({
          field: isAddress ? `${name}${LAST_SEGMENT}` : name,
          ids: [...values],
        }));
    },
  };
}

function rankOf(name: string): number {
  const words = wordsOf(name.split('.').at(-1) ?? name);
  if (words.some((word) => ID_WORDS.has(word))) return 2;
  return words.some((word) => NO_ID_WORDS.has(word)) ? 0 : 1;
}
