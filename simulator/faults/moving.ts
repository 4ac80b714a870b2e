import type { JsonObject } from '../json.ts';
import type { Listing } from '../world/listing.ts';
import { fault, listsParents } from './fault.ts';

export const moving = fault({
  name: 'moving',
  summary:
    'after the first page, the first record moves to the end, so that no page has the record that takes its place',
  rate: 1,
  about: listsParents,
  create: () => ({ listing: moved }),
});

function moved(listing: Listing): Listing {
  return {
    ...listing,
    page: (offset, limit) => (offset === 0 ? listing.page(0, limit) : later(listing, offset, limit)),
  };
}

function* later(listing: Listing, offset: number, limit: number): Iterable<JsonObject> {
  yield* listing.page(offset + 1, limit);
  const last = offset + limit >= listing.count && offset < listing.count;
  if (last) yield* listing.page(0, 1);
}
