import { expect, it } from 'vitest';
import { addPurge } from '#cli/purge.ts';
import { fixtureLab, SIGNAGE, signageLab } from '../support/fixture-lab.ts';
import { placesOf, saidBy } from './support.ts';

it('purge of a source that is not there names those that are, the one that was meant, and in the end that there is none', async () => {
  await using lab = await fixtureLab({ [`${SIGNAGE}/Players`]: { body: '[{"Id":1}]' } });
  await lab.run('2026-11-20T03:00:00Z');
  const places = await placesOf(lab);
  const purge = (source: string) => saidBy(addPurge, 'purge', '--source', source, ...places);
  const refused = async (source: string, cure: string) =>
    await expect(purge(source)).rejects.toMatchObject({
      code: 'SOURCE_UNKNOWN',
      message: `${lab.lake.name} has no data of a source "${source}": ${cure}`,
    });

  await refused('hamburg', 'name one of berlin, vault.');
  await refused('berln', 'did you mean berlin?');
  expect(await purge('berlin')).toContain('No table and no raw answer holds data of berlin any more');
  await refused('berlin', 'name one of vault.');
  expect(await purge('vault')).toContain('The config still has it, so the next run exports it again');
  await refused('vault', 'it has no data of any source.');
});

it('purge --record says where the record was, finds a key that begins with a dash behind --, and refuses what names none', async () => {
  await using lab = await signageLab({
    [`${SIGNAGE}/Players`]: { body: '[{"Id":"-7","Name":"A"},{"Id":"8","Name":"B"}]' },
  });
  await lab.run('2026-11-20T03:00:00Z');
  await lab.run('2026-11-21T03:00:00Z');
  const places = await placesOf(lab);
  const purge = (...words: readonly string[]) => saidBy(addPurge, 'purge', ...places, ...words);
  const refused = async (words: readonly string[], message: string) =>
    await expect(purge(...words)).rejects.toThrow(message);

  await refused([], 'Name what to remove: --source NAME, or --record TABLE KEY.');
  await refused(['8'], 'A key needs its table: `purge --record TABLE KEY`.');
  await refused(['--record', 'players'], 'A KEY that begins with - comes last, after --.');
  await refused(['--record', 'player', '8'], '"player" is no table of records: did you mean players?');
  await refused(
    ['--record', 'players', '9'],
    'has no record "9" in players. The key is what the column record_key shows.',
  );

  const whole =
    'of berlin was in outcomes (4 rows, 2026-11-20 to 2026-11-21), players (2 rows, 2026-11-20 to 2026-11-21) and';
  expect(await purge('--record', 'players', '--dry-run', '--', '-7')).toMatch(
    /^-7 of players of berlin is in .* Nothing is changed\.\n$/s,
  );
  const said = await purge('--record', 'players', '--', '-7');
  expect(said).toContain(`-7 of players ${whole}`);
  expect(said).toContain(
    'While the API lists it, each run exports it again, and no setting prevents that: remove it there.',
  );
  expect(await lab.rows('select distinct record_key from players_daily')).toEqual([{ record_key: '8' }]);
  expect(JSON.parse(await purge('--record', 'players', '8', '--source', 'berlin', '--json'))).toMatchObject({
    table: 'players',
    key: '8',
    record: { source: 'berlin', tables: [{ table: 'outcomes' }, { table: 'players', rows: 2 }] },
  });
});
