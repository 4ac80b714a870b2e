import { sourceOf } from './exported.ts';
import { type Day, daysOf, readAt } from './fleet.ts';
import { type Clocks, clocksOf, nextDay } from './local-time.ts';
import { GROUPED, groupsOn, HOURS, openOn, placeOn } from './settings.ts';
import { union } from './spans.ts';
import type { Row, Say } from './telling.ts';
import { cityOf, customOf, heardAt, isExpected, isListed, isOffAt, isStateTold, silencesOf } from './told.ts';
import type { Figures } from './truth-lab.ts';
import type { Span, TruePlayer, TrueScreen, World } from './world.ts';

/** What was said from a day on, up to and without another; null if it still is. */
interface Period {
  readonly from: string;
  readonly to: string | null;
  readonly says: Readonly<Record<string, unknown>>;
  readonly isRemoved: boolean;
}

/** What the histories, the places and the calendar say of a world that is not true. */
export function pastFaults(world: World, { views, clocks }: Figures): readonly string[] {
  const faults: string[] = [];
  const own = (rows: readonly Row[]) => rows.filter((row) => row['export_source'] === sourceOf(world));
  const answered = daysOf(world, clocks).filter(({ at }) => at !== undefined);
  for (const player of world.players) {
    const say: Say = (text) => faults.push(`player ${player.id}: ${text}`);
    const of = (rows: readonly Row[]) => own(rows).filter((row) => row['player_id'] === String(player.id));
    const said = (day: string) => (isListed(player, day) ? playerSays(player, day) : undefined);
    const periods = periodsOf(answered, ({ date }) => said(date));
    compare(of(views.playersHistory), periods, say);
    checkPlaces(of(views.places), { player, answered }, say);
    checkGroup(of(views.playerGroups), { player, answered }, say);
    checkDailyGroups(of(views.playerGroupsDaily), { player, answered }, say);
    for (const screen of player.screens) {
      const key = `${player.id}/${screen.id}`;
      const rows = of(views.screensHistory).filter((row) => row['screen'] === key);
      compare(rows, screenPeriods(player, screen, answered), (text) => faults.push(`screen ${key}: ${text}`));
    }
  }
  checkShares(own(views.uptime), (text) => faults.push(text));
  checkCalendar(views.dates, (text) => faults.push(text));
  for (const { date } of answered)
    checkOpening(views.openingHours, { date, clocks }, (text) => faults.push(text));
  return faults;
}

const MARKS = { BoxState: 'box_state', IsInstalled: 'is_installed', IsLicensed: 'is_licensed' } as const;

function playerSays(player: TruePlayer, day: string): Period['says'] {
  const marks = isExpected(player, day) ? {} : (player.mark?.as ?? {});
  const named = new Map(Object.entries(marks));
  return {
    city: cityOf(player, day),
    custom_id: customOf(player, day) ?? null,
    license_type: player.id % 2 === 0 ? 'Player' : 'Editor',
    ...Object.fromEntries(Object.entries(MARKS).map(([name, column]) => [column, named.get(name) ?? null])),
  };
}

/** Days on which nobody read the screens change and remove nothing. */
function screenPeriods(player: TruePlayer, screen: TrueScreen, answered: readonly Day[]): readonly Period[] {
  const told = answered.filter((day) => !isListed(player, day.date) || readAt(player, [day]) !== undefined);
  return periodsOf(told, (day) => {
    if (!isListed(player, day.date)) return undefined;
    const at = readAt(player, [day]) ?? 0;
    return {
      is_on: isStateTold(screen, at) ? !isOffAt(screen, heardAt(silencesOf(player, screen), at)) : null,
    };
  });
}

function periodsOf(days: readonly Day[], said: (day: Day) => Period['says'] | undefined): readonly Period[] {
  const periods: Period[] = [];
  for (const day of days) {
    const [says, last] = [said(day), periods.at(-1)];
    if (last?.to === null && JSON.stringify(last.says) !== JSON.stringify(says))
      periods[periods.length - 1] = { ...last, to: day.date, isRemoved: says === undefined };
    if (says !== undefined && periods.at(-1)?.to !== null)
      periods.push({ from: day.date, to: null, says, isRemoved: false });
  }
  return periods;
}

function compare(rows: readonly Row[], periods: readonly Period[], say: Say): void {
  const told = rows.toSorted((a, b) => String(a['valid_from']).localeCompare(String(b['valid_from'])));
  const text = (cells: Row) => JSON.stringify(cells);
  const wanted = periods.map(({ from, to, says, isRemoved }) =>
    text({
      ...{ valid_from: from, valid_to: to, is_current: to === null },
      ...{ first_seen: periods[0]?.from, removed_at: isRemoved ? to : null },
      ...says,
    }),
  );
  const names = ['valid_from', 'valid_to', 'is_current', 'first_seen', 'removed_at'];
  const all = [...names, ...Object.keys(periods[0]?.says ?? {})];
  const found = told.map((row) => text(Object.fromEntries(all.map((name) => [name, row[name] ?? null]))));
  if (text({ found }) !== text({ found: wanted }))
    say(`history is ${wanted.join(' ')}, and told ${found.join(' ')}`);
}

interface OfPlaces {
  readonly player: TruePlayer;
  readonly answered: readonly Day[];
}

/** Where a player was by which group, of the places with opening hours, from the day on which a run saw it there. */
function checkPlaces(rows: readonly Row[], { player, answered }: OfPlaces, say: Say): void {
  const listed = answered.filter(({ date }) => isListed(player, date));
  const stays: { readonly place: string | undefined; readonly from: string | null; until: string | null }[] =
    [];
  for (const { date } of listed) {
    const value = placeOn(player, date);
    const place = value && `${groupsOn(player, date).indexOf(value) + 1} ${value}`;
    const last = stays.at(-1);
    if (last !== undefined && last.place === place) continue;
    if (last !== undefined) last.until = date;
    // The days before the first count as that day.
    stays.push({ place, from: last === undefined ? null : date, until: null });
  }
  const open = stays.filter(({ place }) => place !== undefined);
  const wanted = open.map(({ place, from, until }) => `${place} ${from} ${until}`);
  const told = rows
    .map((row) => `${row['group_number']} ${row['group_value']} ${row['valid_from']} ${row['valid_until']}`)
    .toSorted();
  if (told.join() !== wanted.toSorted().join())
    say(`it was in ${wanted.join(', ')}, and ${told.join(', ')} is told`);
}

/** The group of a player is its place in the last listing. */
function checkGroup(rows: readonly Row[], { player, answered }: OfPlaces, say: Say): void {
  const last = answered.at(-1)?.date ?? '';
  const wanted = answered.length > 0 && isListed(player, last) ? groupsOf(player, last) : [];
  const told = rows.flatMap(groupIn);
  if (told.join() !== wanted.join()) say(`its group is ${wanted}, and ${told} is told`);
}

/** Such as `1 city Bern`; a player without a value is in none. */
const groupsOf = (player: TruePlayer, day: string) =>
  groupsOn(player, day).flatMap((value, index) =>
    value === undefined ? [] : [`${index + 1} ${GROUPED[index]} ${value}`],
  );

const groupIn = (row: Row) =>
  row['group_value'] === null ? [] : [`${row['group_number']} ${row['group_by']} ${row['group_value']}`];

/** On each day it is its place of that day, also of a player that is removed by now. */
function checkDailyGroups(rows: readonly Row[], { player, answered }: OfPlaces, say: Say): void {
  for (const { date } of answered) {
    const wanted = isListed(player, date) ? groupsOf(player, date) : [];
    const told = rows.filter((row) => row['export_date'] === date).flatMap(groupIn);
    if (told.join() !== wanted.join()) say(`its group on ${date} is ${wanted}, and ${told} is told`);
  }
}

interface OfDay {
  readonly date: string;
  readonly clocks: Clocks;
}

/** The places are open when the config says so. */
function checkOpening(rows: readonly Row[], { date, clocks }: OfDay, say: Say): void {
  for (const group of new Set(HOURS.map((each) => each.group))) {
    const own = rows.filter((row) => row['group_value'] === group && row['export_date'] === date);
    const told = union(
      own.map((row): Span => [Date.parse(String(row['opens_at'])), Date.parse(String(row['closes_at']))]),
    );
    const open =
      openOn(
        { cities: [group, group], customs: [group, group], movesOn: undefined },
        date,
        clocks,
        clocksOf,
      ) ?? [];
    if (JSON.stringify(told) !== JSON.stringify(open))
      say(`${group} is open ${JSON.stringify(open)} on ${date}, and ${JSON.stringify(told)} is told`);
  }
}

/** Shares are those of the hours next to them. */
function checkShares(rows: readonly Row[], say: Say): void {
  for (const row of rows) {
    const known = Number(row['on_hours']) + Number(row['off_hours']);
    for (const [share, hours] of [
      ['on_share', 'on_hours'],
      ['sampling_error', 'sampling_error_hours'],
    ] as const) {
      const is = known === 0 ? null : Number(row[hours]) / known;
      const told = row[share];
      if (is === null ? told !== null : Math.abs(Number(told) - is) > 1e-9)
        say(`${row['export_date']} ${row['screen']}: ${share} is ${is}, and ${told} is told`);
    }
  }
}

const OF_ROW = ['export_date', 'date', 'export_source', 'status', 'runs'];

/** A day whose runs left a source out has no figure of it. */
export function leftOutFaults({ views }: Figures): readonly string[] {
  return views.trend
    .filter(({ status }) => status === 'left out')
    .flatMap((row) =>
      Object.keys(row)
        .filter((name) => row[name] !== null && !OF_ROW.includes(name))
        .map(
          (name) =>
            `${row['export_source']} was left out on ${row['export_date']}, and has ${name}: ${row[name]}`,
        ),
    );
}

/** Each day has its Monday and the first of its month, and is followed by the next day. */
function checkCalendar(rows: readonly Row[], say: Say): void {
  const days = rows.toSorted((a, b) => String(a['export_date']).localeCompare(String(b['export_date'])));
  for (const [index, row] of days.entries()) {
    const day = String(row['export_date']);
    const weekday = (new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7;
    const told = [row['week_start'], row['month_start'], row['date']].map((cell) =>
      String(cell).slice(0, 10),
    );
    const wanted = [nextDay(day, -weekday), `${day.slice(0, 7)}-01`, day];
    if (told.join() !== wanted.join()) say(`${day} has ${wanted.join()}, and ${told.join()} are told`);
    const next = days[index + 1];
    if (next !== undefined && String(next['starts_at']) !== String(row['ends_at']))
      say(`${day} ends at ${row['ends_at']}, and the next day begins at ${next['starts_at']}`);
  }
  if (days.length < 365) say(`${days.length} days are in the calendar`);
}
