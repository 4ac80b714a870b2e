import { checkPlaces } from './check-places.ts';
import { checkCompared, checkComparison, checkLikeForLike, checkSlots } from './check-sources.ts';
import { checkFleetLists, checkTables } from './check-tables.ts';
import { checkUptime } from './check-uptime.ts';
import { type Exported, sourceOf, vaultSourceOf } from './exported.ts';
import { findingsOf, NOT_TOLD } from './findings-oracle.ts';
import { datesOf, type SourceDay, sourceDays, wholeOf } from './page-oracle.ts';
import { qualityOf } from './quality-oracle.ts';
import { NO_HOURS } from './settings.ts';
import { EPSILON, type Row, type Say, sumOf } from './telling.ts';
import type { Figures, Page } from './truth-lab.ts';

/** Series that are sums over sources. */
const SUMS = [
  'expected_players',
  'expected_players_online',
  'expected_players_offline',
  'expected_players_never_seen',
  'expected_players_unknown',
  'expected_screens',
  'expected_screens_on',
  'expected_screens_off',
  'expected_screens_stale',
  'expected_screens_unknown',
  'pending_transfers',
  'players_waiting',
  'players_stuck',
  'licenses_total',
  'licenses_used',
  'backup_slots_size',
  'backup_used',
  'backup_used_least',
  'backup_used_most',
] as const;

/** What of the page is neither true nor said to be unknown. */
export function pageFaults(exported: Exported, figures: Figures, { data }: Page): readonly string[] {
  const faults: string[] = [];
  const say: Say = (text) => faults.push(`page: ${text}`);
  const sources = sourceDays(exported, figures.clocks);
  const { worlds = [], vaults = [] } = exported;
  const names = [...worlds.map(sourceOf), ...vaults.map(vaultSourceOf)];
  checkSeries(data, sources, say);
  checkFindings(data, findingsOf(exported, figures.clocks), say);
  checkQuality(data, qualityOf(exported, figures.clocks), say);
  checkLikeForLike(data, sources, say);
  checkCompared(data, exported, figures.clocks, say);
  checkComparison(data, new Map(sources.map((days, index) => [names[index] ?? '', days])), say);
  checkUptime(data, figures, say);
  checkSources(data, sources, say);
  checkSlots(data, vaults, figures.clocks, say);
  checkHours(
    data,
    figures.views.inHours.filter((row) => row['is_expected'] === true),
    say,
  );
  checkPlaces(data, exported, figures, say);
  checkNewsCounts(data, { rows: figures.views.news, sources }, say);
  checkTables(data, exported, figures.clocks, say);
  checkFleetLists(data, exported, figures, say);
  checkGroups(
    data,
    figures.views.groups,
    new Map(sources.map((days, index) => [names[index] ?? '', days])),
    say,
  );
  return faults;
}

function checkSeries({ trend }: Page['data'], sources: readonly (readonly SourceDay[])[], say: Say): void {
  const dates = datesOf(sources);
  if (trend.dates.join() !== dates.join())
    say(`it has the days ${trend.dates.join()}, and ${dates.join()} are true`);
  const called = new Set(sources.flat().map(({ date }) => date));
  for (const [index, date] of dates.entries())
    for (const key of SUMS) {
      const cell = trend.series[key][index] ?? null;
      const { is, mayBeNull } = called.has(date)
        ? wholeOf(sources, date, key)
        : { is: null, mayBeNull: true };
      const isRight =
        cell === null ? is === null || mayBeNull : is !== null && Math.abs(cell - is) <= EPSILON;
      if (!isRight) say(`${date}: ${key} is ${cell}, and ${is} in truth`);
    }
}

function checkFindings({ findings }: Page['data'], truth: ReturnType<typeof findingsOf>, say: Say): void {
  for (const id of new Set([...findings.map((each) => each.id), ...truth.keys()])) {
    if (['off-in-hours', 'data-quality'].includes(id)) continue;
    const finding = findings.find((each) => each.id === id);
    const wanted = truth.get(id) ?? [];
    if ((finding?.count ?? 0) !== wanted.length)
      say(`${id} counts ${finding?.count}, and ${wanted.length} are true`);
    if (finding?.kind === 'text' || id === 'incomplete-sources') continue;
    const worst = (finding?.worst ?? []).map(({ value }) =>
      typeof value === 'string' ? Date.parse(value) : Number(value ?? NOT_TOLD),
    );
    const isSame = (a: number, b: number) => a === b || Math.abs(a - b) <= 1000 * EPSILON;
    // The new ones come first, and test/slow/new-findings.test.ts says which: of each group the worst.
    const fresh = Math.min(finding?.newCount ?? 0, worst.length);
    const isInOrder = [worst.slice(0, fresh), worst.slice(fresh)].every((group) =>
      group.every((each, place) => place === 0 || each <= (group[place - 1] ?? each) + 1000 * EPSILON),
    );
    const isWorst =
      fresh === 0 || fresh === wanted.length
        ? worst.every((each, place) => isSame(each, wanted[place] ?? Number.NaN))
        : isInOrder && worst.every((each) => wanted.some((truth) => isSame(each, truth)));
    if (!isWorst) say(`the worst of ${id} are ${worst.join()}, and ${wanted.slice(0, 3).join()} are true`);
  }
}

/** Listings without an answer, values of another kind and new columns are there, the largest number first. */
function checkQuality({ findings }: Page['data'], truth: ReturnType<typeof qualityOf>, say: Say): void {
  const { count = 0, worst = [] } = findings.find(({ id }) => id === 'data-quality') ?? {};
  const counted = [...truth.denied, ...truth.misfits];
  if (count !== counted.length + truth.newFields)
    say(`data-quality counts ${count}, and ${JSON.stringify(truth)} is true`);
  const wanted = [...counted.toSorted((a, b) => b - a), 0, 0, 0].slice(0, worst.length);
  const told = worst.map(({ value }) => value);
  if (told.join() !== wanted.join())
    say(`the worst of data-quality are ${told.join()}, not ${wanted.join()}`);
}

/** Each source with screens on its newest day has its states, of which none is told twice. */
function checkSources(
  { sources: told }: Page['data'],
  sources: readonly (readonly SourceDay[])[],
  say: Say,
): void {
  const wanted = sources.flatMap((days) => {
    const figures = days.at(-1)?.figures ?? {};
    const states = ['on', 'off', 'stale', 'unknown'].map(
      (state) => figures[`expected_screens_${state}`] ?? 0,
    );
    return (figures['expected_screens'] ?? 0) > 0 ? [states.join()] : [];
  });
  const found = told.map((each) => [each.on, each.off, each.stale, each.unknown].join());
  if (wanted.toSorted().join(' ') !== found.toSorted().join(' '))
    say(
      `sources have ${found.join(' ')} screens on, off, stale and unknown, and ${wanted.join(' ')} in truth`,
    );
}

/** The tile counts what off_in_hours says, which is judged by itself. */
function checkHours({ hours, findings }: Page['data'], rows: readonly Row[], say: Say): void {
  const unknown = rows.filter((row) => row['missed_hours_day'] === null).length;
  // In bounds of a few seconds, a screen was off for no time.
  const outFor = (sign: 1 | -1) => {
    const known = rows.filter((row) => row['missed_hours_day'] !== null);
    const hours = known.map(
      (row) => Number(row['missed_hours_day']) + sign * Number(row['sampling_error_hours_day'] ?? 0),
    );
    return hours.filter((each) => each > NO_HOURS).toSorted((a, b) => b - a);
  };
  const [surely, perhaps] = [outFor(-1), outFor(1)];
  const wanted = { screens: rows.length, unknown, least: surely.length, most: perhaps.length };
  if (JSON.stringify(hours) !== JSON.stringify(wanted))
    say(`${JSON.stringify(hours)} are the screens in opening hours, and ${JSON.stringify(wanted)} in truth`);
  const { count = 0, isLeast, worst = [] } = findings.find(({ id }) => id === 'off-in-hours') ?? {};
  if (count !== surely.length) say(`off-in-hours counts ${count}, and ${surely.length} are true`);
  if (count > 0 && isLeast !== perhaps.length + unknown > count)
    say(`off-in-hours says at least: ${isLeast}, of ${JSON.stringify(wanted)}`);
  if (worst.some(({ value }, place) => Math.abs(Number(value) - (surely[place] ?? 0)) > EPSILON))
    say(`the worst of off-in-hours are ${JSON.stringify(worst)}, and ${surely.slice(0, 3)} are true`);
}

/** The figures of groups are those of the view, which are judged by themselves: of each source on its last day with a run. */
function checkGroups(
  { groups, trend }: Page['data'],
  rows: readonly Row[],
  byName: ReadonlyMap<string, readonly SourceDay[]>,
  say: Say,
): void {
  const called = new Set([...byName.values()].flat().map(({ date }) => date));
  const queues = ['pending_transfers', 'players_waiting', 'players_stuck', 'players_stuck_unknown'];
  const hasQueues = (source: unknown) =>
    rows.some((row) => row['export_source'] === source && queues.some((key) => row[key] !== null));
  for (const { by, values, figures } of groups)
    for (const [index, value] of values.entries())
      for (const [key, series] of Object.entries(figures[index] ?? {}))
        for (const [day, date] of trend.dates.entries()) {
          const own = [...byName].flatMap(([name, days]) => {
            const last = days.findLast((each) => each.date <= date)?.date;
            return rows.filter(
              (row) =>
                row['export_source'] === name &&
                row['export_date'] === last &&
                row['group_by'] === by &&
                row['group_value'] === value,
            );
          });
          const known = own.filter((row) => row[key] !== null);
          // Screens and players without an answer have a count of their own; a queue has none.
          const lacks = own.some(
            (row) => row[key] === null && !key.startsWith('expected_') && hasQueues(row['export_source']),
          );
          const is = known.length === 0 || lacks ? null : sumOf(known, key);
          const told = series[day] ?? null;
          const isUntold = own.some((row) => row[key] === null && !hasQueues(row['export_source']));
          if (told === null && !key.startsWith('expected_') && isUntold) continue;
          if (told !== is && called.has(date)) say(`${date}: ${key} of ${value} is ${told}, not ${is}`);
        }
}

/** A count of news is that of the view, or unknown, since the last day that a source is compared with. */
function checkNewsCounts(
  { news }: Page['data'],
  { rows, sources }: { readonly rows: readonly Row[]; readonly sources: readonly (readonly SourceDay[])[] },
  say: Say,
): void {
  for (const span of ['1', '7', '30'] as const) {
    const then = sources.flatMap((days) => {
      const last = Date.parse(days.at(-1)?.date ?? '') - Number(span) * 86_400_000;
      return days.findLast(({ date }) => Date.parse(date) <= last)?.date ?? [];
    });
    const days = then.toSorted();
    const [told, since] = [news.since[span], { first: days[0], last: days.at(-1) }];
    if (told?.first !== since.first || told?.last !== since.last)
      say(
        `news of ${span} days are since ${told?.first} to ${told?.last}, not ${since.first} to ${since.last}`,
      );
  }
  for (const { kind, counts } of news.kinds)
    for (const [days, count] of Object.entries(counts)) {
      const own = rows.filter((row) => row['news'] === kind && String(row['days']) === days).length;
      if (count === null ? own > 0 : count !== own)
        say(`${count} ${kind} in ${days} days, and ${own} are news`);
    }
}
