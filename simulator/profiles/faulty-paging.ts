import type { JsonObject } from '../json.ts';
import { profileOf } from './dialect.ts';
import { PAGINGS, type Paging, pageAt, token } from './pagings.ts';
import type { Profile } from './profile.ts';

const { cursor, page, 'limit-skip': skip } = PAGINGS;
const firstPage: Paging['asked'] = (_, pageSize, count) => pageAt(0, pageSize, count);

/** Dialects that lose or repeat records by their paging. No client can export them whole; it has to say so. */
const ROWS: Readonly<Record<string, Paging>> = {
  // Every page is the first one, and its offset says so.
  'paging-ignored': { ...page, asked: firstPage },
  // The total is too high as soon as there is more than one page.
  'total-wrong': {
    ...skip,
    fields: (at, call) => ({ ...skip.fields(at, call), total: at.pages > 1 ? at.count + 7 : at.count }),
  },
  // The cursor is new each time; after the last page comes the first again.
  'repeats-forever': {
    asked: (query, pageSize, count) => {
      const at = cursor.asked(query, pageSize, Number.MAX_SAFE_INTEGER);
      return at && pageAt(at.offset % (Math.ceil(count / pageSize) * pageSize), pageSize, count);
    },
    fields: (at, call) => {
      if (at.pages === 1) return cursor.fields(at, call);
      const asked = cursor.asked(call.query, at.limit, Number.MAX_SAFE_INTEGER);
      return { cursor: token('c', asked?.next ?? 0), hasMore: true };
    },
  },
  // Every call returns the first records; only the total shows that there are others.
  'silent-cap': { asked: firstPage, fields: ({ count }): JsonObject => ({ total: count }) },
};

export const FAULTY_PAGING: readonly Profile[] = Object.entries(ROWS).map(([name, paging]) =>
  profileOf({ name, signage: { envelope: 'items' }, backup: { envelope: 'items' }, paging }),
);
