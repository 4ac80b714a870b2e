import { SPANS } from '#lib/report/report-data.ts';
import { type Exported, sourceOf } from './exported.ts';
import { wasOutWhileOpen } from './findings-oracle.ts';
import { type Day, type Device, daysOf, playersOf, readAt, screensOf } from './fleet.ts';
import { goodsOf, toldLeft } from './goods.ts';
import type { Row } from './telling.ts';
import { isExpected, isListed } from './told.ts';
import type { Figures, Page } from './truth-lab.ts';
import { DAY_MS, type World } from './world.ts';

type States = ReadonlyMap<string, Device>;

/** What the news of a fleet's players and screens say that is not true, and what they leave out. */
export function newsFaults(world: World, { clocks, views }: Figures): readonly string[] {
  const days = daysOf(world, clocks);
  const own = views.news.filter((row) => row['export_source'] === sourceOf(world));
  return [1, 7, 30].flatMap((span) => {
    const told = own.filter((row) => Number(row['days']) === span);
    const lines = told.map(
      (row: Row) => `${row['news']} ${row['news'] === 'licences ran out' ? row['name'] : row['record_key']}`,
    );
    const wanted = newsOf(world, days, span);
    return [
      ...lines
        .filter((line) => !wanted.includes(line))
        .map((line) => `${line} is news of ${span} days, and not true`),
      ...wanted
        .filter((line) => !lines.includes(line))
        .map((line) => `${line} is no news of ${span} days, and true`),
    ];
  });
}

/** How many of a finding came since the day before is true, or not told where a source lacks an answer. */
export function newCountFaults(
  { worlds = [] }: Exported,
  { clocks }: Figures,
  { data }: Page,
): readonly string[] {
  const all = worlds.flatMap((world) => {
    const days = daysOf(world, clocks);
    const [newest, then] = comparedDays(days, 1);
    const [now, news] = [statesOf(world, newest), newsOf(world, days, 1)];
    // What was not listed or not expected before is new, whatever its state was.
    const isCome = ({ player }: Device) =>
      then?.at !== undefined && !(isListed(player, then.date) && isExpected(player, then.date));
    return [...now].flatMap(([key, device]) => {
      const read = key.includes('/') ? readAt(device.player, days.slice(-1)) : newest?.at;
      const wasOpen = (until?: number) =>
        wasOutWhileOpen(device.player, { hours: device.hours, at: read ?? 0, until }, clocks);
      // What went out while its place was closed is new on the day that it opens.
      const isOpened = device.hours > 24 && !wasOpen((read ?? 0) - DAY_MS);
      const isNew =
        device.isExpected &&
        wasOpen() &&
        (isOpened || isCome(device) || news.some((line) => line.endsWith(` ${device.state} ${key}`)));
      // A screen of a player that is offline is no finding of its own.
      const owner = now.get(key.split('/')[0] ?? '')?.state;
      return isNew && (device.state !== 'stale' || owner === 'online') ? [device.state] : [];
    });
  });
  return ['offline-players', 'stale-screens'].flatMap((id) => {
    const state = id === 'offline-players' ? 'offline' : 'stale';
    const finding = data.findings.find((each) => each.id === id);
    const count = all.filter((each) => each === state).length;
    // A count is left out where a source lacks an answer, or has no day before, but never if there is news.
    const isRight =
      finding === undefined || finding.newCount === null ? count === 0 : finding.newCount === count;
    return isRight ? [] : [`${id}: ${finding?.newCount} are told to be new, and ${count} are`];
  });
}

/** A count of a part of the sources is told as a least one, and never as 0. */
export function newsLeastFaults(
  { worlds = [] }: Exported,
  { clocks }: Figures,
  { data }: Page,
): readonly string[] {
  return SPANS.flatMap((span) => {
    const isPart = worlds.some((world) => comparedDays(daysOf(world, clocks), Number(span))[1] === undefined);
    return data.news.kinds.flatMap(({ kind, counts, isLeast }) => {
      const isWrong = isLeast[span] ? counts[span] === 0 : isPart && kind.startsWith('player');
      return isWrong
        ? [`${kind} of ${span} days: ${counts[span]} is told of all, and a source is unknown`]
        : [];
    });
  });
}

/** Of how many that could be news nobody knows: no run of one of the two days could read their states. */
export function newsUnknownFaults(
  { worlds = [] }: Exported,
  { clocks }: Figures,
  { data }: Page,
): readonly string[] {
  return [1, 7, 30].flatMap((span) =>
    data.news.kinds.flatMap(({ kind, unknown }) => {
      const isOfStates = !/added|removed|licences|storage/.test(kind);
      const devicesOf = kind.startsWith('screen') ? screensOf : playersOf;
      const is = worlds.map((world) => {
        const days = daysOf(world, clocks);
        const [, then] = comparedDays(days, span);
        if (then === undefined || !isOfStates) return 0;
        const before = devicesOf(world, days.slice(0, days.indexOf(then) + 1));
        const past = new Map(before.map(({ key, state }) => [key, state]));
        return devicesOf(world, days).filter(
          ({ key, state, isExpected }) => isExpected && past.has(key) && isUntold(state, past.get(key)),
        ).length;
      });
      const [told, sum] = [
        Object.entries(unknown).find(([days]) => days === String(span))?.[1],
        is.reduce((a, b) => a + b, 0),
      ];
      return told === sum ? [] : [`${kind} of ${span} days: ${told} are told to be unknown, and ${sum} are`];
    }),
  );
}

/** A device without a state on one of the days, or a player that was seen before and has no last access any more. */
const isUntold = (now: string, past?: string) =>
  [now, past].includes('unknown') || (now === 'never seen' && past !== 'never seen');

export function comparedDays(
  days: readonly Day[],
  span: number,
): readonly [Day | undefined, Day | undefined] {
  const newest = days.at(-1);
  const last = Date.parse(newest?.date ?? '') - span * DAY_MS;
  return [newest, days.findLast(({ date }) => Date.parse(date) <= last)];
}

export function newsOf(world: World, days: readonly Day[], span: number): readonly string[] {
  const [newest, then] = comparedDays(days, span);
  if (newest === undefined || then === undefined) return [];
  const [now, before] = [statesOf(world, newest), statesOf(world, then)];
  const changed = [...now].flatMap(([key, { state, isExpected }]) => {
    const past = before.get(key);
    const news = past === undefined || !isExpected ? undefined : kindOf(state, past);
    return news === undefined ? [] : [`${key.includes('/') ? 'screen' : 'player'} ${news} ${key}`];
  });
  // The newest day may have no answer: then the day before it with one tells what is gone.
  const told = days.findLast(({ date, at }) => date > then.date && at !== undefined);
  const gone = told === undefined ? [] : [...before.keys()].filter((key) => isGone(world, key, days));
  const [read, past] = [newest.at, then.at];
  const ranOut = goodsOf(world).licenses.filter(
    (each) =>
      read !== undefined &&
      past !== undefined &&
      toldLeft(world, each, read) === 0 &&
      (toldLeft(world, each, past) ?? 0) > 0,
  );
  const came = [...playersOf(world, days), ...screensOf(world, days)].filter(
    ({ player }) => told !== undefined && past !== undefined && !isListed(player, then.date),
  );
  return [
    ...changed,
    ...came.map(({ key }) => `${key.includes('/') ? 'screen' : 'player'} added ${key}`),
    ...ranOut.map(({ type }) => `licences ran out ${type}`),
    ...gone.map((key) => `${key.includes('/') ? 'screen' : 'player'} removed ${key}`),
  ];
}

/** Screens of a player that is back are gone until a run has read them. */
function isGone({ players }: World, key: string, days: readonly Day[]): boolean {
  const [of, screen] = key.split('/');
  const player = players.find(({ id }) => String(id) === of);
  const date = days.findLast(({ at }) => at !== undefined)?.date ?? '';
  return (
    player !== undefined &&
    (!isListed(player, date) || (screen !== undefined && readAt(player, days) === undefined))
  );
}

/** What never reported has no state from which it could have changed; only what was out and expected can recover. */
function kindOf(now: string, { state: past, isExpected }: Device): string | undefined {
  if (now === past || past === 'unknown') return undefined;
  if (now === 'online' || now === 'on') return isExpected && past !== 'never seen' ? 'recovered' : undefined;
  return ['offline', 'stale', 'off'].find((news) => news === now);
}

/** The players and screens that a day's runs could read, by their keys. */
function statesOf(world: World, day: Day | undefined): States {
  if (day?.at === undefined) return new Map();
  return new Map([...playersOf(world, [day]), ...screensOf(world, [day])].map((each) => [each.key, each]));
}
