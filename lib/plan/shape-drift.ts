import { RESOURCES } from '../resources.ts';
import type { Dialects } from '../run/dialects.ts';

/** How the listings of a source are built otherwise than in the runs before, a sentence each; all their rows are there. */
export function shapeDrift(dialects: Dialects | undefined): readonly string[] {
  return RESOURCES.flatMap(({ name }) => {
    const before = dialects?.locks[name]?.dialect;
    const now = dialects?.resources[name]?.dialect;
    if (before === undefined || now === undefined || dialects?.resources[name]?.records === 0) return [];
    const moved =
      before.envelope === now.envelope
        ? []
        : [`${name}: its records were at ${before.envelope} and are now at ${now.envelope}.`];
    // A listing of one page may not say how it would go on.
    const hadPages = before.pageSize !== undefined && before.paging !== now.paging;
    const paged = hadPages ? [`${name}: its paging was ${before.paging} and is now ${now.paging}.`] : [];
    return [...moved, ...paged];
  });
}
