import { type Dice, dice, hash } from '#simulator/dice.ts';
import { isUnsaid } from './unsaid.ts';

export const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;
/** A Thursday: clocks of Berlin go back on the Sunday after, those of New York a week later. */
export const FIRST_DAY = Date.parse('2026-10-22T00:00:00Z');
/** How many days worlds have, unless they are told otherwise. */
const DAYS = 9;

/** From, up to and without. Times are milliseconds since 1970. */
export type Span = readonly [number, number];
const ALWAYS: Span = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];

/** A run of all worlds of a lab, and how it went for one of them. */
export interface WorldRun {
  readonly at: number;
  /** refused: every call is denied. left out: the run asks other sources alone. */
  readonly how: 'asked' | 'refused' | 'left out';
  /** Players whose screens nobody may read in this run. */
  readonly denied: readonly number[];
  /** Players whose transfers nobody may read in this run. */
  readonly queues?: readonly number[];
}

export interface TrueScreen {
  readonly id: number;
  readonly startsOn: boolean;
  /** When it went on or off, in turn. */
  readonly switches: readonly number[];
  /** When it reported nothing, in addition to its player. */
  readonly silences: readonly Span[];
  /** Whether the API tells when it switched. */
  readonly isDated: boolean;
  /** When it tells that of any screen. @default always */
  readonly datedIn?: Span;
  /** Runs whose answer leaves out whether it is on. */
  readonly unsaid?: readonly number[];
  /** When the API says of any screen whether it is on. @default always */
  readonly stateIn?: Span;
}

export interface TruePlayer {
  readonly id: number;
  /** One without a beginning is the time before it was first seen. */
  readonly silences: readonly Span[];
  readonly screens: readonly TrueScreen[];
  /** Whether its screens do not say when they reported, as all of its world. They are silent with it alone. */
  readonly speaksForScreens?: boolean;
  /** Its place from the beginning, and after its move. */
  readonly cities: readonly [string, string];
  /** What the operator calls it, as long as it is at each of its places. */
  readonly customs: readonly [string | undefined, string | undefined];
  /** The local day from which on it is elsewhere, such as 2026-10-25. */
  readonly movesOn: string | undefined;
  /** The local day on which it is listed first; undefined = always. */
  readonly comesOn: string | undefined;
  /** The local day from which on it is no longer listed. */
  readonly leavesOn: string | undefined;
  /** The local day after that from which on it is listed again. */
  readonly returnsOn?: string | undefined;
  /** Whether all but the last answered run of that day list it. */
  readonly leavesLate?: boolean;
  /** What the API says in the local days of a time in which nobody expects it to run. */
  readonly mark: { readonly as: object; readonly from: string; readonly until: string } | undefined;
  /** Runs whose answer leaves out when it was seen last. */
  readonly unsaid?: readonly number[];
  /** When the API says of any player when it was seen last. @default always */
  readonly accessIn?: Span;
}

/** What is true of one fleet. */
export interface World {
  readonly seed: number;
  /** How many days its beginnings and ends are spread over. */
  readonly days: number;
  readonly players: readonly TruePlayer[];
  readonly runs: readonly WorldRun[];
}

/** When the runs of a lab are, at odd times: none, one or several a day. */
export function runTimes(seed: number, days = DAYS): readonly number[] {
  const roll = dice(hash(seed, 1));
  const times = Array.from({ length: days }, (_, day) => {
    const count = roll.pick([0, 1, 1, 1, 1, 2, 3]);
    return Array.from({ length: count }, () => FIRST_DAY + day * DAY_MS + roll.below(24 * 60) * 60_000);
  }).flat();
  return [...new Set(times)].toSorted((a, b) => a - b);
}

/** The fleet of a seed, that has a part in these runs. */
export function worldOf(seed: number, times: readonly number[], days = DAYS): World {
  const roll = { ...dice(hash(seed, 2)), days };
  const odd = { ...dice(hash(seed, 5)), days };
  const more = { ...dice(hash(seed, 8)), days };
  const isStable = roll.chance(0.5);
  const [access, stateIn, datedIn] = [41, 42, 40].map((salt) => toldIn(seed, salt, days));
  const runs = times.map((at): WorldRun => {
    const how = roll.pick([
      ...Array.from({ length: 6 }, () => 'asked' as const),
      'refused',
      'left out',
    ] as const);
    const queues = [1, 2].filter(() => more.chance(0.08));
    return { at, how, denied: [1, 2].filter(() => roll.chance(0.08)), queues };
  });
  const asked = runs.filter(({ how, at }) => how === 'asked' && access && access[0] <= at && at < access[1]);
  // What no run hears of is no column.
  const accessIn = asked.length > 1 ? access : undefined;
  const players = Array.from({ length: 2 }, (_, index): TruePlayer => {
    const drawn = roll.chance(0.5) ? spans(roll, { most: 3, hours: 60 }) : [];
    const silences = odd.chance(0.15) ? withoutBeginning(drawn, odd.chance(0.3)) : drawn;
    const unsaid = times.filter((at) => isUnsaid('last access of a player', seed, index, at));
    return {
      id: index + 1,
      silences,
      ...(unsaid.length > 0 && { unsaid }),
      ...(accessIn && { accessIn }),
      cities: [roll.pick(['Bern', 'Nancy', 'Hof']), roll.pick(['Bern', 'Nancy', 'Hof'])],
      customs: [more.pick(CUSTOMS), more.pick(CUSTOMS)],
      movesOn: roll.chance(0.3) ? dayOf(roll) : undefined,
      comesOn: more.chance(0.2) ? dayOf(more) : undefined,
      ...awayOf(roll, hash(seed, 30 + index)),
      mark: odd.chance(0.25) ? markOf(odd) : undefined,
      screens: Array.from({ length: 1 + roll.below(2) }, (_, number) => {
        const screen = screenOf(roll, { id: number + 1, isStable, ofPlayer: silences });
        const mute = times.filter((at) => isUnsaid('state of a screen', seed, `${index}/${number}`, at));
        return {
          ...screen,
          ...(mute.length > 0 && { unsaid: mute }),
          ...(stateIn && { stateIn }),
          ...(datedIn && { datedIn }),
        };
      }),
    };
  });
  if (!odd.chance(0.25)) return { seed, days, players, runs };
  // A silence from before anybody could tell has no beginning that is true.
  return { seed, days, players: players.map(({ accessIn: _, ...player }) => speaking(player)), runs };
}

/** When the API of a world tells a field. In one of four worlds it begins or ends to tell it. */
function toldIn(seed: number, salt: number, days: number): Span | undefined {
  const since = sinceOf(seed, salt, days);
  if (since === undefined) return undefined;
  const roll = dice(hash(seed, salt + 10));
  if (roll.chance(0.3)) return [ALWAYS[0], since];
  return [since, roll.chance(0.3) ? since + 2 * DAY_MS : ALWAYS[1]];
}

/** When an API begins to tell a field, in one of four: within the first two thirds of the days. */
export function sinceOf(seed: number, salt: number, days: number): number | undefined {
  const roll = dice(hash(seed, salt));
  return roll.below(4) === 0 ? FIRST_DAY + roll.below(days * 16 * 60) * 60_000 : undefined;
}

/** The player of a world with screens that do not say when they reported. */
export function speaking(player: TruePlayer): TruePlayer {
  const screens = player.screens.map((screen) => ({ ...screen, silences: [] }));
  return { ...player, screens, speaksForScreens: true };
}

/** Some are names of cities too. */
const CUSTOMS = ['ACME', 'Hof', 'Bern', undefined] as const;

type Roll = Dice & { readonly days: number };

/** A player that was never seen before its first silence ended, or never at all. */
function withoutBeginning(silences: readonly Span[], isForEver: boolean): readonly Span[] {
  const [[, to], ...others] = [silences[0] ?? [0, FIRST_DAY + DAY_MS], ...silences.slice(1)];
  return isForEver ? [ALWAYS] : [[ALWAYS[0], to], ...others];
}

/** Some players leave, and half of them are back after one to three days. */
function awayOf(roll: Roll, luck: number): Pick<TruePlayer, 'leavesOn' | 'leavesLate' | 'returnsOn'> {
  const leavesOn = roll.chance(0.15) ? dayOf(roll) : undefined;
  const leavesLate = luck % 2 === 0;
  if (leavesOn === undefined || luck % 4 < 2) return { leavesOn, leavesLate };
  const returnsOn = new Date(Date.parse(leavesOn) + (1 + (luck % 3)) * DAY_MS).toISOString().slice(0, 10);
  return { leavesOn, leavesLate, returnsOn };
}

/** From some day on, or up to one, or in between. */
function markOf(roll: Roll): TruePlayer['mark'] {
  const [from = '', until = ''] = [dayOf(roll), dayOf(roll)].toSorted();
  return {
    as: roll.pick([
      { BoxState: 'Deleted' },
      { BoxState: 'New' },
      { IsInstalled: false },
      { IsLicensed: false },
    ]),
    from: roll.chance(0.5) ? '' : from,
    until: roll.chance(0.5) ? '9999' : until,
  };
}

interface ScreenSettings {
  readonly id: number;
  readonly isStable: boolean;
  readonly ofPlayer: readonly Span[];
}

/** A screen that switches only while it reports: the API dates a switch when it hears of it. */
function screenOf(roll: Roll, { id, isStable, ofPlayer }: ScreenSettings): TrueScreen {
  const startsOn = roll.chance(0.7);
  const silences = roll.chance(0.3) ? spans(roll, { most: 2, hours: 40 }) : [];
  const all = [...ofPlayer, ...silences];
  const switches = switchesOf(roll, isStable).filter(
    (at) => !all.some(([from, to]) => from <= at && at <= to),
  );
  return { id, startsOn, silences, switches, isDated: roll.chance(0.7) };
}

/** Apart from each other, so that each has a beginning and an end of its own. */
function spans(
  roll: Roll,
  { most, hours }: { readonly most: number; readonly hours: number },
): readonly Span[] {
  const found: Span[] = [];
  let at = FIRST_DAY - DAY_MS;
  for (let count = 1 + roll.below(most); count > 0; count--) {
    const from = at + minutes(roll, (roll.days * 5 * 24) / DAYS);
    const to = from + minutes(roll, hours);
    found.push([from, to]);
    at = to + HOUR_MS;
  }
  return found;
}

function switchesOf(roll: Roll, isStable: boolean): readonly number[] {
  const found: number[] = [];
  let at = FIRST_DAY - DAY_MS;
  while (at < FIRST_DAY + roll.days * DAY_MS) {
    at += HOUR_MS + minutes(roll, isStable ? 120 : 40);
    found.push(at);
  }
  return found;
}

function dayOf(roll: Roll): string {
  return new Date(FIRST_DAY + roll.below(roll.days) * DAY_MS).toISOString().slice(0, 10);
}

/** Whole minutes, from one on. */
function minutes(roll: Roll, hours: number): number {
  return (1 + roll.below(hours * 60)) * 60_000;
}
