import { expect } from 'vitest';
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

const WHOLE = { status: 'complete', questions: [] };
const HELD = { status: 'partial', error: { code: 'SHAPE_CHANGED' } };
const SAME = { rows: ALL, removed: 0 };
const cut = world(() => true);

const filled = [day(world()), day(world()), day(world(undefined, (player) => (player + 1) % 5))];
runs.test(
  'children who fill one page are all there are, as long as other answers lead on',
  filled,
  (...all) => {
    // Those who fill a page on the third day had one screen before.
    expect(all.map((run) => run?.source)).toMatchObject([WHOLE, WHOLE, WHOLE]);
    expect(all[1]?.screens).toEqual(SAME);
  },
);

const led = [day(world()), day(cut), day(cut, { complete: true })];
runs.test(
  'further pages to which no answer leads any more are not believed to be gone, whoever says that listings are whole',
  led,
  (_, ...later) => {
    expect(later.map((run) => run?.source)).toMatchObject([HELD, HELD]);
    expect(later.map((run) => run?.screens)).toEqual([SAME, SAME]);
    const cures = later[0]?.source?.questions[0]?.cures ?? [];
    expect(cures.map(({ setting }) => setting)).toContain('resources.screens.paging');
  },
);

const one = day(world(undefined, (player) => Math.min(PAGE, countOf(player))));
runs.test(
  'pages that came later than the first day are not believed to be gone either',
  [one, day(world()), day(cut)],
  (_, second, third) => {
    expect(second?.source).toMatchObject(WHOLE);
    expect(third).toMatchObject({ source: HELD, screens: SAME });
  },
);
runs.test('pages that came later are asked about on no day', [one, day(world()), day(world())], (...all) => {
  expect(all.map((run) => [run?.source?.status, run?.source?.questions])).toEqual(
    DAYS.map(() => ['complete', []]),
  );
});

const lost = world((player) => player === 3 || player === 4);
const some = [day(world()), day(lost), day(lost, { complete: true })];
runs.test(
  'further pages of some to which their answers do not lead are not believed to be gone, until complete says so',
  some,
  (_, second, third) => {
    expect(second).toMatchObject({ source: HELD, screens: SAME });
    const cures = [{ setting: 'resources.screens.complete', choices: [true] }];
    expect(second?.source?.questions.map((each) => each.cures.slice(0, 1))).toMatchObject([cures]);
    expect(third?.source).toMatchObject(WHOLE);
    expect(third?.screens.rows).toBe(ALL - 1 - 2);
  },
);
