import { type Clocks, daysBetween, nextDay } from './local-time.ts';
import { common, union } from './spans.ts';
import {
  hasReported,
  heardAt,
  isExpected,
  isListed,
  isListedAt,
  isOffAt,
  type Moved,
  offSpans,
  silencesOf,
  switchedAt,
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
  /** Between runs in a row that both had one, or that a later answer dates; without excused days. */
  readonly watched: readonly Span[];
  /** From the last answer before it was removed to the first after its return. */
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
  const noticed = silences.filter(([from, to]) =>
    seen.some((at) => from <= at && at < to && at - from > SILENT_MS),
  );
  const off = screen === undefined ? [] : offSpans(screen);
  const out = union([...off, ...noticed]);
  const edges = out.flat();
  const heard = (at: number) => {
    const silent = noticed.some(([from, to]) => from < at && at < to && at - from > SILENT_MS);
    return { silent, from: silent ? at : heardAt(silences, at), to: heardAt(silences, at) };
  };
  const gaps = seen.flatMap((at, index): readonly Gap[] => {
    const before = seen[index - 1];
    if (before === undefined) return [];
    const [from, to] = [heard(before).from, heard(at).to];
    const inBetween = edges.filter(
      (edge) => from < edge && (edge < to || (edge === to && !heard(at).silent)),
    );
    const [wasSilent, told] = [heard(before).silent, heard(before).to];
    const wasOn = !off.some(([start, end]) => start <= told && told < end);
    return [{ span: [from, at], edges: inBetween, wasSilentOn: wasSilent && wasOn }];
  });
  // The last switch to on tells that the screen was heard again before it, at some time in between.
  const hidden = gaps
    .filter(
      (gap) =>
        gap.edges.length > (gap.wasSilentOn ? 3 : 2) || (gap.edges.length > 1 && screen?.isDated !== true),
    )
    .map(({ span }) => span);
  const dated = new Set([
    ...(screen?.isDated === true ? screen.switches : []),
    ...silences.map(([from, to]) => (hasReported(from) ? from : to)),
  ]);
  const blurred = gaps
    .filter((gap) => gap.edges.length > 1 || gap.edges.some((edge) => !dated.has(edge)))
    .map(({ span }) => span);
  // What a device did since its last report is told by the next run, if that has an answer.
  const late = seen.flatMap((at) =>
    edges.filter((edge) => heardAt(silences, at) < edge && edge <= at).map((edge): Span => [edge, at]),
  );
  const isExpectedOn = (day: string) => {
    const told = runs.findLast(({ how, at }) => how === 'asked' && clocks.dayOf(at) <= day);
    if (told === undefined) return true;
    const last = clocks.dayOf(told.at);
    return !isListed(player, last) || isExpected(player, last);
  };
  const last = clocks.dayOf(runs.findLast(({ how }) => how === 'asked')?.at ?? 0);
  const isOffThen = (at: number) => screen !== undefined && isOffAt(screen, heardAt(silences, at));
  // A device that was on may have been silent from its last report to the end of a gap.
  const knownUntil = (at: number) => (heard(at).silent || isOffThen(at) ? at : heardAt(silences, at));
  // Of the time between two runs that are not in a row, the second knows what its answer dates.
  const wasAway = (from: number, at: number) =>
    runs.some(
      (run) =>
        run.how === 'asked' && from < run.at && run.at < at && !isListedAt(world, player, run.at, clocks),
    );
  const afterGap = (from: number, at: number): Around => {
    if (wasAway(from, at)) return { known: [], until: from };
    const told = heardAt(silences, at);
    if (told <= from) return { known: [[from, at]], until: from };
    const until = knownUntil(from);
    if (screen?.isDated !== true) return { known: [[told, at]], until };
    const since = switchedAt(screen, silences, told);
    const { silent } = heard(from);
    const hasSwitched =
      since > switchedAt(screen, silences, heardAt(silences, from)) && (!silent || since > from);
    if (hasSwitched ? since <= from : isOffThen(at)) return { known: [[from, at]], until: from };
    if (isOffThen(at)) return { known: [[Math.max(from, since), at]], until };
    const wasOff = hasSwitched && isOffThen(from);
    return { known: [...(wasOff ? [[from, since] as const] : []), [told, at]], until };
  };
  // Screens of a player that is back are gone until a run has read them.
  const isBack = runs.some(
    ({ how, at, denied }) =>
      how === 'asked' &&
      isListedAt(world, player, at, clocks) &&
      !wasAway(at, Number.POSITIVE_INFINITY) &&
      !(screen && denied.includes(player.id)),
  );
  const isThere = isListed(player, last) && isExpected(player, last) && isBack;
  // A day without a run is as the last run before it told.
  const days = daysBetween(clocks.dayOf(runs[0]?.at ?? 0), clocks.dayOf(runs.at(-1)?.at ?? 0));
  const excused = new Set(days.filter((day) => !isExpectedOn(day)));
  const watched = watchedOf(
    runs.map(({ at }) => at),
    answers,
    { clocks, afterGap, endOf: isThere ? knownUntil : (at) => at },
  );
  // A day on which nobody expects the player does not count, also where a later answer dates it.
  const counted: Span[] = [];
  const end = watched.at(-1)?.[1] ?? 0;
  for (let from = watched[0]?.[0] ?? end; from < end; ) {
    const day = clocks.dayOf(from);
    const to = clocks.momentOf(nextDay(day, 1), 0);
    if (!excused.has(day)) counted.push([from, to]);
    from = to;
  }
  return {
    key: screen === undefined ? `${player.id}` : `${player.id}/${screen.id}`,
    level: screen === undefined ? 'player' : 'screen',
    player,
    told: toldOf(player, runs, clocks),
    seen,
    away: seen
      .slice(1)
      .flatMap((at, index) => (wasAway(seen[index] ?? at, at) ? [[seen[index] ?? at, at]] : [])),
    watched: common(watched, counted),
    out,
    hidden: [...hidden, ...late],
    blurred,
    dated,
    isListed: isThere,
    newest: runs.at(-1)?.at ?? 0,
    excused,
  };
}

/** A player that moves when a run lists it elsewhere. */
function toldOf(player: TruePlayer, runs: World['runs'], clocks: Clocks): Moved {
  const listed = runs
    .filter(({ how, at }) => how === 'asked' && isListed(player, clocks.dayOf(at)))
    .map(({ at }) => clocks.dayOf(at));
  return { ...player, movesOn: listed.find((day) => day >= (player.movesOn ?? '9999')) };
}

/** Between two runs that had an answer, with what happened. */
interface Gap {
  readonly span: Span;
  readonly edges: readonly number[];
  readonly wasSilentOn: boolean;
}
