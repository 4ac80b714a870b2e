import { fault, hasParent } from './fault.ts';

export const denied = fault({
  name: 'denied',
  summary: 'the children of some parents, always the same ones, answer 403',
  rate: 0.01,
  about: hasParent,
  decidedBy: 'parent',
  create: () => ({
    answer: ({ error }) => error(403, 'forbidden', 'Access to this resource is denied.'),
  }),
});
