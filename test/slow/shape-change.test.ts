import { describe, expect, it } from 'vitest';
import { SIGNAGE_ALONE } from '../support/export-lab.ts';
import { type Routes, SIGNAGE, signageLab } from '../support/fixture-lab.ts';
import { fleetRoutes } from '../support/fleet-routes.ts';
import { timeOf } from '../values/export-days.ts';

const body = (value: unknown) => ({ body: JSON.stringify(value) });

it('records that lose the field that told them apart are not removed and added: the listing fails, and names the setting', async () => {
  const licences = (key: string) => ({
    [`${SIGNAGE}/Licenses`]: body(['Basic', 'Pro'].map((name) => ({ [key]: name, Count: 3 }))),
  });
  await using lab = await signageLab(licences('Type'));
  await lab.run(timeOf(0));
  const { sources } = await lab.run(timeOf(1), licences('LicenseType'));
  expect(sources[0]).toMatchObject({ status: 'failed', error: { code: 'SHAPE_CHANGED' } });
  expect(sources[0]?.error?.message).toContain('Set resources.licenses.id to the field');
  expect(await lab.flat('select record_key from licenses order by 1')).toEqual(['Basic', 'Pro']);
  expect(await lab.rows("select * from changes where change <> 'changed'")).toEqual([]);
  const named = { signage: { resources: { licenses: { id: 'LicenseType' } } } };
  const third = await lab.run(timeOf(2), licences('LicenseType'), named);
  expect(third.status).toBe('complete');
  expect(await lab.rows("select * from changes where change in ('added', 'removed')")).toEqual([]);
});

describe('a listing whose pages contradict one another in each of three readings', () => {
  const PLAYERS = `${SIGNAGE}/Players`;
  /** Players alone, which have no screens. */
  const labOf = (players: object = {}) => ({
    ...SIGNAGE_ALONE,
    signage: { resources: { players, screens: { complete: true } } },
  });
  const ids = (from: number, to: number) => Array.from({ length: to - from }, (_, at) => from + at);
  /** Pages of 20 by their offset, as many as there are; behind them nothing. */
  const pages = (of: readonly (readonly number[])[], totalOf: (page: number) => number): Routes => ({
    [PLAYERS]: ({ url = '' }) => {
      const offset = Number(new URL(url, 'http://server').searchParams.get('offset') ?? 0);
      const page = Math.floor(offset / 20);
      const items = (of[page] ?? []).map((Id) => ({ Id, Name: `Player ${Id}` }));
      return body({ items, offset, limit: 20, total: totalOf(page) });
    },
  });

  it('is no whole one where records come twice while as many are missing, from the first run on', async () => {
    // Rows 18 and 19 come twice, and 20 and 21 never: as many as are declared.
    const sortedByNothing = [ids(0, 20), [18, 19, ...ids(22, 40)], ids(40, 57)];
    const routes = pages(sortedByNothing, () => 57);
    await using lab = await signageLab(routes, labOf());
    const { status, sources } = await lab.run('2026-11-20T03:00:00Z');
    expect(status).toBe('failed');
    const message = expect.stringMatching(/2 records came twice.*resources\.players\.complete to true/);
    expect(sources[0]?.error).toMatchObject({ code: 'LISTING_UNSTABLE', message });
    expect((await lab.run('2026-11-20T03:30:00Z')).status).toBe('failed');
    const declared = await lab.run('2026-11-20T04:00:00Z', undefined, labOf({ complete: true }));
    expect(declared.status).toBe('complete');
    // Later runs know that the server has them twice.
    expect((await lab.run('2026-11-21T03:00:00Z', undefined, labOf())).status).toBe('complete');
  });

  it('is no whole one where the total falls meanwhile, with fewer records than it was', async () => {
    const whole = [ids(0, 20), ids(20, 40), ids(40, 57)];
    const routes = pages(whole, () => 57);
    await using lab = await signageLab(routes, labOf());
    await lab.run(timeOf(0));
    const falling = pages(whole.slice(0, 2), (page) => (page === 0 ? 57 : 40));
    expect((await lab.run(timeOf(1), falling)).status).not.toBe('complete');
    const failed = "select resource, error_code from outcomes where outcome = 'failed' order by all";
    expect(await lab.flat(failed)).toEqual(['players', 'LISTING_UNSTABLE']);
    expect(await lab.rows("select * from changes where change = 'removed'")).toEqual([]);
  });
});

describe('the children of all parents for every parent', () => {
  const PLAYERS = [1, 2, 3].map((Id) => ({ Id }));
  const screens = (player: number, times = 0) =>
    [100, 101, 200, 300].map((Id) => ({
      ...{ Id, player_id: Math.floor(Id / 100), IsOn: true },
      ...(times > 0 && { Checked: `2026-11-21T03:00:0${player * times}Z` }),
    }));
  const own = (player: number) =>
    [1, 2].map((at) => ({ Id: player * 10 + at, player_id: player, IsOn: true }));

  it.each([0, 1])('are not published, and the question has the path of one (%i)', async (times) => {
    await using lab = await signageLab(fleetRoutes(PLAYERS, (player) => screens(player, times)));
    const first = await lab.run(timeOf(0));
    expect(first.sources[0]).toMatchObject({ status: 'failed', error: { code: 'CHILDREN_ALIKE' } });
    const choices = [`${SIGNAGE}/Screens?player_id={id}`];
    expect(first.sources[0]?.questions[0]?.cures[0]).toMatchObject({
      ...{ setting: 'resources.screens.path', choices },
    });
    expect(first.tables['screens']?.rows ?? 0).toBe(0);
    const complete = { signage: { resources: { screens: { complete: true } } } };
    expect((await lab.run(timeOf(1), undefined, complete)).status).toBe('complete');
  });

  it('are not published either where each had its own the day before', async () => {
    await using lab = await signageLab(fleetRoutes(PLAYERS, own));
    expect((await lab.run(timeOf(0))).sources[0]).toMatchObject({ status: 'complete', notes: [] });
    const { sources, tables } = await lab.run(timeOf(1), fleetRoutes(PLAYERS, screens));
    expect(sources[0]).toMatchObject({ status: 'failed', error: { code: 'CHILDREN_ALIKE' } });
    expect(tables['screens']).toMatchObject({ rows: 6, added: 0, removed: 0 });
  });

  it('are none where the ids are local, and name something else than players', async () => {
    const local = [1, 2].map((Id) => ({ Number: Id, media_player_id: Id, IsOn: true }));
    const many = Array.from({ length: 9 }, (_, at) => ({ Id: at + 1 }));
    await using lab = await signageLab(fleetRoutes(many, () => local));
    for (const day of [0, 1])
      expect((await lab.run(timeOf(day))).sources[0]).toMatchObject({ status: 'complete', questions: [] });
  });
});

it.each([
  ['a word for nothing', 'source', { source: 'live' }, { source: 'none' }],
  ['a flag', 'erreichbar', { erreichbar: true }, { erreichbar: false }],
])('children beside which %s changes are not believed to be none', async (_, name, usual, odd) => {
  const players = Array.from({ length: 12 }, (_, index) => ({ Id: index + 1, Name: `P${index}` }));
  const world = (oddFrom: number) =>
    fleetRoutes(players, (player) => {
      const items = Array.from({ length: (player % 4) + 1 }, (_, at) => ({ Id: player * 10 + at, On: true }));
      return body(player < oddFrom ? { ...usual, items } : { ...odd, items: [] });
    });
  const config = { minCoverage: 0.5 };
  await using lab = await signageLab(world(99), { config });
  const whole = await lab.run(timeOf(0));
  expect(whole).toMatchObject({ status: 'complete', sources: [{ questions: [] }] });
  const error = { code: 'EMPTY_UNPROVEN', message: expect.stringContaining(name) };
  const most = await lab.run(timeOf(1), world(4));
  expect(most.sources[0]).toMatchObject({ error });
  const cut = await lab.run(timeOf(2), world(10));
  expect(cut.sources[0]).toMatchObject({ status: 'partial', error });
  expect(cut.tables['screens']).toMatchObject({ rows: whole.tables['screens']?.rows, removed: 0 });
  // Until the setting says that it is about something else.
  const [cure] = cut.sources[0]?.questions[0]?.cures ?? [];
  expect(cure?.setting).toBe('resources.screens.ignore');
  const resources = { screens: { ignore: cure?.choices[0] } };
  const told = await lab.run(timeOf(3), undefined, { config, signage: { resources } });
  expect(told).toMatchObject({ status: 'complete', sources: [{ questions: [] }] });
  expect(told.tables['screens']?.removed).toBeGreaterThan(0);
});
