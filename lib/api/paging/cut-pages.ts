import type { Cure } from '../../sources/question.ts';
import type { Resource } from '../../sources/resources.ts';
import type { Fact } from '../beside/page-roles.ts';

/** What the pages of a listing say about being cut, where the config says that there are pages: `isPartial: true`. */
export interface CutPages {
  /** Notes what a page of so many records says. */
  readonly note: (cut: Fact<boolean> | null, count: number) => void;
  /** The member that tells a failure and no further pages; null if none does. */
  readonly failure: () => string | null;
}

/**
 * Tells the two meanings of `partial: true` apart. A member that is about pages says true on each page but the last, and
 * false there. On any other listing it says that records are missing.
 */
export function createCutPages(): CutPages {
  let name: string | null = null;
  let latest: boolean | null = null;
  let isContradicted = false;
  let isFirst = true;
  return {
    note: (cut, count) => {
      isContradicted ||= !isFirst && count > 0 && latest !== true;
      isFirst = false;
      latest = cut?.value ?? null;
      if (latest === true) name ??= cut?.name ?? null;
    },
    failure: () => (isContradicted || latest !== false ? name : null),
  };
}

export function cutText(member: string): string {
  return `${member} says that the answer is not whole; it is about no further pages, for it is not true on each page but the last and false there`;
}

export function cutCures(member: string, { name }: Resource): readonly Cure[] {
  return [{ setting: `resources.${name}.ignore`, choices: [[member]], when: 'it tells no failure' }];
}
