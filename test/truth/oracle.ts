import { type Clocks, daysBetween, nextDay } from './local-time.ts';
import { presenceOf } from './presence.ts';
import { common, union, without } from './spans.ts';
import {
  hasReported,
  heardAt,
  isDatedAt,
  isOffAt,
  isReporting,
  type Moved,
  offSpans,
  silencesOf,
  switchedAt,
  toldOf,
} from './told.ts';
import { type Around, answersOf, SILENT_MS, watchedOf } from './watched.ts';
import type { Span, TruePlayer, TrueScreen, World } from './world.ts';

/** What is true of a player or screen, and of how much of it runs can know. */
export interface Truth {
  readonly key: string;
  readonly level: 'player' | 'screen';
  readonly player: TruePlayer;
  /** Where the last run until a day saw its player. */
  readonly told: Moved;
  /** Runs that had an answer about it. */
  readonly seen: readonly number[];
  /** The first run that lists it. */
  readonly first: number | undefined;
  /** Since when and until when runs list it, without the times between a removal and a return. */
  readonly there: readonly Span[];
  /** Of these rows may say that they are unknown: from its last report to its first run. */
  readonly aside: readonly Span[];
  /** Between runs in a row that both had one, or that a later answer dates; without excused days. */
  readonly watched: readonly Span[];
  /** From the last run that listed it before it was removed to the first answer after its return, if there is one. */
  readonly away: readonly Span[];
  /** When it was out: off, or silent for 8 hours and more in a run. */
  readonly out: readonly Span[];
  /** When it switched more than once between two runs, of which the view tells the last, or after its last report. */
  readonly hidden: readonly Span[];
  /** Between two runs, where more than one thing happened, or one that the API does not date. */
  readonly blurred: readonly Span[];
  /** Times at which it became out or came back that the API tells. */
  readonly dated: ReadonlySet<number>;
  /** Whether the newest answered run of its source lists it, and it is expected. */
  readonly isListed: boolean;
  /** The newest run of its source. */
  readonly newest: number;
  /** Local days on which nobody expects its player, as far as the answers until then say. */
  readonly excused: ReadonlySet<string>;
}

/** What is true of every player and screen of a world that a run ever had an answer about. */
export function truthsOf(world: World, clocks: Clocks): readonly Truth[] {
  return world.players.flatMap((player) => [
    truthOf(world, clocks, player),
    ...player.screens.map((screen) => truthOf(world, clocks, player, screen)),
  ]);
}

function truthOf(world: World, clocks: Clocks, player: TruePlayer, screen?: TrueScreen): Truth {
  const runs = world.runs.filter(({ how }) => how !== 'left out');
  const silences = silencesOf(player, screen);
  const answers = answersOf(world, runs, { clocks, player, silences, screen });
  const seen = runs.filter((_, index) => answers[index] === 'yes').map(({ at }) => at);
  const listings = answersOf(world, runs, { clocks, player, silences, screen, isListing: true });
  const listed = runs.filter((_, index) => listings[index] === 'yes').map(({ at }) => at);
  const isTimed = (at: number) => screen === undefined || isReporting(player, at);
  const heard = (at: number) => (isTimed(at) ? heardAt(silences, at) : at);
  const noticed = silences.filter(([from, to]) =>
    seen.some((at) => from <= at && at < to && at - from > SILENT_MS && isTimed(at)),
  );
  const off = screen === undefined ? [] : offSpans(screen);
  const device: Device = {
    seen,
    isTimed,
    heard,
    silences,
    noticed,
    off,
    out: union([...off, ...noticed]),
    screen,
  };
  const presence = presenceOf(world, runs, { clocks, player, screen });
  // A day without a run is as the last run before it told.
  const days = daysBetween(clocks.dayOf(runs[0]?.at ?? 0), clocks.dayOf(runs.at(-1)?.at ?? 0));
  const excused = new Set(days.filter((day) => !presence.isExpectedOn(day)));
  const away = pairsOf([...listed, Number.POSITIVE_INFINITY])
    .filter(([before, at]) => presence.wasAway(before, at))
    .map(([before, at]): Span => [presence.listedUntil(before), at]);
  const listedSince = (at: number) => listed.find((each) => !presence.wasAway(each, at)) ?? at;
  // A device that tells no state any more is known until its last report.
  const endOf = (at: number) => {
    const isThere = presence.isThere && !presence.wasAway(at, Number.POSITIVE_INFINITY);
    return isThere || presence.listedUntil(at) > at ? knownUntil(device, at) : at;
  };
  const watched = watchedOf(
    runs.map(({ at }) => at),
    answers,
    {
      clocks,
      afterGap: (from, at) =>
        presence.wasAway(from, at)
          ? { known: [], until: presence.listedUntil(from) > from ? knownUntil(device, from) : from }
          : afterGap(device, from, at),
      beforeFirst: (at) =>
        seen.some((each) => listedSince(at) <= each && each < at)
          ? []
          : [[Math.max(listedSince(at), knownSince(device, at)), at]],
      endOf,
    },
  );
  const last = listed.at(-1);
  return {
    key: screen === undefined ? `${player.id}` : `${player.id}/${screen.id}`,
    level: screen === undefined ? 'player' : 'screen',
    player,
    told: toldOf(player, runs, clocks),
    seen,
    away,
    first: listed[0],
    there: last === undefined ? [] : without([[listed[0] ?? last, presence.listedUntil(last)]], away),
    aside: listed.filter((at) => listedSince(at) === at).map((at): Span => [heard(at), at]),
    watched: common(watched, daysWithout(excused, watched, clocks)),
    out: device.out,
    ...blindSpots(device),
    isListed: presence.isThere,
    newest: runs.at(-1)?.at ?? 0,
    excused,
  };
}

/** What runs see of a player or screen. */
interface Device {
  readonly seen: readonly number[];
  /** Whether a run knows when it reported last. */
  readonly isTimed: (at: number) => boolean;
  /** Until when a run knows what it was. */
  readonly heard: (at: number) => number;
  readonly silences: readonly Span[];
  /** Silences that a run saw. */
  readonly noticed: readonly Span[];
  readonly off: readonly Span[];
  readonly out: readonly Span[];
  readonly screen: TrueScreen | undefined;
}

const pairsOf = (times: readonly number[]): readonly Span[] =>
  times.slice(1).map((at, index) => [times[index] ?? at, at]);

const isSilentAt = ({ noticed }: Device, at: number) =>
  noticed.some(([from, to]) => from < at && at < to && at - from > SILENT_MS);

/** Whether it is off, as far as it has reported until a moment. */
const isOffThen = ({ screen, heard }: Device, at: number) =>
  screen !== undefined && isOffAt(screen, heard(at));

/** A device that was on may have been silent from its last report to the end of a gap. */
const knownUntil = (device: Device, at: number) =>
  isSilentAt(device, at) || isOffThen(device, at) ? at : device.heard(at);

/** Since when the first answer knows what it was. */
function knownSince(device: Device, at: number): number {
  const { silences, screen, heard, isTimed } = device;
  const isDated = screen !== undefined && isDatedAt(screen, at) && (isOffThen(device, at) || !isTimed(at));
  return isDated ? switchedAt(screen, silences, heard(at)) : heard(at);
}

/** Of the time between two runs that are not in a row, the second knows what its answer dates. */
function afterGap(device: Device, from: number, at: number): Around {
  const { silences, screen, heard, isTimed } = device;
  const told = heard(at);
  if (told <= from) return { known: [[from, at]], until: from };
  const until = knownUntil(device, from);
  if (screen === undefined || !isDatedAt(screen, at)) return { known: [[told, at]], until };
  const since = switchedAt(screen, silences, told);
  const hasSwitched =
    since > switchedAt(screen, silences, heard(from)) && (!isSilentAt(device, from) || since > from);
  const isOff = isOffThen(device, at);
  if (hasSwitched ? since <= from : isOff) return { known: [[from, at]], until: from };
  if (isOff) return { known: [[Math.max(from, since), at]], until };
  const wasOff = hasSwitched && isOffThen(device, from);
  // Where nobody says when a screen reported, it lasts since it switched.
  const back = isTimed(at) ? told : Math.max(from, since);
  return { known: [...(wasOff ? [[from, since] as const] : []), [back, at]], until };
}

/** What happens to a device that no run sees as it is, or not when. */
function blindSpots(device: Device): Pick<Truth, 'hidden' | 'blurred' | 'dated'> {
  const { seen, heard, silences, off, out, screen } = device;
  const edges = out.flat();
  const gaps = pairsOf(seen).map(([before, at]) => {
    const [told, to] = [heard(before), heard(at)];
    const from = isSilentAt(device, before) ? before : told;
    const inBetween = edges.filter(
      (edge) => from < edge && (edge < to || (edge === to && !isSilentAt(device, at))),
    );
    const wasOn = !off.some(([start, end]) => start <= told && told < end);
    const span: Span = [before, at];
    return { span, edges: inBetween, wasSilentOn: isSilentAt(device, before) && wasOn };
  });
  const dated = new Set([
    ...(screen?.switches ?? []).filter((edge) =>
      seen.some((at, index) => {
        const isFirst = heard(at) >= edge && heard(seen[index - 1] ?? 0) < edge;
        return isFirst && screen !== undefined && isDatedAt(screen, at);
      }),
    ),
    ...silences.map(([from, to]) => (hasReported(from) ? from : to)),
  ]);
  // The last switch to on tells that the screen was heard again before it, at some time in between.
  const hidden = gaps.filter(
    ({ edges, wasSilentOn, span: [, at] }) =>
      edges.length > (wasSilentOn ? 3 : 2) ||
      (edges.length > 1 && (screen === undefined || !isDatedAt(screen, at))),
  );
  const blurred = gaps.filter((gap) => gap.edges.length > 1 || gap.edges.some((edge) => !dated.has(edge)));
  // What a device did since its last report is told by the next run, if that has an answer.
  const late = seen.flatMap((at) =>
    edges.filter((edge) => heard(at) < edge && edge <= at).map((edge): Span => [edge, at]),
  );
  return {
    hidden: [...hidden.map(({ span }) => span), ...late],
    blurred: blurred.map(({ span }) => span),
    dated,
  };
}

/** The days of these spans, also where a later answer dates what was, without those on which nobody expects it. */
function daysWithout(excused: ReadonlySet<string>, spans: readonly Span[], clocks: Clocks): readonly Span[] {
  const counted: Span[] = [];
  const end = spans.at(-1)?.[1] ?? 0;
  for (let from = spans[0]?.[0] ?? end; from < end; ) {
    const day = clocks.dayOf(from);
    const to = clocks.momentOf(nextDay(day, 1), 0);
    if (!excused.has(day)) counted.push([from, to]);
    from = to;
  }
  return counted;
}
