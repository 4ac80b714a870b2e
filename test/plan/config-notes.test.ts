import { expect, it } from 'vitest';
import { signage } from '#lib/sources/signage.ts';
import { SIGNAGE, signageLab } from '../support/fixture-lab.ts';

it('another timeZone of the config is noted on its first run, even if it overwrites no day', async () => {
  const routes = { [`${SIGNAGE}/Players`]: { body: '[{"Id":1}]' } };
  await using lab = await signageLab(routes);
  const notes = async (date: number, timeZone: string) => {
    const config = { timeZone };
    const { status, sources } = await lab.run(`2026-11-${date}T03:00:00Z`, undefined, { config });
    return [status, ...(sources[0]?.notes ?? []).filter(({ code }) => code === 'TIME_ZONE_CHANGED')];
  };
  expect(await notes(20, 'UTC')).toEqual(['complete']);
  const says =
    'Days begin and end by the clocks of Pacific/Auckland from 2026-11-21 on; before, by those of UTC';
  expect(await notes(21, 'Pacific/Auckland')).toMatchObject(['complete', { says }]);
  expect(await notes(22, 'Pacific/Auckland')).toEqual(['complete']);
});

it('a source that is new in a lake is noted on its first run', async () => {
  const { basePath } = signage.defaults;
  await using lab = await signageLab({ [`${SIGNAGE}/Players`]: { body: '[{"Id":1},{"Id":2}]' } });
  const notes = async (date: number, ...names: readonly string[]) => {
    const fleets = Object.fromEntries(names.map((name) => [name, { basePath }]));
    const { sources } = await lab.run(`2026-11-${date}T03:00:00Z`, undefined, { fleets });
    return sources.map((source) => source.notes.map(({ code, says }) => [code, says]));
  };
  expect(await notes(20, 'berlin')).toEqual([[]]);
  const says = expect.stringContaining(
    'its 2 records of players, and all others, are counted from 2026-11-21 on',
  );
  expect(await notes(21, 'berlin', 'paris')).toEqual([[], [['SOURCE_ADDED', says]]]);
  expect(await notes(22, 'berlin', 'paris')).toEqual([[], []]);
});
