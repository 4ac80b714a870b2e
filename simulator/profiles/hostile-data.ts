import type { JsonObject } from '../json.ts';
import type { Listing } from '../world/listing.ts';
import { profileOf } from './dialect.ts';
import { hostileFields, textWithTwice } from './hostile-fields.ts';
import { hostileId, readHostileId } from './hostile-ids.ts';
import type { DialectRow, Profile } from './profile.ts';

const dialect: DialectRow = {
  name: 'hostile-data',
  signage: {},
  backup: { envelope: 'result-data' },
  rewrite: (listing) => (listing.resource === 'backup_pricing' ? listing : hostile(listing)),
  text: textWithTwice,
};

const whole = profileOf(dialect);
const paged = profileOf({
  ...dialect,
  signage: { paging: 'link-header' },
  backup: { ...dialect.backup, paging: 'link-header' },
});

/**
 * Data that is hard to type, name, quote, decode or number, in the envelopes of reference. A listing is one answer or,
 * with a page size, pages by Link header. Licences and slots begin with a BOM; players are compressed.
 */
export const hostileData: Profile = {
  ...whole,
  parentId: (route) => (route.parent === undefined ? undefined : readHostileId(route.parent)),
  render: (listing, call) => {
    const answer = (call.pageSize === undefined ? whole : paged).render(listing, call);
    if (answer === undefined) return undefined;
    if (listing.resource === 'players') return { ...answer, gzip: true };
    const hasMark = listing.resource === 'licenses' || listing.resource === 'backup_slots';
    return hasMark && typeof answer.body === 'string' ? { ...answer, body: `\ufeff${answer.body}` } : answer;
  },
};

/** The listing with hostile ids and fields; a listing of more than five has its sixth record once more at the end. */
function hostile(listing: Listing): Listing {
  const count = listing.count > 5 ? listing.count + 1 : listing.count;
  return {
    ...listing,
    count,
    *page(offset, limit) {
      let index = offset;
      for (const record of listing.page(offset, limit)) yield spoilt(listing, record, index++);
      const reachesEnd = index === listing.count && index < offset + limit;
      if (reachesEnd && count > listing.count) {
        for (const record of listing.page(5, 1)) yield spoilt(listing, record, 5);
      }
    },
  };
}

function spoilt(listing: Listing, record: JsonObject, index: number): JsonObject {
  const last = index === listing.count - 1;
  const key = 'Id' in record ? 'Id' : 'id';
  const id = record[key];
  const at = { day: listing.day, parentId: listing.parentId ?? 0, index, last };
  return {
    ...record,
    ...(id === undefined ? {} : { [key]: hostileId(Number(id)) }),
    ...(listing.resource === 'players' && index % 50 === 7 && { BoxState: 'Online' }),
    ...(listing.resource === 'screens' && index % 3 === 2 && { Status: 'Ok' }),
    ...hostileFields(at),
  };
}
