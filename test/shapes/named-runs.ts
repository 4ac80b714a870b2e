import type { Shape } from './shape.ts';

/** Shapes of which a search found that a run ended wrong. */
export const NAMED_RUNS: Readonly<Record<string, Shape>> = {
  'a fleet behind tokens of a header that is gone whole': {
    ...{ wrapping: 'bare', path: [], style: 'token', where: 'header', below: ['pagination', 'meta'] },
    ...{ vocabulary: 'plain', says: [], end: 'stale', param: 'cursor', firstPage: 0, pageSize: 10 },
    words: {
      ...{ next: 'nextUrl', token: 'nextCursor', more: 'more', number: 'Page', size: 'page_size' },
      ...{ total: 'total_count', pages: 'totalPages', offset: 'startIndex' },
    },
    ...{ ownTotal: false, beyond: 'empty', unknown: 'ignored', numbers: 'number', flags: 'letter' },
    ...{ link: 'query', id: 'guid', empty: 'absent', isOneBare: true, idle: [4, 13] },
    ...{ idleHeaders: [0, 7, 13], counts: [20, 0], error: null, stray: null, late: null, linksLast: false },
  },
};
