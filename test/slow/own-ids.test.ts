import { expect, it } from 'vitest';
import { SIGNAGE, signageLab } from '../support/fixture-lab.ts';

const DAYS = ['2026-11-20T03:00:00Z', '2026-11-21T03:00:00Z'] as const;
const players = (...bodies: string[]) => ({ [`${SIGNAGE}/Players`]: { body: `[${bodies.join(',')}]` } });
const COLUMNS = "select column_name from schema_columns where table_name = 'players' order by 1";

async function columnsOf(lab: { rows(sql: string): Promise<readonly Record<string, unknown>[]> }) {
  return (await lab.rows(COLUMNS)).map(({ column_name }) => column_name);
}

it.each<[string, string[], string[], string[]]>([
  ['PlayerId', ['{"PlayerId":7,"Name":"a"}', '{"PlayerId":8,"Name":"b"}'], ['name'], ['7', '8']],
  ['player-id', ['{"player-id":"x/1","name":"a"}', '{"player-id":"ü","name":"b"}'], ['name'], ['x/1', 'ü']],
  [
    'Id and PlayerId that are the same',
    ['{"Id":7,"PlayerId":"7"}', '{"Id":8,"PlayerId":8}', '{"Id":9,"PlayerId":null}'],
    ['id'],
    ['7', '8', '9'],
  ],
])('%s of a player is player_id, not a second column', async (_, bodies, columns, ids) => {
  await using lab = await signageLab(players(...bodies));
  for (const day of DAYS) await lab.run(day);
  expect(await columnsOf(lab)).toEqual(columns);
  expect((await lab.rows('select player_id from players order by 1')).map((row) => row.player_id)).toEqual(
    ids,
  );
});

it.each<[string, string[]]>([
  ['differs from the id', ['{"Id":7,"PlayerId":70}', '{"Id":8,"PlayerId":8}']],
  ['is no id in a record', ['{"Id":7,"PlayerId":7.5}', '{"Id":8,"PlayerId":8}']],
  ['is empty in a record', ['{"Id":7,"PlayerId":""}', '{"Id":8,"PlayerId":8}']],
  ['has another half of a pair', ['{"Id":"\\ud83d","PlayerId":"\\ud83e"}', '{"Id":8,"PlayerId":8}']],
])('a PlayerId that %s has a column of its own: no value is lost', async (_, bodies) => {
  await using lab = await signageLab(players(...bodies));
  await lab.run(DAYS[0]);
  expect(await columnsOf(lab)).toEqual(['id', 'player_id_2']);
});

it('a PlayerId that differs later gets its column then, and keeps it', async () => {
  await using lab = await signageLab(players('{"Id":7,"PlayerId":7}'));
  await lab.run(DAYS[0]);
  expect(await columnsOf(lab)).toEqual(['id']);
  await lab.run(DAYS[1], players('{"Id":7,"PlayerId":8}'));
  expect(await lab.rows('select player_id, player_id_2 from players')).toEqual([
    { player_id: '7', player_id_2: 8 },
  ]);
  await lab.run('2026-11-22T03:00:00Z', players('{"Id":7,"PlayerId":7}'));
  expect(await lab.rows('select player_id, player_id_2 from players')).toEqual([
    { player_id: '7', player_id_2: 7 },
  ]);
});

it("a screen's PlayerId that is its player's is player_id", async () => {
  await using lab = await signageLab({
    ...players('{"Id":7}'),
    [`${SIGNAGE}/Players/7/Screens`]: { body: '[{"Id":1,"PlayerId":7},{"Id":2,"Player":{"Id":7}}]' },
  });
  await lab.run(DAYS[0]);
  expect(await lab.rows('select * exclude (exported_at, export_run_id) from screens order by id')).toEqual([
    { export_source: 'berlin', record_key: '7/1', player_id: '7', id: 1 },
    { export_source: 'berlin', record_key: '7/2', player_id: '7', id: 2 },
  ]);
});
