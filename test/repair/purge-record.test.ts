import { expect, it } from 'vitest';
import { rebuild } from '#lib/repair/rebuild.ts';
import { verify } from '#lib/repair/verify.ts';
import { SIGNAGE, signageLab } from '../support/fixture-lab.ts';
import {
  aDayLater,
  answers,
  DAYS,
  FORMS,
  filesHaving,
  operators,
  PLAYER,
  purged,
  ROWS,
  rowsOf,
  withPlayers,
} from '../support/purge-lab.ts';
import { tablesAsText } from '../support/same-tables.ts';

it.each(Object.entries(FORMS))(
  'purge --record takes a player out of all days, and leaves all else: %s',
  async (form, wrap) => {
    await using lab = await signageLab({}, form.startsWith('rows') ? ROWS : {});
    for (const [day, at] of DAYS.entries()) {
      const s = await lab.run(at, answers(day, wrap));
      expect(s.status).toBe('complete');
    }
    const isOther = (row: string) => !row.includes(PLAYER.id) && !row.includes(PLAYER.name);
    const before = await rowsOf(lab, isOther);
    const { changes } = await purged(lab, 'players', PLAYER.id);
    expect(changes?.record?.tables.map(({ table, rows, dates }) => [table, rows, dates.length])).toEqual([
      ['changes', 6, 2],
      ['outcomes', 6, 3],
      ['players', 3, 3],
      ['rejects', 1, 1],
      ['screens', 6, 3],
    ]);
    expect(await rowsOf(lab)).toEqual(before);
    expect(await verify(100, operators(lab))).toMatchObject({ found: [], unknown: 0 });
    const counts = () => lab.flat('select distinct ok + empty from runs');
    expect(await counts()).toEqual([13]);
    await rebuild('2026-11-20', aDayLater(lab));
    expect(await rowsOf(lab)).toEqual(before);
    expect(await counts()).toEqual([11]);
    expect(await filesHaving(lab, [PLAYER.id, PLAYER.name])).toEqual([]);

    const next = await lab.run('2026-11-23T03:00:00Z', answers(3, wrap, PLAYER.id));
    const players = { rows: 4, added: 0, removed: 0 };
    expect(next).toMatchObject({ status: 'complete', tables: { players } });
    await lab.run('2026-11-24T03:00:00Z', answers(4, wrap));
    expect(
      await lab.rows(
        "select record_key from changes where change = 'added' and table_name = 'players' and export_run_id > '20261123'",
      ),
    ).toEqual([{ record_key: PLAYER.id }]);
  },
);

it('purge --record takes one screen out, and its player and the other screens stay with all counts', async () => {
  await using lab = await signageLab({});
  for (const [day, at] of DAYS.entries())
    await lab.run(at, answers(day, FORMS['a list with its total, and a name next to it']));
  const before = await rowsOf(lab, (row) => !row.includes('"pl-2/pl-2-s1"'));
  const { changes } = await purged(lab, 'screens', 'pl-2/pl-2-s1');
  expect(changes).toMatchObject({ raw: { files: 3 }, record: { source: 'berlin' } });
  expect(await rowsOf(lab)).toEqual(before);
  await rebuild('2026-11-20', aDayLater(lab));
  expect(await rowsOf(lab)).toEqual(before);
  expect(await filesHaving(lab, ['pl-2-s1'])).toEqual([]);
});

it('purge --record names the sources of an id that several have, and changes nothing for an unknown one', async () => {
  const base = (name: string) => `/${name}${SIGNAGE}`.replace('/v1.12', '/v1.12');
  await using lab = await signageLab(
    {
      ...withPlayers([{ Id: 1, Name: 'A' }], {}, base('north')),
      ...withPlayers(
        [
          { Id: 1, Name: 'B' },
          { Id: 2, Name: 'C' },
        ],
        {},
        base('south'),
      ),
    },
    { fleets: { north: {}, south: {} } },
  );
  await lab.run('2026-11-20T03:00:00Z');
  const before = await tablesAsText(lab.lake);
  const refused = async (key: string, error: object, source?: string) =>
    await expect(purged(lab, 'players', key, source)).rejects.toMatchObject(error);
  await refused('1', {
    code: 'RECORD_AMBIGUOUS',
    message: expect.stringContaining('name one of north, south with --source'),
  });
  await refused('9', { code: 'RECORD_UNKNOWN' });
  await refused('2', { code: 'RECORD_UNKNOWN', message: expect.stringContaining('of north') }, 'north');
  expect(await tablesAsText(lab.lake)).toEqual(before);
  await purged(lab, 'players', '1', 'south');
  await purged(lab, 'players', '2');
  expect(await lab.rows('select export_source, name from players')).toEqual([
    { export_source: 'north', name: 'A' },
  ]);
  await purged(lab, 'players', '1');
  await refused('1', { code: 'RECORD_UNKNOWN' });
});
