import type { Dialects } from '../../run/dialects.ts';
import type { Question } from '../../sources/question.ts';
import { RESOURCES } from '../../sources/resources.ts';

/** The listings of a source that changed their shape, although all their rows were read. */
export function shapeDrift(source: string, dialects: Dialects | undefined): readonly Question[] {
  return RESOURCES.flatMap(({ name }) => {
    const before = dialects?.locks[name]?.dialect;
    const now = dialects?.resources[name]?.dialect;
    const isEmpty = dialects?.resources[name]?.records === 0 || dialects?.locks[name]?.records === 0;
    if (before === undefined || now === undefined || isEmpty) return [];
    const moved =
      before.envelope === now.envelope
        ? []
        : [`The records were at ${before.envelope} and are now at ${now.envelope}`];
    // A listing of one page may not show its paging.
    const hadPages = before.pageSize !== undefined && before.paging !== now.paging;
    const paged = hadPages ? [`The paging was ${before.paging} and is now ${now.paging}`] : [];
    return [...moved, ...paged].map((says) => ({
      code: 'SHAPE_MOVED',
      source,
      resource: name,
      says,
      cures: [],
    }));
  });
}
