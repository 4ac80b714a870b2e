import { fault, hasParent } from './fault.ts';

export const gone = fault({
  name: 'gone',
  summary: 'the children of some parents, always the same ones, answer 404',
  rate: 0.02,
  about: hasParent,
  decidedBy: 'parent',
  create: () => ({
    answer: ({ parentUnknown }) => parentUnknown(),
  }),
});
