import { fault } from './fault.ts';

export const nextLink = fault({
  name: 'next-link',
  summary: 'the links to further pages lead to another origin, which records the headers it gets',
  rate: 1,
  create: (_, { secondOrigin }) => ({ linkOrigin: secondOrigin }),
});
