import { expect, it } from 'vitest';
import { fixtureLab, SIGNAGE } from '../support/fixture-lab.ts';

const players = { [`${SIGNAGE}/Players`]: { body: '[{"Id":1,"Name":"a"}]' } };
const zone = (timeZone: string) => ({ config: { timeZone } });

it('R12: a run that would replace another local day, because the zone was changed, is refused', async () => {
  await using lab = await fixtureLab(players, { ...zone('Europe/Berlin'), backup: null });
  const days = async () =>
    (await lab.rows('select distinct export_date::varchar as day from players_daily order by 1')).map(
      ({ day }) => day,
    );
  await lab.run('2026-11-26T03:00:00Z', undefined, zone('Europe/Berlin'));
  const moved = lab.run('2026-11-27T03:00:00Z', undefined, zone('America/New_York'));
  await expect(moved).rejects.toMatchObject({
    code: 'ZONE_MOVED',
    message: expect.stringContaining('this run would replace the rows of 2026-11-26'),
  });
  expect(await days()).toEqual(['2026-11-26']);
  // The cures: the next day in the new zone, or the old zone.
  await lab.run('2026-11-27T05:30:00Z', undefined, zone('America/New_York'));
  expect(await days()).toEqual(['2026-11-26', '2026-11-27']);
});

it('a second run of a day, and a zone that changes no day, are nothing to refuse', async () => {
  await using lab = await fixtureLab(players, { ...zone('Europe/Berlin'), backup: null });
  await lab.run('2026-11-26T03:00:00Z', undefined, zone('Europe/Berlin'));
  await lab.run('2026-11-26T05:00:00Z', undefined, zone('Europe/Berlin'));
  expect((await lab.run('2026-11-26T07:00:00Z', undefined, zone('Europe/Paris'))).status).toBe('complete');
  expect((await lab.run('2026-11-27T03:00:00Z', undefined, zone('Asia/Tokyo'))).status).toBe('complete');
});
