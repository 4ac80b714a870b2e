import { fault } from './fault.ts';

export const rotate = fault({
  name: 'rotate',
  summary: 'the key changes, once for each API, and the old one is refused; @from=N: at the Nth request',
  rate: 1,
  create: (_, { rotateKey }) => {
    const done = new Set<string>();
    return {
      answer: ({ kind }) => {
        if (!done.has(kind)) rotateKey(kind);
        done.add(kind);
        return undefined;
      },
    };
  },
});
