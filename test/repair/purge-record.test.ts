import { expect, it } from 'vitest';
import { readHead } from '#lib/lake/head.ts';
import { purgeRecord } from '#lib/repair/purge/purge-record.ts';
import { rebuild } from '#lib/repair/rebuild.ts';
import { verify } from '#lib/repair/verify.ts';
import type { ResourceName } from '#lib/sources/resources.ts';
import { contentHash } from '../support/content-hash.ts';
import { type FixtureLab, LAB_MASK_KEY, type Routes, SIGNAGE, signageLab } from '../support/fixture-lab.ts';
import { operatorServices } from '../support/lab-services.ts';
import { aDayLater, answers, DAYS, FORMS, filesHaving, IDS, PLAYER, ROWS } from '../support/purge-lab.ts';

const TABLES = [
  'players_daily',
  'screens_daily',
  'outcomes_daily',
  'changes',
  'rejects',
  'runs',
  'schema_columns_daily',
];

/** The last answer of a run may be one that was purged: a rebuild does not know when it came. */
const WITHOUT_TIMES = '* exclude (observed_at, duration_seconds)';

async function rowsOf(lab: FixtureLab, isLeft: (row: string) => boolean = () => true) {
  const all: Record<string, readonly string[]> = {};
  for (const table of TABLES) {
    const rows = await lab.rows(
      `select ${table === 'runs' ? WITHOUT_TIMES : '*'} from ${table} order by all`,
    );
    all[table] = rows
      .map((row) => JSON.stringify(row, (_, v) => (typeof v === 'bigint' ? String(v) : v)))
      .filter(isLeft);
  }
  return all;
}

const purged = (lab: FixtureLab, table: ResourceName, key: string, source?: string) =>
  purgeRecord({ record: { table, key }, source }, operatorServices(lab));

const withPlayers = (
  players: readonly object[],
  screens: Readonly<Record<string, readonly object[]>> = {},
  base = SIGNAGE,
): Routes => ({
  [`${base}/Players`]: { body: JSON.stringify(players) },
  ...Object.fromEntries(
    Object.entries(screens).map(([id, own]) => [
      `${base}/Players/${encodeURIComponent(id)}/Screens`,
      { body: JSON.stringify(own) },
    ]),
  ),
});

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
    const { found } = await purged(lab, 'players', PLAYER.id);
    expect(found.record?.tables.map(({ table, rows, dates }) => [table, rows, dates.length])).toEqual([
      ['changes', 6, 2],
      ['outcomes', 6, 3],
      ['players', 3, 3],
      ['rejects', 1, 1],
      ['screens', 6, 3],
    ]);
    expect(await rowsOf(lab)).toEqual(before);
    expect(await verify(100, operatorServices(lab))).toMatchObject({ found: [], unknown: 0 });
    const hash = await contentHash(lab.lake);
    await rebuild('2026-11-20', aDayLater(lab));
    expect(await contentHash(lab.lake)).toEqual(hash);
    expect(await rowsOf(lab)).toEqual(before);
    expect(await filesHaving(lab, [PLAYER.id, PLAYER.name])).toEqual([]);

    const next = await lab.run('2026-11-23T03:00:00Z', answers(3, wrap, PLAYER.id));
    expect(next).toMatchObject({
      status: 'complete',
      tables: { players: { rows: 4, added: 0, removed: 0 } },
    });
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
  const { found } = await purged(lab, 'screens', 'pl-2/pl-2-s1');
  expect(found).toMatchObject({ raw: { files: 3 }, record: { source: 'berlin' } });
  expect(await rowsOf(lab)).toEqual(before);
  const hash = await contentHash(lab.lake);
  await rebuild('2026-11-20', aDayLater(lab));
  expect(await contentHash(lab.lake)).toEqual(hash);
  expect(await filesHaving(lab, ['pl-2-s1'])).toEqual([]);
});

it.each([
  ['a/b#c%d', 'a/b%23c%25d'],
  ['O\'Hara "x"', 'O\'Hara "x"'],
  ['-f', '-f'],
  ['Ünïcødé 🙂', 'Ünïcødé 🙂'],
])(
  'purge --record finds a player with the id %s by its key, and not one in another case',
  async (id, key) => {
    const players = [
      { Id: id, Name: 'Frau Musterfrau' },
      { Id: 'x', Name: 'X' },
      { Id: 'X', Name: 'Y' },
    ];
    await using lab = await signageLab(
      withPlayers(players, { [id]: [{ Id: 1, Label: 'musterlabel' }], x: [{ Id: 1, Label: 'x' }] }),
    );
    await lab.run('2026-11-20T03:00:00Z');
    expect(await lab.rows(`select record_key from players where player_id = $$${id}$$`)).toEqual([
      { record_key: key },
    ]);
    await purged(lab, 'players', key);
    const hash = await contentHash(lab.lake);
    await rebuild('2026-11-20', aDayLater(lab));
    expect(await contentHash(lab.lake)).toEqual(hash);
    expect(await filesHaving(lab, ['Musterfrau', 'musterlabel', JSON.stringify(id)])).toEqual([]);
    await purged(lab, 'players', 'x');
    expect(await lab.rows('select record_key from players')).toEqual([{ record_key: 'X' }]);
  },
);

it('purge --record takes all records of one id, and one without an id by the hash of what is shown', async () => {
  const players = [
    { Id: 1, Name: 'Eins' },
    { Id: 2, Name: 'Zwei', Pin: '1234' },
    { Id: 2, Name: 'Zwei noch einmal', Pin: '9876' },
    { Name: 'Ohne Nummer', Pin: '5555' },
  ];
  const settings = {
    signage: { resources: { players: { id: 'Id', mask: ['Pin'] } } },
    config: { maskSecret: 'lab/mask' },
  };
  await using lab = await signageLab(withPlayers(players), settings);
  await lab.run('2026-11-20T03:00:00Z');
  const keys = async () =>
    (await lab.rows('select record_key from players order by all')).map((row) => String(row['record_key']));
  expect(await keys()).toEqual(['1', '2', '2#2', expect.stringMatching(/^~[0-9a-f]{32}$/)]);
  await purged(lab, 'players', '2#2');
  expect((await keys()).slice(0, -1)).toEqual(['1']);
  const services = { ...operatorServices(lab), maskKey: async () => LAB_MASK_KEY };
  await purgeRecord({ record: { table: 'players', key: (await keys()).at(-1) ?? '' } }, services);
  expect(await keys()).toEqual(['1']);
  await rebuild('2026-11-20', { ...aDayLater(lab), maskKey: async () => LAB_MASK_KEY });
  expect(await filesHaving(lab, ['Zwei', 'Ohne Nummer', '5555', '9876'])).toEqual([]);
});

it('purge --record cuts one record out of a long answer, and each other value is read as before', async () => {
  const record = (n: number) =>
    `{"Id": ${n},  "Name": "N ${n} \\ud83d \\"]},{", "Serial": 9007199254740993${n}, "Twice": 1, "Twice": ${n}, "Text": "${'x'.repeat(1500)}"}`;
  const body = `{"data":[${Array.from({ length: 200 }, (_, n) => record(n + 100)).join(' ,\n')}],"total":200}`;
  await using lab = await signageLab({ [`${SIGNAGE}/Players`]: { body } });
  await lab.run('2026-11-20T03:00:00Z');
  const before = await rowsOf(lab, (row) => !/\b250\b/.test(row));
  for (const key of ['100', '250', '251', '299']) await purged(lab, 'players', key);
  const after = Object.fromEntries(
    Object.entries(before).map(([table, rows]) => [
      table,
      rows.filter((row) => !/"(100|250|251|299)"/.test(row)),
    ]),
  );
  expect(await rowsOf(lab)).toEqual(after);
  expect(after['players_daily']).toHaveLength(196);
  await rebuild('2026-11-20', aDayLater(lab));
  // A note that counts all parents counts those that are left.
  const { outcomes_daily: _, ...values } = after;
  expect(await rowsOf(lab)).toMatchObject(values);
  expect(await filesHaving(lab, ['N 250', '"250"', '9007199254740993250'])).toEqual([]);
});

/** Pages without a total, so that a player that they lack is asked for nevertheless: here it is gone. */
function pages(listed: readonly string[]): Routes {
  return {
    [`${SIGNAGE}/Players`]: (request) => {
      const page = Number(new URL(request.url ?? '', 'http://x').searchParams.get('page') ?? 1);
      const rows = listed.slice((page - 1) * 2, page * 2).map((Id) => ({ Id, Name: `N ${Id}` }));
      return { body: JSON.stringify({ data: rows, page }) };
    },
    ...Object.fromEntries(
      IDS.map((id) => [
        `${SIGNAGE}/Players/${id}/Screens`,
        listed.includes(id) ? { body: JSON.stringify([{ Id: `s-${id}` }]) } : { status: 404, body: '' },
      ]),
    ),
  };
}

it('purge --record takes out a player that pages lacked, and the next run does not ask for it', async () => {
  await using lab = await signageLab(pages(IDS));
  await lab.run('2026-11-20T03:00:00Z');
  const left = IDS.filter((id) => id !== PLAYER.id);
  await lab.run('2026-11-21T03:00:00Z', pages(left));
  expect(JSON.stringify(await readHead(lab.lake))).toContain(PLAYER.id);
  const runs = () => lab.rows(`select ${WITHOUT_TIMES} from runs order by all`);
  const before = await runs();
  await purged(lab, 'players', PLAYER.id);
  const hash = await contentHash(lab.lake);
  await rebuild('2026-11-20', aDayLater(lab));
  expect(await contentHash(lab.lake)).toEqual(hash);
  expect(await runs()).toEqual(before);
  expect(await filesHaving(lab, [PLAYER.id])).toEqual([]);
  const asked = lab.server.requests.length;
  await lab.run('2026-11-22T03:00:00Z');
  expect(JSON.stringify(lab.server.requests.slice(asked))).not.toContain(PLAYER.id);
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
  const before = await contentHash(lab.lake);
  const refused = async (key: string, error: object, source?: string) =>
    await expect(purged(lab, 'players', key, source)).rejects.toMatchObject(error);
  await refused('1', {
    code: 'RECORD_AMBIGUOUS',
    message: expect.stringContaining('name one of north, south with --source'),
  });
  await refused('9', { code: 'RECORD_UNKNOWN' });
  await refused('2', { code: 'RECORD_UNKNOWN', message: expect.stringContaining('of north') }, 'north');
  expect(await contentHash(lab.lake)).toEqual(before);
  await purged(lab, 'players', '1', 'south');
  await purged(lab, 'players', '2');
  expect(await lab.rows('select export_source, name from players')).toEqual([
    { export_source: 'north', name: 'A' },
  ]);
  await purged(lab, 'players', '1');
  await refused('1', { code: 'RECORD_UNKNOWN' });
});
