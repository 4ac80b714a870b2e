import { type Clocks, nextDay } from './local-time.ts';
import { union, without } from './spans.ts';
import {
  hasReported,
  heardAt,
  isExpected,
  isListed,
  isListedAt,
  isReporting,
  isReportTold,
  isStateTold,
  screenRecord,
} from './told.ts';
import type { Span, TruePlayer, TrueScreen, World } from './world.ts';

/** A device that reports nothing for so long is out. */
export const SILENT_MS = 8 * 3_600_000;

/**
 * no: nobody asks of what is not expected, and what never reported has no state. perhaps: a run may not have read the
 * screen, and a later one of that day does. It tells nothing new, unless the screen may have been silent: that is no.
 */
type Answer = 'yes' | 'no' | 'perhaps';

/** What is known of the time between two runs that are not in a row, and until when before it. */
export interface Around {
  readonly known: readonly Span[];
  readonly until: number;
}

interface OfDevice {
  readonly clocks: Clocks;
  readonly player: TruePlayer;
  readonly silences: readonly Span[];
  readonly screen: TrueScreen | undefined;
  /** Whether an answer that lists it counts, whatever it says of its state. */
  readonly isListing?: boolean;
}

/** Which runs had an answer about a device. */
export function answersOf(
  world: World,
  runs: World['runs'],
  { clocks, player, silences, screen, isListing = false }: OfDevice,
): readonly Answer[] {
  const listed = runs.map(({ how, at }) => how === 'asked' && isListedAt(world, player, at, clocks));
  const answered = runs.map(
    ({ denied }, index) => listed[index] === true && !(screen && denied.includes(player.id)),
  );
  return runs.map(({ at, denied, queues = [] }, index): Answer => {
    const day = clocks.dayOf(at);
    const lacking = [...denied, ...queues];
    const isPartial = world.players.some(
      (each) => isListedAt(world, each, at, clocks) && lacking.includes(each.id),
    );
    const isLast = !runs.some(
      (run, later) => later > index && answered[later] === true && clocks.dayOf(run.at) === day,
    );
    // What leaves within a day is known by its answers of a day before.
    const isUnknown =
      !isListed(player, day) &&
      !runs.some((run, other) => answered[other] === true && clocks.dayOf(run.at) < day);
    const isMute = screen !== undefined && !isStateTold(screen, at);
    const isByWord = screen !== undefined && !isReporting(player, at);
    const isTold =
      (isByWord || hasReported(heardAt(silences, at))) && isReportTold(player, at, screen) && !isMute;
    if (isUnknown || (!isListing && !(isExpected(player, day) && isTold))) return 'no';
    const before = runs.findLast((_, earlier) => earlier < index && answered[earlier] === true);
    const told = before && heardAt(silences, player.speaksForScreens === true ? at : before.at);
    const perhaps = told !== undefined && at - told > SILENT_MS && !isByWord ? 'no' : 'perhaps';
    const isNew =
      before === undefined ||
      listed.some(
        (is, each) => !is && runs[each]?.how === 'asked' && before.at < (runs[each]?.at ?? 0) && each < index,
      );
    const ofDay = runs.flatMap((run, other) => (clocks.dayOf(run.at) === day ? other : []));
    // A day on which nobody read it has the row of a day before, which may be of a time when nobody expected it.
    const isUnread = ofDay.some((other) => listed[other]) && !ofDay.some((other) => answered[other]);
    if (isListing && !isNew && isUnread && isListed(player, day))
      return ofDay.at(-1) === index ? 'yes' : 'no';
    if (listed[index] !== true || (answered[index] !== true && isLast)) return 'no';
    if (answered[index] !== true) return perhaps;
    // A row of that day says that the run read it, and what left has none.
    const isRow = isLast && isListed(player, day);
    if (screen === undefined || !isPartial || isRow || isNew) return 'yes';
    const [was, is] = [before.at, at].map((each) => JSON.stringify(screenRecord(player, screen, each)));
    if (was !== is) return 'yes';
    return isLast ? 'no' : perhaps;
  });
}

interface WatchedOf {
  readonly clocks: Clocks;
  readonly afterGap: (from: number, at: number) => Around;
  /** What the first answer since a run listed it dates of the time before. */
  readonly beforeFirst: (at: number) => readonly Span[];
  /** Until when the last answer before the newest run is known to hold. */
  readonly endOf: (at: number) => number;
}

/** The times of which runs know, as their answers say. */
export function watchedOf(
  times: readonly number[],
  answers: readonly Answer[],
  { clocks, afterGap, beforeFirst, endOf }: WatchedOf,
): readonly Span[] {
  const spans: Span[] = [];
  const unsure: Span[] = [];
  let last: number | undefined;
  let isInRow = true;
  for (const [index, at] of times.entries()) {
    if (answers[index] === 'perhaps') continue;
    if (answers[index] !== 'yes') {
      isInRow = false;
      continue;
    }
    spans.push(...beforeFirst(at));
    if (last !== undefined) {
      const isNear = clocks.dayOf(at) <= nextDay(clocks.dayOf(last), 1);
      const { known, until } =
        isInRow && isNear ? { known: [[last, at] as const], until: last } : afterGap(last, at);
      spans.push(...known);
      unsure.push([until, last]);
    }
    last = at;
    isInRow = true;
  }
  if (last !== undefined && last < (times.at(-1) ?? last)) unsure.push([endOf(last), last]);
  return without(union(spans), union(unsure));
}
