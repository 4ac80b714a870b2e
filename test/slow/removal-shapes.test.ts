import { describe, expect, it } from 'vitest';
import { type FixtureLab, type Routes, SIGNAGE, signageLab } from '../support/fixture-lab.ts';
import { fleetRoutes, screenRoutes } from '../support/fleet-routes.ts';
import { timeOf } from '../values/export-days.ts';

const PLAYERS = `${SIGNAGE}/Players`;
const ALL = [1, 2, 3, 4, 5, 6];

/** Players in pages of two by cursor; with a total where one is given. */
function players(ids: readonly number[], total?: number): Routes {
  const page = (from: number) => {
    const hasMore = from + 2 < ids.length;
    const data = ids.slice(from, from + 2).map((Id) => ({ Id, Name: `P${Id}` }));
    return { body: JSON.stringify({ data, cursor: hasMore ? `c${from + 2}` : null, hasMore, total }) };
  };
  const starts = ids.flatMap((_, index) => (index > 0 && index % 2 === 0 ? [index] : []));
  return {
    [PLAYERS]: page(0),
    ...Object.fromEntries(starts.map((at) => [`${PLAYERS}?cursor=c${at}`, page(at)])),
  };
}

/** These are listed, and of all the screens answer, but for what `others` says. */
const fleet = (listed: readonly number[], others: Routes = {}): Routes => ({
  ...players(listed),
  ...screenRoutes(ALL, (id) => [{ Id: id * 10, Label: `S${id}` }]),
  ...others,
});

const answers = (status: number, body: object) => ({ status, body: JSON.stringify(body) });
const GONE = answers(404, { Message: 'no such player' });
const OFFLINE = answers(404, { message: 'Device is offline' });
const away = (...ids: readonly number[]) => screenRoutes(ids, () => GONE);

/** A player that cannot exist, and what the server says of one that it does not know, whatever its id. */
const INVENTED = `${PLAYERS}/1999999973/Screens`;
const unknown = (id: number) =>
  answers(404, { error: `No player ${id}`, path: `/Players/${id}/Screens`, traceId: `00-${id}ab` });

const keysOf = (lab: FixtureLab, what: string) => lab.flat(`select concat_ws(' ', ${what} order by all`);
const removed = (lab: FixtureLab) =>
  keysOf(lab, "table_name, record_key) from changes where change = 'removed'");
const endsOf = (lab: FixtureLab) =>
  keysOf(
    lab,
    "export_source, parent_id, outcome, error_code) from outcomes where resource = 'screens' and outcome <> 'ok'",
  );
const countOf = async (lab: FixtureLab, table: string) =>
  (await lab.flat(`select count(*) from ${table}`))[0];

describe('who is absent from a listing in pages that has no total', () => {
  it('is removed with all that is theirs where their screens answer 404', async () => {
    await using lab = await signageLab(fleet(ALL));
    await lab.run(timeOf(0));
    const four = fleet([1, 2, 3, 4], away(5, 6));
    const { sources } = await lab.run(timeOf(1), four);
    expect(sources[0]).toMatchObject({ status: 'complete', outcomes: { gone: 2 } });
    expect(await removed(lab)).toEqual(['players 5', 'players 6', 'screens 5/50', 'screens 6/60']);
    await lab.run(timeOf(2), four);
    // They show once more what gone looks like.
    expect(await endsOf(lab)).toEqual(['berlin 5 gone NOT_FOUND', 'berlin 6 gone NOT_FOUND']);
  });

  it('keeps their screens as long as these answer', async () => {
    await using lab = await signageLab(fleet(ALL));
    await lab.run(timeOf(0));
    await lab.run(timeOf(1), fleet([1, 2, 3, 4, 5]));
    expect(await removed(lab)).toEqual(['players 6']);
    expect(await countOf(lab, 'screens')).toBe(6);
  });

  it.each([
    ['is there where a second reading has them', 1],
    ['is there where the first reading has them, and the second lacks them', 2],
  ])('%s', async (_, shortReading) => {
    await using lab = await signageLab(fleet(ALL));
    await lab.run(timeOf(0));
    let readings = 0;
    const readAs = (path: string) => () => {
      if (path === PLAYERS) readings += 1;
      return players(readings === shortReading ? [1, 2, 3, 4] : ALL)[path] as { body: string };
    };
    const pages = [PLAYERS, `${PLAYERS}?cursor=c2`].map((path) => [path, readAs(path)] as const);
    await lab.run(timeOf(1), fleet(ALL, Object.fromEntries(pages)));
    expect(readings).toBeGreaterThan(shortReading);
    expect(await removed(lab)).toEqual([]);
    expect(await countOf(lab, 'players')).toBe(6);
  });
});

it('a listing whose pages add up to its total retires who is absent without a call', async () => {
  await using lab = await signageLab(fleet([], players([1, 2, 3], 3)));
  await lab.run(timeOf(0));
  const before = lab.server.requests.length;
  await lab.run(timeOf(1), fleet([], players([1, 2], 2)));
  expect(lab.server.requests.slice(before).map(({ path }) => path)).not.toContain(`${PLAYERS}/3/Screens`);
  expect(await removed(lab)).toEqual(['players 3', 'screens 3/30']);
});

it('a record that stands on two pages in every reading is one row, and the listing does not move', async () => {
  const ids = [...ALL, 1];
  await using lab = await signageLab(fleet(ids));
  const keys = () => keysOf(lab, 'record_key) from players');
  // Nothing says yet that no other record is missing for it.
  const { sources } = await lab.run(timeOf(0));
  expect(sources[0]).toMatchObject({ error: { code: 'LISTING_UNSTABLE' } });
  const complete = { signage: { resources: { players: { complete: true } } } };
  expect((await lab.run('2026-11-20T09:00:00Z', undefined, complete)).status).toBe('complete');
  expect(await keys()).toEqual(ALL.map(String));
  // What is removed meanwhile is removed, for the repetition is known.
  const left = ids.filter((id) => id < 5);
  expect((await lab.run(timeOf(1), fleet(left, away(5, 6)))).status).toBe('complete');
  expect(await keys()).toEqual(['1', '2', '3', '4']);
});

describe('a 404 to a player that is listed', () => {
  it('is gone where a player that cannot exist has the same answer; it is asked for once a collector', async () => {
    await using lab = await signageLab(fleet(ALL));
    await lab.run(timeOf(0));
    const before = lab.server.requests.length;
    const others = { ...screenRoutes([1, 2], unknown), [INVENTED]: unknown(1999999973) };
    await lab.run(timeOf(1), fleet(ALL, { ...others, [`${PLAYERS}/3/Screens`]: OFFLINE }));
    const ends = ['1 gone NOT_FOUND', '2 gone NOT_FOUND', '3 failed GONE_UNPROVEN'];
    expect(await endsOf(lab)).toEqual(ends.map((end) => `berlin ${end}`));
    expect(await keysOf(lab, 'label) from screens')).toEqual(['S3', 'S4', 'S5', 'S6']);
    // The first pass requests it once, and each of the two sweeps requests the one in doubt again.
    const calls = lab.server.requests.map(({ path }) => path).filter((path) => path.endsWith('/Screens'));
    expect(calls.filter((path) => path === INVENTED)).toHaveLength(3);
    const ofToday = lab.server.requests.slice(before).filter(({ path }) => path.endsWith('/Screens'));
    const counted = "select sum(attempts)::int from outcomes where resource = 'screens'";
    expect(await lab.flat(counted)).toEqual([ofToday.length]);
  });

  it('is empty where the setting none has its text, which the question names', async () => {
    const noneOf = (id: number) => answers(404, { Message: `No screens found for player ${id}` });
    const routes = fleet(ALL, { ...screenRoutes([1, 2, 3], noneOf), [INVENTED]: unknown(1999999973) });
    await using lab = await signageLab(routes);
    const said = JSON.stringify((await lab.run(timeOf(0))).sources[0]);
    const none = ['No screens found for player #'];
    expect(said).toContain(`"setting":"resources.screens.none","choices":${JSON.stringify([none])}`);
    const resources = { screens: { none } };
    expect((await lab.run(timeOf(1), undefined, { signage: { resources } })).status).toBe('complete');
    expect(await endsOf(lab)).toEqual(['berlin 1 empty', 'berlin 2 empty', 'berlin 3 empty']);
  });

  it('of one source proves nothing of another whose server says the same', async () => {
    await using lab = await signageLab({}, { fleets: { berlin: {}, munich: {} } });
    const run = (time: string, ...fleets: readonly Routes[]) => {
      const routes = fleets.flatMap((of, index) =>
        Object.entries(of).map(([path, answer]) => [`/${['berlin', 'munich'][index]}${path}`, answer]),
      );
      return lab.run(time, Object.fromEntries(routes));
    };
    await run(timeOf(0), fleet(ALL), fleet(ALL));
    const offline = screenRoutes([3], () => OFFLINE);
    const both = screenRoutes([3, 6], () => OFFLINE);
    await run(timeOf(1), fleet([1, 2, 3, 4, 5], both), fleet(ALL, offline));
    const gone = [3, 6].map((id) => `berlin ${id} gone NOT_FOUND`);
    expect(await endsOf(lab)).toEqual([...gone, expect.stringMatching(/^munich 3 failed/)]);
  });
});

describe('players whose screens are fewer with 200', () => {
  const screensOf = (counts: readonly number[]) => {
    const own = (Of: number) => Array.from({ length: counts[Of] ?? 0 }, (_, Id) => ({ Id, IsOn: true, Of }));
    const players = counts.map((_, Id) => ({ Id }));
    return fleetRoutes(players, own);
  };

  it.each([
    ['a few of every player are gone, together most', Array(8).fill(2), Array(8).fill(0)],
    ['most of one player are gone, together few', [12, ...Array(16).fill(2)], Array(17).fill(2)],
  ])('keep them where %s', async (_, before, after) => {
    await using lab = await signageLab(screensOf(before));
    await lab.run(timeOf(0));
    const count = await countOf(lab, 'screens');
    const { sources } = await lab.run(timeOf(1), screensOf(after));
    expect(sources[0]).toMatchObject({ error: { code: 'LISTING_SHRANK' } });
    expect([await removed(lab), await countOf(lab, 'screens')]).toEqual([[], count]);
  });

  it('lose them where one player of many loses its two', async () => {
    await using lab = await signageLab(screensOf([2, 2, 2, 2, 2, 2]));
    await lab.run(timeOf(0));
    expect((await lab.run(timeOf(1), screensOf([0, 2, 2, 2, 2, 2]))).status).toBe('complete');
    expect(await countOf(lab, 'screens')).toBe(10);
  });
});
