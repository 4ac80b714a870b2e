/** Finds the field in which the records of children carry their parent's id, by the answers to several parents. */
export interface ParentField {
  /** The field by which all these records name another parent than the one that was asked for; null if there is none. */
  readonly otherParent: (records: readonly unknown[], parentId: string) => string | null;
}

/** Parents whose records have carried the id: fewer may be chance. */
const PROVEN_BY = 5;
/** At least so many answers agree for each one that differs. */
const TIMES = 10;
/** Answers without such a field, after which none is looked for. */
const LOOKED_AT_MOST = 50;

/** `word` is the API's own for the parent, such as `Player`. A screen's own `Id` may equal its player's for a while. */
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

/** An id as text; null for a value that is none. */
function textOf(value: unknown): string | null {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : null;
}
