import { expect, it } from 'vitest';
import { SIGNAGE, signageLab } from '../support/fixture-lab.ts';

const DAY = '2026-11-20T03:00:00Z';
const screensOf = (path: string, number: number) => ({
  [`${SIGNAGE}/Players/${path}/Screens`]: { body: `[{"Id":1,"Number":${number}}]` },
});
const players = (...ids: readonly string[]) => ({
  [`${SIGNAGE}/Players`]: { body: `[${ids.map((id, at) => `{"Id":${id},"Name":"P${at}"}`).join()}]` },
});
const MANY = Array.from({ length: 200 }, (_, at) => String(100 + at));

it('5 and "5" are one id, which comes twice: both rows stay, and its screens are asked for once', async () => {
  await using lab = await signageLab({ ...players('5', '"5"', ...MANY), ...screensOf('5', 7) });
  await lab.run(DAY);
  expect(await lab.rows(`select record_key, name from players where player_id = '5' order by 1`)).toEqual([
    { record_key: '5', name: 'P0' },
    { record_key: '5#2', name: 'P1' },
  ]);
  expect(await lab.rows('select player_id, number from screens')).toEqual([{ player_id: '5', number: 7 }]);
});

it('an id that is 5 today and "5" tomorrow is the same record', async () => {
  await using lab = await signageLab(players('5', '6'));
  await lab.run(DAY);
  await lab.run('2026-11-21T03:00:00Z', players('"5"', '"6"'));
  expect(await lab.rows(`select * from changes where change <> 'changed'`)).toEqual([]);
});
