import { expect, it } from 'vitest';
import { createTurns } from '#lib/api/call/turns.ts';

it('turns come in the order in which they were asked for, and what the event loop has goes before them', async () => {
  const turn = createTurns();
  const seen: (number | string)[] = [];
  const all = Array.from({ length: 20 }, async (_, index) => {
    await turn();
    seen.push(index);
  });
  setImmediate(() => seen.push('loop'));
  await Promise.all(all);
  expect(seen.filter((each) => each !== 'loop')).toEqual(Array.from({ length: 20 }, (_, index) => index));
  expect(seen.indexOf('loop')).toBeLessThan(10);
  await turn();
});

it('who asks while others wait is behind them', async () => {
  const turn = createTurns();
  const seen: string[] = [];
  const ask = async (name: string) => {
    await turn();
    seen.push(name);
  };
  const first = ask('first').then(() => ask('again'));
  await Promise.all([
    first,
    ask('second'),
    ...Array.from({ length: 10 }, (_, index) => ask(`more ${index}`)),
  ]);
  expect(seen.at(-1)).toBe('again');
});
