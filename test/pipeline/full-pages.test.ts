import { describe, expect, test } from 'vitest';
import { type Routes, SIGNAGE } from '../support/fixture-lab.ts';
import { fleetRuns } from '../support/fleet-runs.ts';

/* Children in pages of two, where only a page that another one follows says so. */

const DAYS = ['2026-11-20T03:00:00Z', '2026-11-21T03:00:00Z', '2026-11-22T03:00:00Z'];
const runs = fleetRuns(DAYS, { minCoverage: 0.5 });
const PLAYERS = 12;
const PAGE = 2;

const countOf = (player: number) => player % 5;
const COUNTS = Array.from({ length: PLAYERS }, (_, index) => countOf(index + 1));
const ALL = COUNTS.reduce((sum, count) => sum + count);

const reply = (body: unknown) => ({ body: JSON.stringify(body) });

/** `cutOf` says which players' further pages the server keeps to itself. */
function world(
  cutOf: (player: number) => boolean = () => false,
  count: (player: number) => number = countOf,
) {
  const routes: Record<string, { readonly body: string }> = {
    [`${SIGNAGE}/Players`]: reply(Array.from({ length: PLAYERS }, (_, index) => ({ Id: index + 1 }))),
  };
  for (let player = 1; player <= PLAYERS; player++) {
    const path = `${SIGNAGE}/Players/${player}/Screens`;
    const screens = Array.from({ length: count(player) }, (_, index) => ({
      Id: player * 10 + index,
      Name: `S-${player}-${index}`,
    }));
    for (let page = 0; page === 0 || page * PAGE < screens.length; page++) {
      const leadsOn = (page + 1) * PAGE < screens.length && !cutOf(player);
      routes[page === 0 ? path : `${path}?page=${page + 1}`] = reply({
        screens: screens.slice(page * PAGE, (page + 1) * PAGE),
        ...(leadsOn && { next: `?page=${page + 2}` }),
      });
    }
  }
  return routes;
}

const day = (routes: Routes, screens: object = {}) => ({ routes, resources: { screens } });

describe('children who fill one page', () => {
  const runsOf = runs.of(day(world()), day(world()), day(world(undefined, (player) => (player + 1) % 5)));
  test('are all there are, as long as other answers lead on', () => {
    const [first, second, third] = runsOf();
    expect(first?.source).toMatchObject({ status: 'complete', questions: [] });
    expect(second?.source).toMatchObject({ status: 'complete', questions: [] });
    expect(second?.screens).toEqual({ rows: ALL, removed: 0 });
    // Those who fill a page today had one screen before.
    expect(third?.source).toMatchObject({ status: 'complete', questions: [] });
  });
});

describe('further pages to which no answer leads any more', () => {
  const cut = world(() => true);
  const runsOf = runs.of(day(world()), day(cut), day(cut, { complete: true }));
  test('are not believed to be gone, whoever says that listings are whole', () => {
    const [, second, third] = runsOf();
    for (const run of [second, third]) {
      expect(run?.source).toMatchObject({ status: 'partial', error: { code: 'SHAPE_CHANGED' } });
      expect(run?.screens).toEqual({ rows: ALL, removed: 0 });
    }
    expect(second?.source?.questions[0]?.cures.map(({ setting }) => setting)).toContain(
      'resources.screens.paging',
    );
  });
});

describe('pages that came later than the first day', () => {
  const one = world(undefined, (player) => Math.min(PAGE, countOf(player)));
  const next = runs.of(day(one), day(world()), day(world(() => true)));
  const same = runs.of(day(one), day(world()), day(world()));
  test('are not believed to be gone either', () => {
    const [, second, third] = next();
    expect(second?.source).toMatchObject({ status: 'complete', questions: [] });
    expect(third?.source).toMatchObject({ status: 'partial', error: { code: 'SHAPE_CHANGED' } });
    expect(third?.screens).toEqual({ rows: ALL, removed: 0 });
  });
  test('are asked about on no day', () => {
    const asked = same().map(({ source }) => [source?.status, source?.questions]);
    expect(asked).toEqual(DAYS.map(() => ['complete', []]));
  });
});

describe('further pages of some to which their answers do not lead', () => {
  const cut = world((player) => player === 3 || player === 4);
  const runsOf = runs.of(day(world()), day(cut), day(cut, { complete: true }));
  test('are not believed to be gone, until complete says so', () => {
    const [, second, third] = runsOf();
    expect(second?.source).toMatchObject({ status: 'partial', error: { code: 'SHAPE_CHANGED' } });
    expect(second?.screens).toEqual({ rows: ALL, removed: 0 });
    expect(second?.source?.questions).toHaveLength(1);
    expect(second?.source?.questions[0]?.cures[0]).toMatchObject({
      setting: 'resources.screens.complete',
      choices: [true],
    });
    expect(third?.source).toMatchObject({ status: 'complete', questions: [] });
    expect(third?.screens.rows).toBe(ALL - 1 - 2);
  });
});
