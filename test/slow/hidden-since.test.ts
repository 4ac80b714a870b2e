import { expect, it } from 'vitest';
import { signage } from '#lib/sources/signage.ts';
import { SIGNAGE, signageLab } from '../support/fixture-lab.ts';

const served = (body: string) => ({ [`${SIGNAGE}/Players`]: { body } });
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
