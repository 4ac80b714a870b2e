import type { CellKind, ComparedKey, ReportData, TileName, TrendKey } from '../report-data.ts';
import type { Formats } from './formats.ts';

interface Figure {
  /** By day, as the trend's dates. */
  readonly values: readonly (number | null)[];
  readonly kind: CellKind;
  /** By day: days with the same number have the figure from the same sources. */
  readonly sources?: readonly number[];
  /** The least that the newest value can be, if it is not known. */
  readonly least?: number;
}

export interface Tile {
  readonly name: TileName;
  readonly label: string;
  readonly figure: Figure;
  /** What follows the figure, such as "of 182 expected". */
  readonly of: string;
  /** What it is counted out of; null if it is no such count. */
  readonly whole: number | null;
  /** How many of the whole nobody knows, so that they may count too. */
  readonly unknown?: number | null;
  /** Whether these may be more than the whole has. */
  readonly isUnknownOutside?: boolean;
  /** Whether `of` says something if the figure is unknown. */
  readonly isWholeKnown: boolean;
  /** Empty if what is not known says all. */
  readonly note: string;
  /** Whether a higher figure is better; it colours the change. */
  readonly moreIs: 'better' | 'worse';
}

/** The main figures, as the page and the workbook show them. */
export function tileFigures(data: ReportData, formats: Formats): readonly Tile[] {
  const all = [...trendTiles(data, formats), ...hoursTile(data, formats)];
  return all.filter(({ name }) => data.asked.includes(name));
}

/** What follows the figure, with the share of the whole that it is; a band, where of some nobody knows it. */
export function ofWhole({ of, whole, unknown, isUnknownOutside, figure }: Tile, formats: Formats): string {
  const now = figure.values.at(-1) ?? figure.least ?? null;
  if (now === null || whole === null || whole === 0) return of;
  const perhaps = unknown ?? 0;
  const least = formats.share(now / (whole + (isUnknownOutside === true ? perhaps : 0)));
  if (perhaps === 0) return `${of} (${least})`;
  return `${of} (${least} – ${formats.shareAtMost(Math.min(1, (now + perhaps) / whole))})`;
}

/**
 * The change since the last earlier day: of the same players or screens, or else of the same sources with all known.
 * `day` is its place in the trend; `of` says how many are compared, if that is not each expected one.
 */
export function changeOf({ name, figure }: Tile, { trend, compared }: ReportData) {
  if (name === 'players' || name === 'screens') {
    const both = compared?.[name];
    const day = trend.dates.indexOf(compared?.since ?? '');
    if (both === undefined || day < 0) return undefined;
    const { count, ...change } = both;
    const all = trend.series[name === 'players' ? 'expected_players' : 'expected_screens'].at(-1);
    return { ...change, day, of: count === all ? undefined : count };
  }
  const { values, sources } = figure;
  const day = values.findLastIndex((value, index) => index < values.length - 1 && value !== null);
  const [now = null, before = null] = [values.at(-1), values[day]];
  const unknown = name === 'transfers' ? trend.series.players_stuck_unknown : [];
  const isWhole = (unknown[day] ?? 0) + (unknown.at(-1) ?? 0) === 0;
  const isSame = day >= 0 && isWhole && sources?.at(day) === sources?.at(-1);
  return now === null || before === null || !isSame ? undefined : { day, now, before, of: undefined };
}

/** The figure by day as the sources of the newest day say it: a day of other sources is no fall of the fleet. */
export function ofSameSources({ values, sources }: Figure): Figure['values'] {
  return values.map((value, day) => (sources?.at(day) === sources?.at(-1) ? value : null));
}

function trendTiles({ trend, without, stuck, slots }: ReportData, formats: Formats): readonly Tile[] {
  const { t, number } = formats;
  const now = (key: TrendKey) => trend.series[key].at(-1) ?? null;
  const told = (key: TrendKey, kind: CellKind = 'number') => formats.cell(now(key), kind);
  // A whole of 0 says nothing if a source did not answer.
  const isKnown = (key: TrendKey) => (now(key) ?? 0) > 0;
  const count = (key: ComparedKey): Figure => ({
    values: trend.series[key],
    kind: 'number',
    sources: trend.sources[key],
  });
  const both = (a: TrendKey, b: TrendKey, make: (a: number, b: number) => number | null) =>
    trend.series[a].map((value, day) => {
      const other = trend.series[b][day] ?? null;
      return value === null || other === null ? null : make(value, other);
    });
  const ofSlots = now('backup_slots_size');
  const isLeast = now('backup_used') === null && slots.used > 0 && isKnown('backup_slots_size');
  const queues = known(count('players_stuck'), now('players_waiting'), without.transfers);
  const screens = ['expected_screens_off', 'expected_screens_stale', 'expected_screens_unknown'] as const;
  return [
    {
      name: 'players',
      label: t('Players online'),
      figure: known(count('expected_players_online'), now('expected_players'), without.players),
      of: t('of {expected} expected', { expected: told('expected_players') }),
      whole: now('expected_players'),
      unknown: now('expected_players_unknown'),
      isWholeKnown: isKnown('expected_players'),
      note: t('{offline} offline, {never} never seen, {unknown} not known', {
        offline: told('expected_players_offline'),
        never: told('expected_players_never_seen'),
        unknown: told('expected_players_unknown'),
      }),
      moreIs: 'better',
    },
    {
      name: 'screens',
      label: t('Screens on'),
      figure: known(count('expected_screens_on'), now('expected_screens'), without.screens),
      of: t('of {expected} expected', { expected: told('expected_screens') }),
      whole: now('expected_screens'),
      unknown: now(screens[2]),
      isWholeKnown: isKnown('expected_screens'),
      note: t('{off} off, {stale} stale, {unknown} not known', {
        off: told(screens[0]),
        stale: told(screens[1]),
        unknown: told(screens[2]),
      }),
      moreIs: 'better',
    },
    {
      name: 'transfers',
      label: t('Players with stuck transfers'),
      figure: { ...queues, ...(queues.values.at(-1) === null && stuck > 0 && { least: stuck }) },
      of:
        now('players_waiting') === null
          ? ''
          : t('of {waiting} waiting for files', { waiting: told('players_waiting') }),
      whole: now('players_waiting'),
      unknown: now('players_stuck_unknown'),
      isUnknownOutside: true,
      isWholeKnown: isKnown('players_waiting'),
      note:
        now('players_waiting') === null
          ? ''
          : t('files pending: {pending}; players not known: {unknown}', {
              pending: told('pending_transfers'),
              unknown: told('players_stuck_unknown'),
            }),
      moreIs: 'worse',
    },
    {
      name: 'licenses',
      label: t('Licences left'),
      figure: {
        values: both('licenses_total', 'licenses_used', (total, used) => total - used),
        kind: 'number',
        sources: trend.sources.licenses_used,
      },
      of: t('of {total}', { total: told('licenses_total') }),
      whole: now('licenses_total'),
      isWholeKnown: isKnown('licenses_total'),
      note: t('{used} used', { used: told('licenses_used') }),
      moreIs: 'better',
    },
    {
      name: 'backup',
      label: t('Backup used'),
      figure: {
        values: both('backup_used', 'backup_slots_size', (used, all) => (all === 0 ? null : used / all)),
        kind: 'share',
        sources: trend.sources.backup_used,
        ...(isLeast && { least: slots.used / (ofSlots ?? slots.used) }),
      },
      of: t('of the {size} of all slots', { size: told('backup_slots_size', 'bytes') }),
      whole: null,
      isWholeKnown: isKnown('backup_slots_size'),
      note: isLeast
        ? t('{used} used, and {unknown} of {slots} slots not known', {
            used: formats.cell(slots.used, 'bytes'),
            unknown: number(slots.unknown),
            slots: number(slots.count),
          })
        : t('{used} used', { used: told('backup_used', 'bytes') }),
      moreIs: 'worse',
    },
  ];
}

/** For configs with opening hours. It is only of the newest export. */
function hoursTile({ hours }: ReportData, { t, number }: Formats): readonly Tile[] {
  if (hours === null) return [];
  const { screens, unknown, least, most } = hours;
  const isKnown = screens === 0 || unknown < screens;
  const told = { unknown: number(unknown), least: number(least), most: number(most) };
  return [
    {
      name: 'hours',
      label: t('Off in opening hours'),
      figure:
        least < most
          ? { values: [null], kind: 'number', least }
          : { values: [isKnown ? least : null], kind: 'number' },
      of: t('of {screens} screens', { screens: number(screens) }),
      whole: screens,
      unknown: unknown + most - least,
      isWholeKnown: true,
      note:
        least === most
          ? t('In the last 24 hours; {unknown} not known', told)
          : t(
              'In the last 24 hours; {least} to {most}, as some switched between two runs; {unknown} not known',
              told,
            ),
      moreIs: 'worse',
    },
  ];
}

/** The figure. Its newest value is unknown if it is 0 of 0 and a source was not asked or failed. */
function known(figure: Figure, whole: number | null, without: readonly string[]): Figure {
  if (whole !== 0 || without.length === 0) return figure;
  return { ...figure, values: figure.values.with(-1, null) };
}
