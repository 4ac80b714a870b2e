import { fault, listsParents } from './fault.ts';

export const halved = fault({
  name: 'halved',
  summary: '200 with the first half of the listing, and a total that agrees with it',
  rate: 1,
  about: listsParents,
  create: () => ({
    listing: (listing) => {
      const count = Math.floor(listing.count / 2);
      return {
        ...listing,
        count,
        page: (offset, limit) => listing.page(offset, Math.min(limit, count - offset)),
      };
    },
  }),
});
