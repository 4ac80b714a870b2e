import type { Fact } from './page-roles.ts';

/** The numbers of records that the pages of a listing declare. */
export interface Totals {
  /** Notes what a page with `items` records declares. */
  readonly note: (fact: Fact<number> | undefined, items: number) => void;
  readonly latest: () => number | null;
  /** The member or header that declares it. */
  readonly name: () => string | null;
  /** Why so many records are not what was declared; null where they are, or nothing was. */
  readonly complaint: (items: number) => string | null;
}

/** Records come and go while pages are read, so all that was declared from first to last page counts as right. */
export function createTotals(): Totals {
  const declared: number[] = [];
  let name: string | null = null;
  return {
    note(fact, items) {
      if (fact === undefined) return;
      // `count` is the records of the page on some servers, of the listing on others.
      if (fact.name.toLowerCase() === 'count' && fact.value <= items) return;
      name = fact.name;
      declared.push(fact.value);
    },
    latest: () => declared.at(-1) ?? null,
    name: () => name,
    complaint(items) {
      if (declared.length === 0) return null;
      const [least, most] = [Math.min(...declared), Math.max(...declared)];
      if (items >= least && items <= most) return null;
      return `The server declares ${least === most ? most : `${least} to ${most}`} records (${name}) and gave ${items}`;
    },
  };
}
