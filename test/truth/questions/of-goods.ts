import { stuckQueues } from '../check-queues.ts';
import { type Day, playersOf } from '../fleet.ts';
import { bytesAt, fileOf, goodsOf, sizeOf, type TrueLicense, toldLeft, toldUsed, totalAt } from '../goods.ts';
import { isDue, type KnownTransfer, pendingOf } from '../queues.ts';
import { DAY_MS, type World } from '../world.ts';
import { between, type Fleet, grouped, type Oracle, rounded, sum, type TrueRow } from './answer.ts';
import { placeOf } from './of-devices.ts';

/** The transfers of players that are expected on the newest day. */
function ofExpected(world: World, days: readonly Day[]) {
  const expected = playersOf(world, days).filter(({ isExpected }) => isExpected);
  const ids = new Set(expected.map(({ player }) => player.id));
  return pendingOf(world, days).filter(({ player }) => ids.has(player));
}

/** What is true of the answers about transfers and licences, by question. */
export const OF_GOODS: Readonly<Record<string, Oracle>> = {
  "Which players' transfers are stuck, and how long?": ({ fleets }) =>
    fleets.flatMap((fleet) =>
      stuckQueues(fleet.world, fleet.days).map(({ player, hours, pending, isDated }) => ({
        cells: {
          player_name: `P${player.id}`,
          city: placeOf(fleet, player),
          pending,
          idle_days: rounded(hours / 24, 1),
          age_from: isDated ? 'API' : 'first seen',
        },
      })),
    ),

  'How far is the rollout of each file?': ({ fleets }) =>
    fleets.flatMap(({ source, world, days }) =>
      grouped(
        days.flatMap(({ date, runs, isPartial, isUntold }, index) => {
          const denied = new Set(runs.flatMap(({ queues = [] }) => queues));
          const until = days.slice(0, index + 1);
          // A run that was answered all of it has read each queue.
          const unread = playersOf(world, until).filter(
            (each) => isPartial && each.isExpected && denied.has(each.player.id),
          );
          const isToldUnread = ({ player }: KnownTransfer) =>
            !isUntold && unread.some((each) => each.player.id === player);
          return ofExpected(world, until)
            .filter((each) => !each.isCarried || isToldUnread(each))
            .filter((each) => isDue(each, each.readAt))
            .map((each) => ({ ...each, date, unread: unread.length }));
        }),
        (each) => ({ export_source: source, file_name: fileOf(each), export_date: each.date }),
        (group) => {
          const read = group.filter(({ isCarried }) => !isCarried);
          return {
            players_waiting: new Set(read.map(({ player }) => player)).size,
            // A queue that one run of the day could not read may be read by another one.
            not_known: between(read.length < group.length ? 1 : 0, group[0]?.unread ?? 0),
            share_of_waiting_bytes:
              read.length === 0 ? null : shareOf(bytesOf(world, read), sum(read.map(sizeOf))),
          };
        },
      ),
    ),

  'How old and how large are the transfers that wait?': ({ fleets }) =>
    fleets.flatMap(({ source, world, days }) =>
      grouped(
        ofExpected(world, days).filter((each) => !each.isCarried && isDue(each, each.readAt)),
        (each) => ({
          export_source: source,
          age: each.isDated ? ageOf(each.readAt - Math.max(each.createdAt, each.startsAt ?? 0)) : 'not known',
          size: sizeOf(each) < 10_000_000 ? 'below 10 MB' : '10 MB and more',
        }),
        (group) => ({
          transfers: group.length,
          bytes_left: restOf(bytesOf(world, group), sum(group.map(sizeOf))),
        }),
      ),
    ),

  'How many licences are used, and how long do they last?': ({ fleets }) =>
    fleets.flatMap((fleet) => goodsOf(fleet.world).licenses.map((license) => licenseRow(fleet, license))),

  'Do the players use what was bought?': ({ fleets }) =>
    fleets.flatMap(({ source, world, known }) =>
      goodsOf(world).licenses.map((each) => ({
        cells: {
          ...{ export_source: source, type: each.type, bought: totalAt(each, known.at(-1)?.at ?? 0) },
          players: playersOf(world, known).filter(
            ({ player, isExpected }) =>
              (player.id % 2 === 0 ? 'Player' : 'Editor') === each.type &&
              (isExpected || !('IsLicensed' in (player.mark?.as ?? {}))),
          ).length,
        },
      })),
    ),

  'How many were used at most, month by month?': ({ fleets }) =>
    fleets.flatMap(({ source, world, days }) =>
      goodsOf(world).licenses.flatMap((license) =>
        grouped(
          days.flatMap(({ date, at }) =>
            at === undefined ? [] : [{ date, used: toldUsed(world, license, at) }],
          ),
          ({ date }) => ({ month: date.slice(0, 7), export_source: source, type: license.type }),
          (group) => ({ used_at_most: mostOf(group.flatMap(({ used }) => used ?? [])) }),
        ),
      ),
    ),
};

/** The bytes of these transfers; null if one of them does not tell its own. */
function bytesOf(world: World, transfers: readonly KnownTransfer[]): number | null {
  const told = transfers.flatMap((each) => bytesAt(world, each, each.readAt) ?? []);
  return told.length < transfers.length ? null : sum(told);
}

const shareOf = (part: number | null, whole: number) => (part === null ? null : part / whole);
const restOf = (part: number | null, whole: number) => (part === null ? null : whole - part);

function ageOf(age: number): string {
  if (age < DAY_MS) return 'up to a day';
  return age < 7 * DAY_MS ? 'up to a week' : 'older';
}

const mostOf = (figures: readonly number[]) => (figures.length > 0 ? Math.max(...figures) : null);

function licenseRow(fleet: Fleet, license: TrueLicense): TrueRow {
  const { source, world, known, days: asked } = fleet;
  const at = known.at(-1)?.at ?? 0;
  const total = totalAt(license, at);
  const [used, left] = [toldUsed(world, license, at) ?? null, toldLeft(world, license, at) ?? null];
  const { days, slope, fit, isStep, hasEnded, since } = trendOf(fleet, license);
  const isSure = days >= 14 && fit !== null && fit >= 0.5 && !isStep && !hasEnded && slope > 0.001;
  const lasts = isSure && left !== null ? Math.max(0, left / slope - since) : null;
  return {
    cells: {
      ...{ export_source: source, license_type: license.type, used, total },
      used_share: used === null ? null : used / total,
      fewer_a_day: days >= 14 ? slope : null,
      days_to_exhaustion: left === 0 ? 0 : lasts,
      fit,
      is_carried: known.length < asked.length,
    },
  };
}

/**
 * The straight line through what use and expiry took by each of the last 30 days that were answered, and the
 * days `since` the last of them. If most of what was bought came on one day, nothing of it gives back.
 */
function trendOf({ world, known, days }: Fleet, license: TrueLicense) {
  const last = Date.parse(days.at(-1)?.date ?? '');
  const told = known.flatMap(({ at, date }) => {
    const x = (Date.parse(date) - last) / DAY_MS;
    const left = at === undefined ? undefined : toldLeft(world, license, at);
    return left === undefined || x <= -30 ? [] : [{ x, left, total: totalAt(license, at ?? 0) }];
  });
  const rises = told.map(({ x, total }, index) => {
    const before = told[index - 1] ?? { x, total };
    return { days: x - before.x, count: Math.max(0, total - before.total) };
  });
  const [all, span] = [sum(rises.map(({ count }) => count)), (told.at(-1)?.x ?? 0) - (told[0]?.x ?? 0)];
  const isJump = rises.some(({ days, count }) => count > all * Math.max(0.5, (1.5 * days) / span));
  const points = told.map(({ x, left }, index) => ({
    x,
    y: (isJump ? sum(rises.slice(0, index + 1).map(({ count }) => count)) : 0) - left,
  }));
  const mean = (of: (point: { readonly x: number; readonly y: number }) => number) =>
    sum(points.map(of)) / points.length;
  const [mx, my] = [mean(({ x }) => x), mean(({ y }) => y)];
  const [xx, yy, xy] = [
    mean(({ x }) => (x - mx) ** 2),
    mean(({ y }) => (y - my) ** 2),
    mean(({ x, y }) => (x - mx) * (y - my)),
  ];
  const taken = points.map(({ y }) => y);
  const range = Math.max(...taken) - Math.min(...taken);
  const end = points.at(-1) ?? { x: 0, y: 0 };
  // A long time without a reading brings much also of what grows evenly.
  const isStep = points.some(({ x, y }, index) => {
    const earlier = points[index - 1] ?? { x, y };
    const share = (x - earlier.x) / (end.x - (points[0]?.x ?? 0));
    return y - earlier.y > range * Math.max(0.5, 1.5 * share);
  });
  // What was taken by the last day is compared with that of the last one known before the week.
  const before = points.findLast(({ x }) => x <= end.x - 7) ?? points[0];
  const hasEnded = 7 * (xy / xx) >= 1 && end.y <= (before?.y ?? 0);
  return {
    days: points.length,
    slope: xy / xx,
    fit: yy === 0 ? null : xy ** 2 / (xx * yy),
    isStep,
    hasEnded,
    since: -end.x,
  };
}
