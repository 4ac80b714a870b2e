import { expect, it } from 'vitest';
import { type Routes, SIGNAGE, signageLab } from '../support/fixture-lab.ts';

const screen = (id: number) => ({ Id: id, IsOn: true });
/** One player, whose screens come with headers that no word list knows. */
const world = (screens: unknown, headers: Record<string, string>): Routes => ({
  [`${SIGNAGE}/Players`]: { body: JSON.stringify([{ Id: 1 }]) },
  [`${SIGNAGE}/Players/1/Screens`]: { body: JSON.stringify(screens), headers },
});
const FIRST = '2026-11-20T03:00:00Z';
const items = { signage: { resources: { screens: { items: 'value', id: 'Id' } } } };

it('a header that is the same beside each answer is no question', async () => {
  await using lab = await signageLab(world({ value: screen(1) }, { 'x-api-level': 'gold' }), items);
  expect((await lab.run(FIRST)).sources[0]?.status).toBe('complete');
});
