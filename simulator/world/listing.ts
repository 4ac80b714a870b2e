import type { JsonObject } from '../json.ts';
import type { ServedResource } from '../kind.ts';

/** The records of one answer, or of all its pages. They are made one by one, as they are read. */
export interface Listing {
  readonly day: number;
  readonly resource: ServedResource;
  /** The world's own id of the parent. */
  readonly parentId: number | undefined;
  readonly count: number;
  /** At most `limit` records from `offset` on; the same records each time. */
  page(offset: number, limit: number): Iterable<JsonObject>;
}

export type ListingPlace = Pick<Listing, 'day' | 'resource' | 'parentId'>;

export function arrayListing(place: ListingPlace, records: readonly JsonObject[]): Listing {
  const page: Listing['page'] = (offset, limit) => records.slice(offset, offset + limit);
  return { ...place, count: records.length, page };
}

/** A listing that makes its record number `i` when somebody reads it. */
export function madeListing(place: ListingPlace, count: number, make: (i: number) => JsonObject): Listing {
  return {
    ...place,
    count,
    *page(offset, limit) {
      for (let i = offset; i < Math.min(count, offset + limit); i++) yield make(i);
    },
  };
}

/** The listing with each record in another form. */
export function mappedListing(listing: Listing, write: (record: JsonObject) => JsonObject): Listing {
  return {
    ...listing,
    *page(offset, limit) {
      for (const record of listing.page(offset, limit)) yield write(record);
    },
  };
}

export function recordsOf(listing: Listing): Iterable<JsonObject> {
  return listing.page(0, listing.count);
}
