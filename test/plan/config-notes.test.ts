import { expect, it } from 'vitest';
import { SIGNAGE, signageLab } from '../support/fixture-lab.ts';

it('another timeZone of the config is noted on its first run, even if it overwrites no day', async () => {
  const routes = { [`${SIGNAGE}/Players`]: { body: '[{"Id":1}]' } };
  await using lab = await signageLab(routes);
  const notes = async (date: number, timeZone: string) => {
    const { status, sources } = await lab.run(`2026-11-${date}T03:00:00Z`, undefined, {
      config: { timeZone },
    });
    return [status, ...(sources[0]?.notes ?? []).filter(({ code }) => code === 'TIME_ZONE_CHANGED')];
  };
  expect(await notes(20, 'UTC')).toEqual(['complete']);
  expect(await notes(21, 'Pacific/Auckland')).toMatchObject([
    'complete',
    {
      says: 'Days begin and end by the clocks of Pacific/Auckland from 2026-11-21 on; before, by those of UTC',
    },
  ]);
  expect(await notes(22, 'Pacific/Auckland')).toEqual(['complete']);
});
