import { describe, expect, it } from 'vitest';
import { timeOf } from '../dialects/support/export-days.ts';
import { type FixtureLab, type Routes, SIGNAGE, signageLab } from '../support/fixture-lab.ts';
import { screenRoutes } from '../support/fleet-routes.ts';

const PLAYERS = `${SIGNAGE}/Players`;
const GONE = { status: 404, body: '{"Message":"no such player"}' };

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

const screensOf = (ids: readonly number[]): Routes =>
  screenRoutes(ids, (id) => [{ Id: id * 10, IsOn: true }]);

const removed = (lab: FixtureLab) =>
  lab.rows("select table_name, record_key from changes where change = 'removed' order by all");

describe('who is absent from a listing in pages that has no total', () => {
  const ALL = [1, 2, 3, 4, 5];
  const five = { table_name: 'players', record_key: '5' };

  it('is removed with all that is theirs where their screens answer 404', async () => {
    await using lab = await signageLab({ ...players(ALL), ...screensOf(ALL) });
    await lab.run(timeOf(0));
    const rest = { ...players([1, 2, 3, 4]), ...screensOf([1, 2, 3, 4]), [`${PLAYERS}/5/Screens`]: GONE };
    const { sources } = await lab.run(timeOf(1), rest);
    expect(sources[0]).toMatchObject({ status: 'complete', outcomes: { gone: 1 } });
    expect(await removed(lab)).toEqual([five, { table_name: 'screens', record_key: '5/50' }]);
  });

  it('keeps their screens as long as these answer', async () => {
    await using lab = await signageLab({ ...players(ALL), ...screensOf(ALL) });
    await lab.run(timeOf(0));
    await lab.run(timeOf(1), { ...players([1, 2, 3, 4]), ...screensOf(ALL) });
    expect(await removed(lab)).toEqual([five]);
    expect(await lab.rows('select count(*) n from screens')).toEqual([{ n: 5 }]);
  });

  it.each([
    ['is there where a second reading has them', 1],
    ['is there where the first reading has them, and the second lacks them', 2],
  ])('%s', async (_, shortReading) => {
    await using lab = await signageLab({ ...players(ALL), ...screensOf(ALL) });
    await lab.run(timeOf(0));
    const [short, whole] = [players([1, 2, 3, 4]), players(ALL)];
    let readings = 0;
    const first = () => {
      readings += 1;
      return (readings === shortReading ? short : whole)[PLAYERS] as { body: string };
    };
    const second = () =>
      (readings === shortReading ? short : whole)[`${PLAYERS}?cursor=c2`] as { body: string };
    await lab.run(timeOf(1), {
      ...whole,
      ...screensOf(ALL),
      [PLAYERS]: first,
      [`${PLAYERS}?cursor=c2`]: second,
    });
    expect(readings).toBeGreaterThan(shortReading);
    expect(await removed(lab)).toEqual([]);
    expect(await lab.rows('select count(*) n from players')).toEqual([{ n: 5 }]);
  });
});

it('a record that stands on two pages in every reading is one row, and the listing does not move', async () => {
  const ids = [1, 2, 3, 4, 5, 6, 1];
  await using lab = await signageLab({ ...players(ids), ...screensOf(ids) });
  const keys = async () =>
    (await lab.rows('select record_key from players order by 1')).map((row) => row.record_key);
  // Nothing says yet that no other record is missing for it.
  const unknown = await lab.run(timeOf(0));
  expect(unknown.sources[0]).toMatchObject({ error: { code: 'LISTING_UNSTABLE' } });
  const complete = { signage: { resources: { players: { complete: true } } } };
  const first = await lab.run('2026-11-20T09:00:00Z', undefined, complete);
  expect(first.sources[0]).toMatchObject({ status: 'complete' });
  expect(await keys()).toEqual(['1', '2', '3', '4', '5', '6']);
  // What is removed meanwhile is removed, for the repetition is known.
  const left = ids.filter((id) => id < 5);
  const gone = Object.fromEntries([5, 6].map((id) => [`${PLAYERS}/${id}/Screens`, GONE]));
  const second = await lab.run(timeOf(1), { ...players(left), ...screensOf(left), ...gone });
  expect(second.sources[0]).toMatchObject({ status: 'complete' });
  expect(await keys()).toEqual(['1', '2', '3', '4']);
});

it('a listing whose pages add up to its total retires who is absent without a call', async () => {
  await using lab = await signageLab({ ...players([1, 2, 3], 3), ...screensOf([1, 2, 3]) });
  await lab.run(timeOf(0));
  const before = lab.server.requests.length;
  await lab.run(timeOf(1), { ...players([1, 2], 2), ...screensOf([1, 2]) });
  expect(lab.server.requests.slice(before).map(({ path }) => path)).not.toContain(`${PLAYERS}/3/Screens`);
  expect(await removed(lab)).toEqual([
    { table_name: 'players', record_key: '3' },
    { table_name: 'screens', record_key: '3/30' },
  ]);
});
