import { describe, expect, it } from 'vitest';
import { SIGNAGE, signageLab } from '../support/fixture-lab.ts';
import { fleetRoutes } from '../support/fleet-routes.ts';

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
