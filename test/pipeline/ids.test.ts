import { describe, expect, it } from 'vitest';
import { routesBy, SIGNAGE, signageLab } from '../support/fixture-lab.ts';
import { fleetRoutes, screenRoutes } from '../support/fleet-routes.ts';

const PLAYERS = Array.from({ length: 12 }, (_, index) => ({ Id: index + 1, Name: `P${index + 1}` }));

/** Screens of each player; `idOf` is the id of the player that its records name. */
const routes = (idOf: (player: number) => unknown) =>
  fleetRoutes(PLAYERS, (id) => [{ Number: 1, DisplayName: `of ${idOf(id)}`, PlayerId: idOf(id) }]);

const own = (player: number): number => player;
/** The answer to the player before comes to player 12. */
const shifted = (player: number): number => (player === 12 ? 11 : player);

it('screens that name another player than the one that was asked for are not published as its own', async () => {
  await using lab = await signageLab(routes(own));
  expect((await lab.run('2026-11-20T03:00:00Z')).sources[0]?.status).toBe('complete');
  const { sources } = await lab.run('2026-11-21T03:00:00Z', routes(shifted));
  expect(sources[0]?.status).toBe('partial');
  expect(sources[0]?.error).toMatchObject({ code: 'PARENT_MISMATCH' });
  expect(await lab.rows("select display_name from screens where player_id = '12'")).toEqual([
    { display_name: 'of 12' },
  ]);
  const ignored = await lab.run('2026-11-22T03:00:00Z', routes(shifted), {
    signage: { resources: { screens: { ignore: ['PlayerId'] } } },
  });
  expect(ignored.sources[0]?.status).toBe('complete');
});

it.each([
  ['a number of the device, which is never the id', (player: number) => `GP-${player}`],
  ['the player that a screen was first bought for', (player: number) => (player % 3 === 0 ? 1 : player)],
  ['nothing', () => null],
])('screens whose PlayerId is %s are published', async (_, idOf) => {
  await using lab = await signageLab(routes(idOf));
  expect((await lab.run('2026-11-20T03:00:00Z')).sources[0]?.status).toBe('complete');
});

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

it.each(['uid', 'sys_id', 'objectId'])('%s requests the children rather than the name', async (field) => {
  const listed = ['a', 'b', 'c'].map((id) => ({ [field]: `k${id}`, name: `Player ${id}` }));
  const own = { [`${SIGNAGE}/Players`]: { body: JSON.stringify(listed) } };
  await using lab = await signageLab({ ...own, ...screensOf('ka', 7) });
  expect((await lab.run(DAY)).sources[0]?.error?.code).not.toBe('ID_UNKNOWN');
  expect(await lab.rows('select player_id, number from screens')).toEqual([{ player_id: 'ka', number: 7 }]);
});

it('a field that requests no children is told', async () => {
  const listed = ['a', 'b', 'c'].map((name) => ({ uid: `u${name}`, name }));
  const own = { [`${SIGNAGE}/Players`]: { body: JSON.stringify(listed) } };
  const none = Object.fromEntries(
    listed.flatMap(({ uid }) =>
      ['Screens', 'PendingFileTransfers'].map((name) => [
        `${SIGNAGE}/Players/${uid}/${name}`,
        { status: 404, body: '{}' },
      ]),
    ),
  );
  await using lab = await signageLab({ ...own, ...none, ...screensOf('a', 7) });
  expect((await lab.run(DAY)).sources[0]?.status).not.toBe('complete');
});

describe('where several fields tell the players apart, the one that leads to children is found by trying', () => {
  const LISTED = ['a', 'b', 'c'].map((id) => ({ deviceId: `k${id}`, name: `n${id}`, slot: `s${id}` }));
  const listing = { [`${SIGNAGE}/Players`]: { body: JSON.stringify(LISTED) } };
  const gone = (ids: readonly string[]) =>
    Object.fromEntries(ids.map((id) => [`${SIGNAGE}/Players/${id}/Screens`, { status: 404, body: '{}' }]));

  it.each([
    ['others answer 404', gone(LISTED.flatMap(({ name, slot }) => [name, slot]))],
    ['others answer none', {}],
    ['its first player has none', gone(['na'])],
  ])('%s', async (_, others) => {
    const own = { ...listing, ...others, ...screensOf('kb', 7) };
    await using lab = await signageLab(own);
    expect((await lab.run(DAY)).sources[0]).toMatchObject({ status: 'complete', questions: [] });
    expect(await lab.rows('select player_id, number from screens')).toEqual([{ player_id: 'kb', number: 7 }]);
    await lab.run('2026-11-21T03:00:00Z');
    expect(lab.server.requests.filter(({ path }) => /\/n[abc]\//.test(path)).length).toBeLessThanOrEqual(3);
    expect(await lab.rows('select record_key from players order by 1')).toEqual(
      ['ka', 'kb', 'kc'].map((record_key) => ({ record_key })),
    );
  });

  it('is asked about where two lead to children, or none', async () => {
    for (const more of [{ ...screensOf('ka', 7), ...screensOf('na', 7) }, {}]) {
      await using lab = await signageLab({ ...listing, ...more });
      const [source] = (await lab.run(DAY)).sources;
      expect(source?.error?.code).toBe('ID_UNKNOWN');
      expect(source?.questions[0]?.cures[0]?.choices).toEqual(expect.arrayContaining(['deviceId', 'name']));
    }
  });
});

describe('an id under no known name is found by trying, whatever form the records have', () => {
  const IDS = ['5f1', '5f2', '5f3'];
  const member = (_id: object) => ({ _id, Seen: `at ${Object.values(_id)[0]}` });
  const PLAYERS_HERE = IDS.map(($oid) => member({ $oid }));
  const NOT_THERE = ['k0', 'k1', 'k2'].map((key) => [
    `${SIGNAGE}/Players/${key}/Screens`,
    { status: 404, body: '{}' },
  ]);
  const mapOf = (records: readonly object[]) =>
    Object.fromEntries(records.map((record, at) => [`k${at}`, record]));
  const inMap = (screens: (id: string) => readonly object[]) => ({
    ...Object.fromEntries(NOT_THERE),
    [`${SIGNAGE}/Players`]: { body: JSON.stringify(mapOf(PLAYERS_HERE)) },
    ...screenRoutes(IDS, (id) => ({ body: JSON.stringify(mapOf(screens(id))) })),
  });
  const two = (id: string) => [1, 2].map((Id) => ({ Id, Of: id }));

  it.each([
    ['wrapped', (records: readonly object[]) => records.map((Entry) => ({ Entry })), 'data[].Entry{1}'],
    ['below one level', (records: readonly object[]) => [{ Entry: records }], 'data[].Entry'],
  ])('%s: the question is where the screens are, and not which field is the id', async (_, form, items) => {
    const body = (records: readonly object[]) => ({ body: JSON.stringify({ data: form(records) }) });
    const routes = {
      [`${SIGNAGE}/Players`]: body(PLAYERS_HERE),
      ...screenRoutes(IDS, (id) => body(two(id))),
    };
    const settings = { signage: { resources: { players: { items } } } };
    await using lab = await signageLab(routes, settings);
    const [source] = (await lab.run(DAY)).sources;
    expect(source?.questions.map(({ code, resource }) => [code, resource])).toEqual([
      ['ENVELOPE_UNKNOWN', 'screens'],
    ]);
    expect(source?.questions[0]?.cures[0]).toMatchObject({ choices: [items], isLikely: true });
  });

  it.each([
    ['of two screens', two],
    ['of one screen, which alone are no map', (id: string) => two(id).slice(1)],
    ['of none', () => []],
  ])('in a map, where its key requests nothing, for maps %s', async (_, screens) => {
    await using lab = await signageLab(inMap(screens));
    const [source] = (await lab.run(DAY)).sources;
    expect(source?.questions.filter(({ resource }) => resource === 'players')).toEqual([]);
    expect(source?.questions.map(({ code }) => code)).not.toContain('RESOURCE_MISSING');
    expect(await lab.rows('select player_id from players order by 1')).toEqual(
      IDS.map((player_id) => ({ player_id })),
    );
  });

  it.each([
    ['is the id where the server knows no other', 404, []],
    ['is asked about where the server answers the same for an id that it cannot have', 200, ['ID_UNKNOWN']],
  ])('the only field of players without screens %s', async (_, status, codes) => {
    const screens = screenRoutes(IDS, () => []);
    const routes = routesBy((path) => {
      if (path === `${SIGNAGE}/Players`) return { body: JSON.stringify(PLAYERS_HERE) };
      if (screens[path] !== undefined) return screens[path];
      return /Players\/[^/]+\/Screens$/.test(path) ? { status, body: '[]' } : undefined;
    });
    await using lab = await signageLab(routes);
    const [source] = (await lab.run(DAY)).sources;
    expect([...new Set(source?.questions.map(({ code }) => code))]).toEqual(codes);
  });

  it('in a map, where its key leads to the screens as well or better, the key stays', async () => {
    const keys = ['k0', 'k1', 'k2'];
    const byKey = screenRoutes(keys, two);
    for (const others of [{}, screenRoutes(IDS, two)]) {
      await using lab = await signageLab({
        ...inMap(two),
        ...screenRoutes(IDS, () => []),
        ...byKey,
        ...others,
      });
      expect((await lab.run(DAY)).sources[0]).toMatchObject({ status: 'complete', questions: [] });
      expect(await lab.rows('select distinct player_id from screens order by 1')).toEqual(
        keys.map((player_id) => ({ player_id })),
      );
    }
  });
});
