import { expect, it } from 'vitest';
import { signageViewLab } from '../queries/view-lab.ts';

it('coverage counts what was promised: the children of players that a listing lacks count too', async () => {
  await using lab = await signageViewLab();
  const day = (count: number) => {
    const ids = Array.from({ length: count }, (_, index) => index + 1);
    return {
      players: ids.map((Id) => ({ Id, Name: `P${Id}` })),
      screens: Object.fromEntries(ids.map((id) => [id, [{ Id: 1, IsOn: true }]])),
    };
  };
  const coverage = async (at: string, count: number) => {
    const { sources } = await lab.run(at, day(count));
    return sources[0]?.coverage;
  };
  expect(await coverage('2026-11-20T03:00:00Z', 24)).toBe(1);
  // Licences and groups, and two listings of each of 6 players, where players and two of each of 24 were promised.
  expect(await coverage('2026-11-21T03:00:00Z', 6)).toBe((2 + 2 * 6) / (3 + 2 * 24));
  expect(await coverage('2026-11-22T03:00:00Z', 24)).toBe(1);
});
