import { expect, it } from 'vitest';
import { type Routes, signageLab } from '../support/fixture-lab.ts';
import { fleetRoutes } from '../support/fleet-routes.ts';

/**
 * Screens in pages of three. Each page names a token, also the last one, behind which there is an empty page. A parameter
 * that the server does not know is a filter that no screen passes.
 */
function screensOf(count: number, { param = 'cursor' } = {}): Routes[string] {
  return (request) => {
    const query = new URL(request.url ?? '', 'http://x').searchParams;
    const isKnown = [...query.keys()].every((name) => name === param);
    const from = Number((query.get(param) ?? 'b0').slice(1));
    const all = Array.from({ length: count }, (_, index) => ({ Id: index + 1, Label: `S${index + 1}` }));
    const page = isKnown ? all.slice(from, from + 3) : [];
    const cursor = page.length === 0 ? null : `b${Math.min(count, from + 3)}`;
    return { body: JSON.stringify({ data: page, cursor }) };
  };
}

const fleet = (...screens: readonly Routes[string][]): Routes =>
  fleetRoutes(
    screens.map((_, index) => ({ Id: index + 1 })),
    (_, index) => screens[index] ?? [],
  );

it('one parent whose pages were followed proves the parameter for those of one page', async () => {
  await using lab = await signageLab(fleet(screensOf(2), screensOf(7), screensOf(3)));
  const { sources } = await lab.run('2026-11-20T03:00:00Z');
  expect(sources[0]).toMatchObject({ status: 'complete', questions: [] });
  expect(await lab.rows('select player_id, count(*)::int as n from screens group by all order by 1')).toEqual(
    [
      { player_id: '1', n: 2 },
      { player_id: '2', n: 7 },
      { player_id: '3', n: 3 },
    ],
  );
});

/** Screens in pages of three by an offset; behind the last page comes the last page again. */
function repeating(count: number): Routes[string] {
  return (request) => {
    const asked = Number(new URL(request.url ?? '', 'http://x').searchParams.get('offset') ?? 0);
    const from = asked < count ? asked : Math.max(0, Math.ceil(count / 3) - 1) * 3;
    const all = Array.from({ length: count }, (_, index) => ({ Id: index + 1, Label: `S${index + 1}` }));
    return { body: JSON.stringify({ data: all.slice(from, from + 3), total: count, limit: 3 }) };
  };
}

it('one parent whose pages were followed proves that another one whose second page repeats the first has one', async () => {
  await using lab = await signageLab(fleet(repeating(3), repeating(7), repeating(2)));
  const { sources } = await lab.run('2026-11-20T03:00:00Z');
  expect(sources[0]).toMatchObject({ status: 'complete', questions: [] });
  expect(await lab.rows('select count(*)::int as n from screens')).toEqual([{ n: 12 }]);
  await using alone = await signageLab(fleet(repeating(3)));
  expect((await alone.run('2026-11-20T03:00:00Z')).sources[0]).toMatchObject({ status: 'complete' });
});

it('nobody is proven by pages that nobody could follow', async () => {
  const unread = { param: 'zapwen' };
  await using lab = await signageLab(fleet(screensOf(2, unread), screensOf(7, unread)));
  const { sources } = await lab.run('2026-11-20T03:00:00Z');
  expect(sources[0]).toMatchObject({ status: 'failed', error: { code: 'PAGING_UNPROVEN' } });
  const asked = lab.server.requests.filter(({ path }) => path.includes('/Screens'));
  // The page, and five names of a parameter, each with a control where it returns nothing; nothing is asked again.
  expect(asked.length).toBeLessThanOrEqual(2 * (1 + 2 * 5));
});

/** Screens in numbered pages; no answer says a word about them. */
function numbered(count: number, size: number): Routes[string] {
  return (request) => {
    const page = Number(new URL(request.url ?? '', 'http://x').searchParams.get('page') ?? 1);
    const all = Array.from({ length: count }, (_, index) => ({ Id: index + 1, Label: `S${index + 1}` }));
    return { body: JSON.stringify(all.slice((page - 1) * size, page * size)) };
  };
}

it.each([12, 20])(
  'where the server cuts children at %i, all parents are read whole on that day',
  async (size) => {
    const parents = [30, 2, 30, size, 30, 1, 30, 30, 3].map((count) => numbered(count, size));
    await using lab = await signageLab(fleet(...parents));
    const { sources } = await lab.run('2026-11-20T03:00:00Z');
    expect(sources[0]).toMatchObject({ status: 'complete', questions: [] });
    expect(await lab.rows('select count(*)::int as n from screens')).toEqual([{ n: 156 + size }]);
  },
);

it.each([10, 12])('%i screens of each player cost three calls more, and no word', async (count) => {
  const records = Array.from({ length: count }, (_, index) => ({ Id: index + 1, Label: `S${index + 1}` }));
  await using lab = await signageLab(
    fleet(...Array.from({ length: 40 }, () => ({ body: JSON.stringify(records) }))),
  );
  const { sources } = await lab.run('2026-11-20T03:00:00Z');
  expect(sources[0]).toMatchObject({ status: 'complete', questions: [] });
  expect(lab.server.requests.filter(({ path }) => path.includes('/Screens'))).toHaveLength(43);
});
