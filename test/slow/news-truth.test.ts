import { expect, it } from 'vitest';
import type { JsonObject } from '#simulator/json.ts';
import { startSimulator } from '#simulator/server.ts';
import { createWorld, type Snapshot } from '#simulator/world/world.ts';
import { clockedLake } from '../queries/clocked-lake.ts';
import { labConfig } from '../support/export-lab.ts';

const WORLD = { players: 60, seed: 12 };
const START = Date.parse('2026-11-20T03:00:00Z');
const DAY_MS = 86_400_000;
const EIGHT_HOURS_MS = 8 * 3_600_000;
const timeOf = (day: number) => new Date(START + day * DAY_MS).toISOString();

interface Truth {
  readonly players: ReadonlyMap<string, { readonly state: string; readonly isExpected: boolean }>;
  readonly screens: ReadonlyMap<string, { readonly state: string; readonly isExpected: boolean }>;
  readonly left: ReadonlyMap<string, number>;
  readonly used: ReadonlyMap<string, number>;
}

const age = (day: number, time: unknown) =>
  typeof time === 'string' && !time.startsWith('0001')
    ? Date.parse(timeOf(day)) - Date.parse(time)
    : undefined;

function playerState(silence: number | undefined): string {
  if (silence === undefined) return 'never seen';
  return silence > EIGHT_HOURS_MS ? 'offline' : 'online';
}

function screenState(screen: JsonObject, day: number): string {
  const silence = age(day, screen.LastUpdate);
  if (silence === undefined) return 'unknown';
  if (silence > EIGHT_HOURS_MS) return 'stale';
  return screen.IsOn === true ? 'on' : 'off';
}

/** What is true of a day, read without SQL. */
function truthOf(snapshot: Snapshot): Truth {
  const { day } = snapshot;
  const players = new Map<string, { state: string; isExpected: boolean }>();
  const screens = new Map<string, { state: string; isExpected: boolean }>();
  for (const player of snapshot.records('players')) {
    const isExpected =
      player.BoxState === 'Activated' && player.IsInstalled === true && player.IsLicensed === true;
    players.set(String(player.Id), { state: playerState(age(day, player.LastAccess)), isExpected });
    for (const screen of snapshot.records('screens', Number(player.Id)))
      screens.set(`${player.Id}/${screen.Id}`, { state: screenState(screen, day), isExpected });
  }
  const used = new Map<string, number>();
  const slots = [...snapshot.all('backup_slots')];
  for (const { parentId, record } of slots)
    used.set(String(parentId), (used.get(String(parentId)) ?? 0) + Number(record.storage_used));
  // A slot that is counted again has no known use, so its storage has none.
  for (const { parentId, record } of slots)
    if (record.usage_last_check === null && Number(record.storage_used) > 0) used.delete(String(parentId));
  const left = new Map(
    snapshot.records('licenses').map((each) => [String(each.Type), Number(each.AvailableCount)]),
  );
  return { players, screens, left, used };
}

/** The news between two days as lines, by comparing their truths. */
function difference(now: Truth, then: Truth): readonly string[] {
  const of = (
    what: 'player' | 'screen',
    today: Truth['players'],
    before: Truth['players'],
    changed: (now: string, then: string) => string | undefined,
  ) => [
    ...[...today.keys()].filter((key) => !before.has(key)).map((key) => `${what} added ${key}`),
    ...[...before.keys()].filter((key) => !today.has(key)).map((key) => `${what} removed ${key}`),
    ...[...today].flatMap(([key, { state, isExpected }]) => {
      const past = before.get(key)?.state;
      const news = past === undefined || !isExpected ? undefined : changed(state, past);
      return news === undefined ? [] : [`${what} ${news} ${key}`];
    }),
  ];
  return [
    ...of('player', now.players, then.players, (state, past) => {
      if (state === 'offline' && past === 'online') return 'offline';
      return state === 'online' && (past === 'offline' || past === 'never seen') ? 'recovered' : undefined;
    }),
    ...of('screen', now.screens, then.screens, (state, past) => {
      if (state === 'stale') return past === 'on' || past === 'off' ? 'stale' : undefined;
      if (state === 'off') return past === 'on' || past === 'stale' ? 'off' : undefined;
      return state === 'on' && (past === 'off' || past === 'stale') ? 'recovered' : undefined;
    }),
    ...[...now.left]
      .filter(([type, left]) => left <= 0 && (then.left.get(type) ?? 0) > 0)
      .map(([type]) => `licences ran out ${type}`),
    ...[...now.used]
      .filter(
        ([id, used]) =>
          used > (then.used.get(id) ?? used) &&
          used - (then.used.get(id) ?? used) >= (then.used.get(id) ?? 0) / 10,
      )
      .map(([id]) => `storage grew ${id}`),
  ].toSorted();
}

it('news equals the difference of two days of the simulator’s truth, for 1, 7 and 30 days', {
  timeout: 60_000,
}, async () => {
  const simulator = await startSimulator({ ...WORLD, startDate: '2026-11-20' });
  await using lake = await clockedLake(labConfig(simulator.url), {
    read: async (name) => (name === 'lab/vault' ? simulator.secrets.backup : simulator.secrets.signage),
  });
  // No run on the day a week before the last: the day before that is compared.
  for (const day of [0, 23, 29, 30]) {
    simulator.day = day;
    await lake.run(timeOf(day));
  }
  await simulator.close();
  const world = createWorld({ ...WORLD, startDate: '2026-11-20' });
  const now = truthOf(world.at(30));
  const rows = await lake.rows('select days, since_date, news, record_key from news');
  for (const [days, day] of [
    [1, 29],
    [7, 23],
    [30, 0],
  ] as const) {
    const told = rows.filter((row) => Number(row.days) === days);
    const lines = told.map(({ news, record_key }) => `${news} ${record_key}`);
    const wanted = difference(now, truthOf(world.at(day)));
    expect(wanted.length).toBeGreaterThan(5);
    expect(lines.toSorted()).toEqual(wanted);
    expect(new Set(told.map((row) => row.since_date))).toEqual(new Set([timeOf(day).slice(0, 10)]));
  }
  const kinds = new Set(rows.map((row) => row.news));
  for (const kind of [
    'player offline',
    'player recovered',
    'player added',
    'player removed',
    'screen stale',
    'screen off',
  ])
    expect(kinds).toContain(kind);
});
