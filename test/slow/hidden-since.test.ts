import { expect, it } from 'vitest';
import { signage } from '#lib/sources/signage.ts';
import { SIGNAGE, signageLab } from '../support/fixture-lab.ts';
import { maskOf } from '../support/mask-of.ts';

const served = (body: string) => ({ [`${SIGNAGE}/Players`]: { body } });
/** Settings of players, where no answer outlives its run. */
const withoutRaw = (settings: object) => ({
  config: { maskSecret: 'lab/mask', rawRetentionDays: 0 },
  signage: { resources: { players: settings } },
});
const { basePath } = signage.defaults;
const at = (day: number) => `2026-11-0${day}T03:00:00Z`;

it('a source that has left the config shows what it showed, and nothing of what it dropped', async () => {
  await using lab = await signageLab(served('[{"Id":1,"Note":"a","Pin":"0123","Pin":"0456"}]'));
  // Both are at the same address.
  const fleet = (drop: readonly string[]) => ({ basePath, resources: { players: { drop } } });
  await lab.run(at(1), undefined, { fleets: { berlin: fleet([]), paris: fleet(['Pin']) } });
  const rejects = () => lab.rows('select distinct export_source as source, raw_value from rejects');
  expect(await rejects()).toEqual([{ source: 'berlin', raw_value: '0456' }]);
  await lab.run(at(2), undefined, { fleets: { berlin: fleet([]) } }, { acceptSourceRemoval: ['paris'] });
  const daily = 'select export_date::varchar as day, export_source as source, note, pin from players_daily';
  expect(await lab.rows(`${daily} order by all`)).toEqual([
    { day: '2026-11-01', source: 'berlin', note: 'a', pin: '0123' },
    { day: '2026-11-01', source: 'paris', note: 'a', pin: null },
    { day: '2026-11-02', source: 'berlin', note: 'a', pin: '0123' },
  ]);
  expect(await rejects()).toEqual([{ source: 'berlin', raw_value: '0456' }]);
});

it('masks that outlive their raw answers do not keep the config from giving their column a wider type', async () => {
  await using lab = await signageLab(served('[{"Id":1,"Size":5}]'));
  const run = (day: number, columns: object) =>
    lab.run(at(day), undefined, withoutRaw({ mask: ['Size'], columns }));
  await run(1, {});
  const { sources } = await run(2, { size: { type: 'decimal(38,9)' } });
  expect(sources[0]?.questions).toEqual([]);
  const mask = { size: maskOf('players.size', '5') };
  expect(await lab.rows('select size from players_daily')).toEqual([mask, mask]);
});
