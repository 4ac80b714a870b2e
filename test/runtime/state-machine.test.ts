import { expect, it } from 'vitest';
import { collect } from '#lib/collect/collect.ts';
import { interpret } from '#lib/runtime/state-machine.ts';

const LISTED = { pass: 0, width: 1, waitSeconds: 0, again: false };

/** The states that a source enters, where list answers `work` and the first call of collect leaves `left`. */
async function statesOf(work: object, left: 0 | 1 | 2): Promise<readonly string[]> {
  const entered: string[] = [];
  await interpret(
    { runId: '2026-11-20T0300', attempt: 1, sources: ['a'] },
    {
      List: async () => ({ ...LISTED, ...work }),
      Collect: async (event) => ({ left: 'more' in (event as object) ? left : 0 }),
      Sweep: async () => ({ ...LISTED, pass: 1, batches: [] }),
      Plan: async () => ({ width: 1, units: [0], ledger: 1 }),
      PublishUnit: async () => null,
      Ledger: async () => null,
      Commit: async () => ({ status: 'complete' }),
    },
    { onStateEntered: (name) => entered.push(name) },
  );
  return entered.slice(1, entered.indexOf('Plan'));
}

const MANY = { batches: [0, 1, 2, 3, 4, 5], now: [0, 1, 2, 3], rest: [4, 5], more: true };
const AFTER = [
  'List',
  'Collect',
  'Rest',
  'WhatIsLeft',
  'Batches',
  'CollectAgain',
  'CollectAgain',
  'AnythingLeft',
];

it('a source with many batches enters three states, four more, and one for each batch after the first call', async () => {
  expect(await statesOf(MANY, 2)).toEqual([...AFTER, 'RestEnded']);
});

it('what the first call left is swept, also where the batches after it left nothing', async () => {
  expect(await statesOf(MANY, 1)).toEqual([...AFTER, 'Sweep', 'AnythingToCollect', 'RestEnded']);
  const few = { batches: [0, 1], now: [0, 1], rest: [], more: false };
  const swept = ['List', 'Collect', 'Rest', 'WhatIsLeft', 'Sweep', 'AnythingToCollect', 'RestEnded'];
  expect(await statesOf(few, 1)).toEqual(swept);
  expect(await statesOf(few, 0)).toEqual(['List', 'Collect', 'Rest']);
});

it('the first call of collect says that the flow goes on, also without batches of its own', async () => {
  const event = { runId: '2026-11-20T0300', attempt: 1, source: 'a', pass: 0, width: 1, batches: [] };
  const services = {} as Parameters<typeof collect>[1];
  expect(await collect({ ...event, more: true }, services)).toEqual({ left: 2 });
  expect(await collect({ ...event, more: false }, services)).toEqual({ left: 0 });
});
