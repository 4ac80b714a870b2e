import { expect, it } from 'vitest';
import { type Routes, SIGNAGE, signageLab } from '../support/fixture-lab.ts';

const screen = (id: number) => ({ Id: id, IsOn: true });
/** One player, whose screens come with headers that no word list knows. */
const world = (screens: unknown, headers: Record<string, string>): Routes => ({
  [`${SIGNAGE}/Players`]: { body: JSON.stringify([{ Id: 1 }]) },
  [`${SIGNAGE}/Players/1/Screens`]: { body: JSON.stringify(screens), headers },
});
const FIRST = '2026-11-20T03:00:00Z';
const SECOND = '2026-11-21T03:00:00Z';
const items = { signage: { resources: { screens: { items: 'value', id: 'Id' } } } };

it('headers about pages beside one record are asked about, for tomorrow a list stands there', async () => {
  await using lab = await signageLab(
    world({ value: screen(1) }, { 'x-kaljor-fli': '3', 'x-nuv-zap': '1' }),
    items,
  );
  const [source] = (await lab.run(FIRST)).sources;
  expect(source).toMatchObject({ status: 'failed', error: { code: 'PAGING_UNPROVEN' } });
  expect(source?.error?.message).toContain('x-nuv-zap');
  // Nobody has answered: three of nine records are not taken for all.
  const cut = world({ value: [1, 2, 3].map(screen) }, { 'x-kaljor-fli': '3', 'x-nuv-zap': '9' });
  const [second] = (await lab.run(SECOND, cut, items)).sources;
  expect(second?.status).not.toBe('complete');
});

it('a header that is the same beside each answer is no question', async () => {
  await using lab = await signageLab(world({ value: screen(1) }, { 'x-api-level': 'gold' }), items);
  expect((await lab.run(FIRST)).sources[0]?.status).toBe('complete');
});
