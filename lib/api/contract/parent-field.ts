/** Finds the field with the parent's id in the records of children, from the answers to several parents. */
export interface ParentField {
  /** The field in which all these records name another parent than the requested one; null without one. */
  readonly otherParent: (records: readonly unknown[], parentId: string) => string | null;
}

/** The fewest parents with the id in their records: less may be chance. */
const PROVEN_BY = 5;
/** At least this many answers agree for each one that differs. */
const TIMES = 10;
/** After this many answers without such a field the search ends. */
const LOOKED_AT_MOST = 50;

/** `word` is the API's parent, such as `Player`. At first a screen's own `Id` may equal its player's. */
export function createParentField(word: string | null): ParentField {
  const named = new RegExp(`(^|[^a-z])(${word ?? 'parent'}|owner|parent)[-_]?id$`, 'i');
  const agreed = new Map<string, number>();
  const differed = new Map<string, number>();
  let looked = 0;

  const count = (counts: Map<string, number>, field: string): void => {
    counts.set(field, (counts.get(field) ?? 0) + 1);
  };
  const isProven = (field: string): boolean => {
    const agree = agreed.get(field) ?? 0;
    return agree >= PROVEN_BY && agree >= TIMES * (differed.get(field) ?? 0);
  };

  return {
    otherParent: (records, parentId) => {
      if (records.length === 0 || (agreed.size === 0 && looked >= LOOKED_AT_MOST)) return null;
      looked += 1;
      let found: string | null = null;
      for (const field of Object.keys(Object(records[0])).filter((name) => named.test(name))) {
        const values = records.map((record) => textOf(Object(record)[field]));
        if (values.every((value) => value === parentId)) count(agreed, field);
        else if (values.every((value) => value !== null && value !== parentId)) {
          if (isProven(field)) found ??= field;
          count(differed, field);
        }
      }
      return found;
    },
  };
}

/** An id as text; null for a value that is not an id. */
function textOf(value: unknown): string | null {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : null;
}
