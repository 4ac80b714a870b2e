import type { Dialects } from '../run/dialects.ts';
import type { Question } from '../sources/question.ts';
import { RESOURCES } from '../sources/resources.ts';

/** How the listings of a source are built otherwise than in the runs before; all their rows are there. */
export function shapeDrift(source: string, dialects: Dialects | undefined): readonly Question[] {
  return RESOURCES.flatMap(({ name }) => {
    const before = dialects?.locks[name]?.dialect;
    const now = dialects?.resources[name]?.dialect;
    if (before === undefined || now === undefined || dialects?.resources[name]?.records === 0) return [];
    const moved =
      before.envelope === now.envelope
        ? []
        : [`Its records were at ${before.envelope} and are now at ${now.envelope}`];
    // A listing of one page may not say how it would go on.
    const hadPages = before.pageSize !== undefined && before.paging !== now.paging;
    const paged = hadPages ? [`Its paging was ${before.paging} and is now ${now.paging}`] : [];
    return [...moved, ...paged].map((says) => ({
      code: 'SHAPE_MOVED',
      source,
      resource: name,
      says,
      cures: [],
    }));
  });
}
