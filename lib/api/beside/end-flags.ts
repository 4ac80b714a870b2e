import type { Shown } from '../shown.ts';
import type { Fact } from './page-roles.ts';

/**
 * Whether flags that say that there is no more, such as `hasMore: false`, are right. One that nothing has shown to be so ends no
 * listing that names the address of a next page: that page is looked at, and only where it has nothing new is the flag known.
 */
export interface EndFlags {
  /** Whether the flag is known to end listings: it has said the opposite, or nothing was behind it. */
  readonly isShown: (flag: Fact<boolean> | null) => boolean;
  /** Notes that another page follows one with that flag; one that denies it is in doubt until that page is there. */
  readonly goesOn: (flag: Fact<boolean> | null) => void;
  /** Ends the doubt: true if a page was asked for against a flag, and has nothing new. */
  readonly isRight: (hasNew: boolean) => boolean;
}

/** `shown` has what the listings of all parents have shown, and gets what this one shows. */
export function createEndFlags(shown: Pick<Shown, 'isEnd' | 'noteEnd'>): EndFlags {
  let doubted: string | null = null;
  return {
    isShown: (flag) => flag !== null && shown.isEnd(flag.name),
    goesOn: (flag) => {
      if (flag?.value === true) shown.noteEnd(flag.name);
      doubted = flag?.value === false ? flag.name : null;
    },
    isRight: (hasNew) => {
      const flag = doubted;
      doubted = null;
      if (flag === null || hasNew) return false;
      shown.noteEnd(flag);
      return true;
    },
  };
}
