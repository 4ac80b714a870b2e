import type { Truth } from './oracle.ts';
import { GROUPED, groupsOn, placeOn, TARGETS, targetOf } from './settings.ts';
import { EPSILON, type Row, type Say } from './telling.ts';
import type { Figures } from './truth-lab.ts';

/** What is true of a device's day, and how much of it may be told otherwise. */
export interface DaySum {
  readonly day: string;
  readonly known: number;
  readonly on: number;
  readonly slack: number;
  readonly judged: number;
  readonly judgedOn: number;
  /** Judged hours of which the view says that they may be wrong, and those of switches that nobody can know. */
  readonly unsure: number;
  readonly hidden: number;
  /** Hours from its first sight to its last that would be judged if they were known. */
  readonly all: number;
  readonly allOn: number;
  /** False until the end of a day lists it: what reports first on the day on which it leaves has no groups. */
  readonly isGrouped: boolean;
}

interface Sum extends Omit<DaySum, 'day' | 'isGrouped'> {
  /** The number of the first group by which any of them is known to be at the place, and is in truth. */
  readonly group: number;
  readonly trueGroup: number;
}

export type Sums = Map<string, Sum>;
const NOTHING = {
  known: 0,
  on: 0,
  slack: 0,
  judged: 0,
  judgedOn: 0,
  unsure: 0,
  hidden: 0,
  all: 0,
  allOn: 0,
  group: Number.POSITIVE_INFINITY,
  trueGroup: Number.POSITIVE_INFINITY,
};

/** Adds the day of a device to those of all that count it. */
export function add(sums: Sums, truth: Truth, { day, isGrouped, ...own }: DaySum): void {
  const place = placeOn(truth.told, day);
  const groups = groupsOn(truth.told, day);
  const number = place === undefined ? Number.POSITIVE_INFINITY : groups.indexOf(place);
  const counting =
    truth.level === 'player'
      ? []
      : [
          'source',
          ...groups.flatMap((value, index) =>
            value === undefined || !isGrouped ? [] : [`group ${GROUPED[index]}=${value}`],
          ),
          ...(place === undefined ? [] : [`place ${place}`]),
        ];
  for (const each of [`${truth.level} ${truth.key}`, ...counting]) {
    const key = `${each} ${day}`;
    const sum = sums.get(key) ?? NOTHING;
    sums.set(key, {
      ...{ known: sum.known + own.known, on: sum.on + own.on, slack: sum.slack + own.slack },
      ...{ judged: sum.judged + own.judged, judgedOn: sum.judgedOn + own.judgedOn },
      ...{ unsure: sum.unsure + own.unsure, hidden: sum.hidden + own.hidden },
      ...{ all: sum.all + own.all, allOn: sum.allOn + own.allOn },
      group: own.known === 0 ? sum.group : Math.min(sum.group, number),
      trueGroup: Math.min(sum.trueGroup, number),
    });
  }
}

interface Judged {
  readonly sums: Sums;
  readonly views: Figures['views'];
}

/** Each has the sums of its screens, each day in the groups and the place of that day, and the target of its group. */
export function checkAvailability(rows: readonly Row[], { sums, views }: Judged, say: Say): void {
  const hasBern = views.playerGroupsDaily.some(
    (row) => row['group_by'] === 'city' && row['group_value'] === 'Bern',
  );
  for (const row of rows.filter(({ period }) => period === 'day')) {
    const day = String(row['period_start']).slice(0, 10);
    const [level, name] = [String(row['level']), String(row['key'])];
    const isDevice = level === 'screen' || level === 'player';
    const own = isDevice ? name.split('/').slice(1).join('/') : name;
    const key = level === 'source' ? `source ${day}` : `${level} ${own} ${day}`;
    const sum = sums.get(key) ?? { ...NOTHING, slack: EPSILON };
    const [by = '', value = ''] = level === 'group' ? own.split('=') : [];
    const targets: Readonly<Record<string, number>> = {
      source: TARGETS['*'],
      group: targetOf(GROUPED.indexOf(by), value, hasBern),
      place: targetOf(sum.group, own, hasBern),
    };
    const told = row['target'] ?? undefined;
    // Of a player of which nothing is known that day, nobody can know by which group it is there.
    const isAsInTruth = level === 'place' && told === targetOf(sum.trueGroup, own, hasBern);
    const isUnknown = level === 'place' && !Number.isFinite(sum.group);
    if (told !== targets[level] && !isAsInTruth && !isUnknown)
      say(`${key}: ${targets[level]} is wanted, and ${row['target']} is told`);
    if (Math.abs(Number(row['known_hours']) - sum.known) > EPSILON * 10)
      say(`${key}: ${sum.known} hours are known, and ${row['known_hours']} are told`);
    if (Math.abs(Number(row['on_hours']) - sum.on) > sum.slack)
      say(`${key}: screens are on for ${sum.on} hours, and ${row['on_hours']} are told`);
    const [said, error] = [row['availability'], Number(row['sampling_error']) * sum.judged];
    if (
      sum.judged > 2 * EPSILON
        ? said === null || Math.abs(Number(said) * sum.judged - sum.judgedOn) > error + sum.hidden
        : said !== null && sum.judged === 0
    )
      say(`${key}: screens are on for ${sum.judgedOn} of ${sum.judged} judged hours, and ${said} is told`);
    const possible = Number(row['possible_error']) * sum.all;
    if (
      said !== null &&
      sum.all > 0 &&
      Math.abs(Number(said) * sum.all - sum.allOn) > possible + sum.hidden + EPSILON * 10
    )
      say(
        `${key}: of ${sum.all} hours screens are on for ${sum.allOn}, and ${said} ± ${row['possible_error']} is told`,
      );
    if (
      Math.abs(error - sum.unsure) > EPSILON * 10 ||
      Math.abs(Number(row['judged_hours']) - sum.judged) > EPSILON * 10
    )
      say(
        `${key}: ${sum.unsure} of ${sum.judged} judged hours are unsure, and ${error} of ${row['judged_hours']} are told`,
      );
  }
  const sumOf = (period: string) =>
    rows
      .filter((row) => row['period'] === period && row['level'] === 'source')
      .reduce((sum, row) => sum + Number(row['known_hours']), 0);
  const [days, weeks, months] = [sumOf('day'), sumOf('week'), sumOf('month')];
  if (Math.abs(days - weeks) > EPSILON || Math.abs(days - months) > EPSILON)
    say(`days have ${days} hours, weeks ${weeks}, and months ${months}`);
}
