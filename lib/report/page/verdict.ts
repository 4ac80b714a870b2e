import type { ReportData, TrendKey } from '../report-data.ts';
import type { Formats } from './formats.ts';

/** One sentence: how many players are online, what changed, how many screens are on, when, and which sources are missing. */
export function verdict(data: ReportData, formats: Formats): string {
  const parts = [
    players(data, formats),
    ...wentOffline(data, formats),
    ...screens(data, formats),
    ...closedPlaces(data, formats),
    ...asOf(data, formats),
  ];
  return `${parts.join('; ')}.`;
}

function players({ trend, without, tables }: ReportData, { t, cell }: Formats): string {
  const now = (key: TrendKey) => trend.series[key].at(-1) ?? null;
  const [expected, unknown] = [now('expected_players'), now('expected_players_unknown')];
  if (expected === null) {
    if (without.players.length > 0) return t('How many players are online is not known');
    if (!tables.some(({ id }) => id === 'storages')) return t('No source of this installation has players');
    const [used, size] = [now('backup_used'), now('backup_slots_size')];
    return used === null || size === null
      ? t('How much backups use is not known')
      : t('Backups use {used} of {size}', { used: cell(used, 'bytes'), size: cell(size, 'bytes') });
  }
  const said = (value: number | null) => cell(value, 'number');
  if (unknown === expected && expected > 0)
    return t('{expected} players are expected; whether they are online is not known', {
      expected: said(expected),
    });
  const values = {
    online: said(now('expected_players_online')),
    expected: said(expected),
    unknown: said(unknown),
  };
  // Otherwise readers take all others for offline.
  if ((unknown ?? 0) > 0)
    return t('{online} of {expected} expected players are online, {unknown} are not known', values);
  return t('{online} of {expected} expected players are online', values);
}

function screens({ trend }: ReportData, { t, number }: Formats): readonly string[] {
  const now = (key: TrendKey) => trend.series[key].at(-1) ?? null;
  const [expected, on] = [now('expected_screens') ?? 0, now('expected_screens_on')];
  if (expected === 0) return [];
  const values = { expected: number(expected) };
  if (on === null) return [t('whether the {expected} screens are on is not known', values)];
  const others = [
    [now('expected_screens_off'), (count: string) => t('{off} off', { off: count })],
    [now('expected_screens_stale'), (count: string) => t('{stale} stale', { stale: count })],
    [now('expected_screens_unknown'), (count: string) => t('{unknown} not known', { unknown: count })],
  ] as const;
  return [
    [
      t('{on} of {expected} screens are on', { ...values, on: number(on) }),
      ...others.flatMap(([count, told]) => ((count ?? 0) > 0 ? [told(number(count ?? 0))] : [])),
    ].join(', '),
  ];
}

/** Timers and people switch these off at closing time. */
function closedPlaces({ closed }: ReportData, { t, number }: Formats): readonly string[] {
  if (closed === undefined || closed.players + closed.screens === 0) return [];
  const values = { players: number(closed.players), screens: number(closed.screens) };
  return [t('out only while their place was closed: players {players}, screens {screens}', values)];
}

function wentOffline({ news }: ReportData, { t, number, shortDay }: Formats): readonly string[] {
  if (news.players === null) return [];
  const { since } = news.players;
  const offline = news.kinds.find(({ kind }) => kind === 'player offline');
  const went = offline?.counts['1'] ?? null;
  const count = news.newlyOffline ?? went;
  if (count === null) return [];
  const isWhole = news.players.isWhole && offline?.unknown['1'] === 0;
  // A line does not break between the day and its month.
  const day = shortDay(since).replaceAll(' ', '\u00a0');
  if (count === 0) return isWhole ? [t('none went offline since {day}', { day })] : [];
  const values = { count: number(count), day };
  // Some were not listed or not expected before: nobody knows when they went offline.
  if (count !== went)
    return [
      isWhole
        ? t('{count} newly counted as offline since {day}', values)
        : t('at least {count} newly counted as offline since {day}', values),
    ];
  return [
    isWhole
      ? t('{count} went offline since {day}', values)
      : t('at least {count} went offline since {day}', values),
  ];
}

function asOf({ observedAt, incomplete, lagging }: ReportData, { t, clock }: Formats): readonly string[] {
  const data = observedAt === null ? [] : [t('data of {time}', { time: clock(observedAt) })];
  const lacking =
    incomplete.length === 0 ? [] : [t('incomplete: {sources}', { sources: incomplete.join(', ') })];
  return [...data, ...lagging.map((each) => laggingSource(each, { t, time: clock })), ...lacking];
}

/** Until when a source has told anything: "munich: as of 20 Nov 2026, 04:00". */
export function laggingSource(
  { source, observedAt }: ReportData['lagging'][number],
  { t, time }: Pick<Formats, 't' | 'time'>,
): string {
  return observedAt === null
    ? t('{source}: no answer yet', { source })
    : t('{source}: as of {time}', { source, time: time(observedAt) });
}
