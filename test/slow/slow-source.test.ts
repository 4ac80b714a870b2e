import { expect, it } from 'vitest';
import { temporaryFolder } from '../support/lake-children.ts';
import { timedRun } from '../support/timed-run.ts';
import { CALM } from '../support/timed-world.ts';

const HOUR_MS = 3_600_000;
const PLAYERS = 120;
const CHILDREN = 2;
/** Calls a second: the players and their children take some fourteen minutes. */
const RATE = 0.3;
const sources = ['berlin', 'slow', 'rome'].map((name) => {
  return { name, rate: name === 'slow' ? RATE / 10 : RATE, concurrency: 2 };
});

/** The run has a day, and all but one hour of it is for publishing. */
const SETTINGS = { publishHours: 23 };

it('a source that is throttled to a tenth costs only itself, and has asked for all after a few runs', async () => {
  await using folder = await temporaryFolder();
  const asked = new Set<string>();
  const lengths: number[] = [];
  for (const day of [1, 2, 3]) {
    const { summary, heard } = await timedRun(day, {
      ...{ place: 'lambdas', players: PLAYERS, sources, ...CALM, latencyMs: 300, settings: SETTINGS },
      ...{ runTime: `2026-11-2${day}T03:00:00Z`, lake: folder.path },
    });
    const statuses = Object.fromEntries(summary.sources.map(({ name, status }) => [name, status]));
    expect(statuses).toEqual({ berlin: 'complete', slow: 'partial', rome: 'complete' });
    expect(summary.status).toBe('partial');
    const slow = summary.sources.find(({ name }) => name === 'slow');
    expect(slow?.error?.code).toBe('SOURCE_SLOW');
    const items = (heard.get('slow')?.items ?? []).filter(({ item }) => item.includes('/'));
    // After the run's time for calls nobody is called. Only callers that wait for their turn at the rate still call.
    expect(Math.max(...items.map(({ at }) => at))).toBeLessThan(HOUR_MS + 120_000);
    const players = new Set(items.map(({ item }) => item.split('/')[1] ?? ''));
    // Whom no run has asked yet comes first: all of them are new, but for a batch at the seam.
    const again = [...players].filter((player) => asked.has(player)).length;
    lengths.push(players.size);
    if (day < 3) expect(again).toBeLessThanOrEqual(PLAYERS / 10);
    for (const player of players) asked.add(player);
  }
  expect(asked.size).toBe(PLAYERS);
  expect(Math.max(...lengths)).toBeLessThan(PLAYERS);
  expect(CHILDREN * Math.max(...lengths)).toBeLessThanOrEqual((RATE / 10) * 3600 + 10);
});
