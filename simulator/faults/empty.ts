import { arrayListing } from '../world/listing.ts';
import { fault, listsParents } from './fault.ts';

export const empty = fault({
  name: 'empty',
  summary: '200 with an empty listing',
  rate: 1,
  about: listsParents,
  create: () => ({ listing: (listing) => arrayListing(listing, []) }),
});
