import { truthOf } from './check-goods.ts';
import type { Exported } from './exported.ts';
import { type Day, daysOf, playersOf, queueReadAt, screensOf } from './fleet.ts';
import { goodsOf } from './goods.ts';
import type { Clocks } from './local-time.ts';
import type { Vault } from './vault.ts';
import { dayFigure, type KnownStorage, vaultDays } from './vault-oracle.ts';
import type { World } from './world.ts';

/** By figure of a day: what is true; null where nobody can know. */
export interface SourceDay {
  readonly date: string;
  readonly figures: Readonly<Record<string, number | null>>;
  /** Figures that may be unknown although they are true. */
  readonly unsure: ReadonlySet<string>;
}

/** The days of each source with a run, and what it can say of them. */
export function sourceDays(
  { worlds = [], vaults = [] }: Exported,
  clocks: Clocks,
): readonly (readonly SourceDay[])[] {
  return [
    ...worlds.map((world) => {
      const days = daysOf(world, clocks);
      return days.map((_, index) => ofNobody(fleetDay(world, days.slice(0, index + 1))));
    }),
    ...vaults.map((vault) => accountDays(vault, clocks)),
  ];
}

const OF_QUEUES = ['pending_transfers', 'players_waiting', 'players_stuck'] as const;
const OF_STATES = ['expected_players_online', 'expected_screens_on', 'expected_screens_stale'] as const;
const OF_LICENCES = ['licenses_total', 'licenses_used'] as const;

/** A fleet in which nobody is expected adds nothing: it may say 0 or that it does not know, and both are true. */
function ofNobody(day: SourceDay): SourceDay {
  if (day.figures['expected_players'] !== 0) return day;
  const isOfNobody = (name: string) =>
    name.startsWith('expected_') || OF_QUEUES.some((queue) => queue === name);
  const entries = Object.entries(day.figures);
  return {
    ...day,
    figures: Object.fromEntries(entries.filter(([name]) => !isOfNobody(name))),
    unsure: new Set([...day.unsure, ...entries.map(([name]) => name).filter(isOfNobody), ...OF_STATES]),
  };
}

function fleetDay(world: World, days: readonly Day[]): SourceDay {
  const date = days.at(-1)?.date ?? '';
  const truth = truthOf(world, days, world.players);
  // A source that never had a licence says nothing of licences.
  const names = [...OF_QUEUES, ...(goodsOf(world).licenses.length > 0 ? OF_LICENCES : [])];
  const states = [
    ...['expected_screens_on', 'expected_screens_off', 'expected_screens_stale'],
    ...['expected_players_online', 'expected_players_offline', 'expected_players_never_seen'],
  ];
  const shown = screensOf(world, days).filter(({ isExpected }) => isExpected);
  const expected = playersOf(world, days).filter(({ isExpected }) => isExpected);
  const [players, screens] = [expected.length, shown.length];
  if (truth === undefined)
    return {
      date,
      figures: {
        ...Object.fromEntries(names.map((name) => [name, null])),
        ...{ expected_players: players, expected_players_unknown: players },
        ...{ expected_screens: screens, expected_screens_unknown: screens },
      },
      unsure: new Set(),
    };
  const is = (name: string) => truth[name]?.is ?? 0;
  // A day on which no queue could be read tells nothing of them.
  const hasQueue = playersOf(world, days).some(
    ({ player }) => queueReadAt(player, days.slice(-1)) !== undefined,
  );
  const queues = hasQueue || players === 0 ? {} : Object.fromEntries(OF_QUEUES.map((name) => [name, null]));
  const unknown = shown.filter(({ state }) => state === 'unknown').length;
  // Of screens that are all stale or unknown, nobody knows how many are on. A fleet without screens says 0 or nothing.
  const isDark =
    (unknown > 0 || screens === 0) && is('expected_screens_on') + is('expected_screens_off') === 0;
  return {
    date,
    figures: {
      ...Object.fromEntries(
        [...names, ...states].map((name) => [name, Number.isFinite(is(name)) ? is(name) : null]),
      ),
      ...queues,
      expected_players: players,
      expected_players_unknown: expected.filter(({ state }) => state === 'unknown').length,
      expected_screens: screens,
      expected_screens_unknown: unknown,
    },
    unsure: new Set([
      ...names.filter((name) => truth[name]?.mayBeNull === true),
      ...(isDark ? ['expected_screens_on', 'expected_screens_off'] : []),
    ]),
  };
}

/** What is known of slots only together with their number. */
const PARTS: readonly string[] = [
  'backup_slots_size',
  'backup_used',
  'backup_used_least',
  'backup_used_most',
];

const isUncounted = ({ slots, counted }: KnownStorage) => slots.length > 0 && counted === 0;

function accountDays(vault: Vault, clocks: Clocks): readonly SourceDay[] {
  return vaultDays(vault, clocks).map((day) => {
    const told = (figure: 'count' | 'used' | 'least' | 'most' | 'reserved') => {
      const is = dayFigure(day, (each) => each[figure]);
      return is === 'not known' ? null : is;
    };
    // An account without storages says nothing, and no run knows whether a refused listing is one of them.
    const isSaid = day.known.length > 0 || day.answered.length === 0;
    const figures = isSaid
      ? {
          ...{ backup_slots: told('count'), backup_slots_size: told('reserved') },
          ...{ backup_used: told('used'), backup_used_most: told('most') },
          // Where each storage has slots and none is counted, nobody says that 0 are used.
          backup_used_least: day.known.every(isUncounted) ? null : told('least'),
        }
      : {};
    return { date: day.date, figures, unsure: new Set(isSaid ? [] : PARTS) };
  });
}

/** A sum over sources that is true; null where it may not be told, and whether a null is right too. */
export interface Whole {
  readonly is: number | null;
  readonly mayBeNull: boolean;
}

/** The figure of all sources on a day: of each its last day with a run. */
export function wholeOf(sources: readonly (readonly SourceDay[])[], date: string, figure: string): Whole {
  const isOfStates = figure.startsWith('expected_');
  const cells = sources.flatMap((days) => {
    const past = days.filter((day) => day.date <= date);
    const last = past.at(-1);
    if (last?.figures[figure] === undefined || !isSaid(days, figure)) return [];
    return [last.figures[figure]];
  });
  const isUnsure = sources.some((days) => days.findLast((day) => day.date <= date)?.unsure.has(figure));
  // Of a silent source, players and screens are counted as unknown.
  const isKnown = isOfStates || cells.every((is) => is !== null);
  const sum = cells.reduce<number>((all, is) => all + (is ?? 0), 0);
  return { is: isKnown ? sum : null, mayBeNull: sum === 0 || isUnsure };
}

/** Whether a source ever said a figure, or the whole that it is a part of. */
function isSaid(days: readonly SourceDay[], figure: string): boolean {
  const of = (name: string) => days.some(({ figures }) => (figures[name] ?? null) !== null);
  const isPart = (part: string, whole: string) => figure === part && of(whole);
  return (
    of(figure) ||
    PARTS.some((part) => isPart(part, 'backup_slots')) ||
    isPart('licenses_used', 'licenses_total')
  );
}

/** The days from the first to the last run, without gaps. */
export function datesOf(sources: readonly (readonly SourceDay[])[]): readonly string[] {
  const dates = sources
    .flat()
    .map(({ date }) => date)
    .toSorted();
  const [first, last] = [dates[0], dates.at(-1)];
  if (first === undefined || last === undefined) return [];
  const count = (Date.parse(last) - Date.parse(first)) / 86_400_000 + 1;
  return Array.from({ length: count }, (_, index) =>
    new Date(Date.parse(first) + index * 86_400_000).toISOString().slice(0, 10),
  );
}
