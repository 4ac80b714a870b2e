import type { JsonObject } from '../json.ts';
import type { Axes } from './axes.ts';
import { profileOf } from './dialect.ts';
import { hasNext, type Page, type Paging, pagingOf } from './pagings.ts';
import type { Profile } from './profile.ts';

/** Dialects that lose or repeat records by their paging. No client can export them whole; it has to say so. */
export const FAULTY_PAGING: readonly Profile[] = [
  faulty('paging-ignored', 'page', (paging) => ({
    ...paging,
    // Every page is the first one, and its offset says so.
    asked: (_, pageSize, count) => ({ offset: 0, limit: pageSize, count }),
  })),
  faulty('total-wrong', 'limit-skip', (paging) => ({
    ...paging,
    fields: (page, call) => ({ ...paging.fields(page, call), total: moreThan(page) }),
  })),
  faulty('repeats-forever', 'cursor', (paging) => ({
    ...paging,
    // The cursor is new each time; after the last page comes the first again.
    asked: (query, pageSize, count) => {
      const page = paging.asked(query, pageSize, Number.MAX_SAFE_INTEGER);
      if (page === undefined || count <= pageSize) return page && { ...page, count };
      return { ...page, offset: page.offset % (Math.ceil(count / pageSize) * pageSize), count };
    },
    fields: (page, call) =>
      page.count <= page.limit ? paging.fields(page, call) : onwards(page, call.query),
  })),
  faulty('silent-cap', 'limit-skip', (paging) => ({
    ...paging,
    // Every call returns the first records; only the total shows that there are others.
    asked: (_, pageSize, count) => ({ offset: 0, limit: pageSize, count }),
    fields: (page): JsonObject => ({ total: page.count }),
  })),
];

function faulty(name: string, kind: Axes['paging'], spoil: (paging: Paging) => Paging): Profile {
  const axes = { envelope: 'items', paging: kind } as const;
  return profileOf({ name, signage: axes, backup: axes, paging: spoil(pagingOf(kind)) });
}

/** A total that is too high as soon as there is more than one page. */
function moreThan(page: Page): number {
  return hasNext(page) || page.offset > 0 ? page.count + 7 : page.count;
}

function onwards(page: Page, query: URLSearchParams): JsonObject {
  const text = Buffer.from(query.get('cursor') ?? '', 'base64url').toString();
  const offset = Number(/^c(\d+)$/.exec(text)?.[1] ?? 0) + page.limit;
  return { cursor: Buffer.from(`c${offset}`).toString('base64url'), hasMore: true };
}
