import type { Said } from '../read/said.ts';

/** The numbers of records that the pages of a listing declare. */
export type Totals = ReturnType<typeof createTotals>;

interface Declared {
  readonly name: string;
  readonly values: number[];
  /** True while it has always been the page's own length. */
  isOwnLength: boolean;
}

/** Any declared number is right, because records come and go while pages are read. */
export function createTotals() {
  const declared = new Map<string, Declared>();
  /** Totals of the listing, the largest first: a part, such as a filter's, may have its own. */
  const real = (): readonly Declared[] =>
    [...declared.values()]
      .filter(({ isOwnLength }) => !isOwnLength)
      .sort((a, b) => (b.values.at(-1) ?? 0) - (a.values.at(-1) ?? 0));
  return {
    /** Notes what a page with `count` records declares. */
    note(totals: readonly Said<number>[], count: number): void {
      for (const { name, value } of totals) {
        // Next to records, 0 counts something else. Some servers count once, and say 0 on later pages.
        if (value === 0 && count > 0) continue;
        const known = declared.get(name) ?? { name, values: [], isOwnLength: true };
        known.values.push(value);
        known.isOwnLength &&= value === count;
        declared.set(name, known);
      }
    },
    /** The latest total that surely is the listing's; null without one. */
    latest: (): number | null => real()[0]?.values.at(-1) ?? null,
    /** The member or header that declares it. */
    name: (): string | null => real()[0]?.name ?? [...declared.keys()][0] ?? null,
    /** True if the declared total changed from page to page. */
    moved: (): boolean => real().some(({ values }) => new Set(values).size > 1),
    /** True if the declared total was once greater than the number of records. */
    isAbove: (items: number): boolean => real().some(({ values }) => Math.max(...values) > items),
    /** The complaint if the number of records is not the declared one; else null. */
    complaint(items: number): string | null {
      const all = real();
      const [first] = all;
      if (first === undefined) return null;
      const fits = ({ values }: Declared): boolean =>
        items >= Math.min(...values) && items <= Math.max(...values);
      const isMissing = Math.min(...first.values) > items;
      if (!isMissing && [...declared.values()].some(fits)) return null;
      const [least, most] = [Math.min(...first.values), Math.max(...first.values)];
      const due = least === most ? `${most}` : `${least} to ${most}`;
      return `The server declares ${due} records (${first.name}) and gave ${items}`;
    },
  };
}

/** True for a number where servers often cut a listing: 10, 15, 20, 25, 50, 100, 200, 250, 500, 1000 … */
export function isRoundNumber(count: number): boolean {
  if (count === 15) return true;
  let lead = count;
  while (lead >= 100 && lead % 10 === 0) lead /= 10;
  return [10, 20, 25, 50].includes(lead);
}
