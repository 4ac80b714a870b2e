import { describe, expect, test } from 'vitest';
import type { Routes } from '../support/fixture-lab.ts';
import { fleetRoutes } from '../support/fleet-routes.ts';
import { type FleetRun, fleetRuns } from '../support/fleet-runs.ts';

/* What an empty answer to one parent says otherwise than all answers of earlier runs. */

type Says = Readonly<Record<string, unknown>>;
type Headers = Readonly<Record<string, string>>;
type Answer = { readonly count: number; readonly says: Says; readonly headers?: Headers };

const DAYS = ['2026-11-20T03:00:00Z', '2026-11-21T03:00:00Z', '2026-11-22T03:00:00Z'];
const runs = fleetRuns(DAYS, { minCoverage: 0.5 });
const PLAYERS = 12;

/** Players of which some are odd: these answer otherwise. */
function world(answerOf: (player: number) => Answer): Routes {
  const ids = Array.from({ length: PLAYERS }, (_, index) => index + 1);
  const screens = (player: number) => {
    const { count, says, headers } = answerOf(player);
    const items = Array.from({ length: count }, (_, index) => ({ Id: player * 10 + index, On: true }));
    return { body: JSON.stringify({ ...says, items }), ...(headers && { headers }) };
  };
  return fleetRoutes(
    ids.map((Id) => ({ Id, Name: `P${Id}` })),
    screens,
  );
}

const countOf = (player: number): number => (player % 4) + 1;
const full =
  (says: (count: number) => Says, headers?: Headers) =>
  (player: number): Answer => ({
    count: countOf(player),
    says: says(countOf(player)),
    ...(headers && { headers }),
  });
const oddFrom = (from: number, usual: (player: number) => Answer, odd: Answer) => (player: number) =>
  player >= from ? odd : usual(player);
/** A day of a fleet with these settings of its screens. */
const day = (routes: Routes, screens: object = {}) => ({ routes, resources: { screens } });
const ALL = Array.from({ length: PLAYERS }, (_, index) => countOf(index + 1)).reduce((sum, one) => sum + one);

/** The setting that the first question of a run names, and what it offers. */
function cureOf(run: FleetRun | undefined) {
  const [cure] = run?.source?.questions[0]?.cures ?? [];
  return { setting: cure?.setting.split('.').at(-1) ?? '', value: cure?.choices[0] };
}

describe.each<readonly [string, string, (count: number) => Says, Says, object]>([
  ['a word', 'source', () => ({ source: 'live' }), { source: 'cache' }, {}],
  ['a word for nothing', 'source', () => ({ source: 'live' }), { source: 'none' }, {}],
  ['a word of an object', 'meta.source', () => ({ meta: { source: 'live' } }), { meta: { source: 'x' } }, {}],
  ['a flag', 'erreichbar', () => ({ erreichbar: true }), { erreichbar: false }, {}],
])('children beside which stands %s', (_, name, usual, odd, settings) => {
  const cut = world(oddFrom(10, full(usual), { count: 0, says: odd }));
  const runsOf = runs.of(day(world(full(usual)), settings), day(cut, settings), (second) => {
    const { setting, value } = cureOf(second);
    return day(cut, { ...settings, [setting]: value });
  });
  test('are not believed to be none where it is another one, until the setting says so', () => {
    const [first, second, third] = runsOf();
    expect(first?.source).toMatchObject({ status: 'complete', questions: [] });
    expect(second?.source).toMatchObject({ status: 'partial', error: { code: 'EMPTY_UNPROVEN' } });
    expect(second?.source?.error?.message).toContain(name);
    expect(second?.screens).toEqual({ rows: ALL, removed: 0 });
    expect(cureOf(second).setting).toBe('ignore');
    expect(third?.source).toMatchObject({ status: 'complete', questions: [] });
    expect(third?.screens.rows).toBeLessThan(ALL);
  });
});

/* Servers say in several ways that a parent has none. */
