/** What all pages of a listing have. */
export interface OnAllPages<T> {
  /** Notes what a page has. */
  readonly note: (here: readonly T[]) => void;
  readonly all: () => readonly T[];
}

/** Keeps what each page has that was noted, compared by its key. */
export function createOnAllPages<T>(keyOf: (each: T) => string): OnAllPages<T> {
  let kept: readonly T[] | null = null;
  return {
    note: (here) => {
      const keys = kept === null ? null : new Set(here.map(keyOf));
      kept = keys === null ? here : (kept ?? []).filter((each) => keys.has(keyOf(each)));
    },
    all: () => kept ?? [],
  };
}
