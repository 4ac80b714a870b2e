import type { Truth } from './oracle.ts';
import { cityOf } from './told.ts';

const EPSILON = 0.002;
type Row = Readonly<Record<string, unknown>>;
type Say = (text: string) => void;

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
}

export type Sums = Map<string, Omit<DaySum, 'day'>>;
const NOTHING = { known: 0, on: 0, slack: 0, judged: 0, judgedOn: 0, unsure: 0, hidden: 0 };

/** Adds the day of a device to those of all that count it. */
export function add(sums: Sums, truth: Truth, { day, ...own }: DaySum): void {
  const keys = [
    `${truth.level} ${day}`,
    ...(truth.level === 'screen' ? [`group ${cityOf(truth.player, day)} ${day}`] : []),
  ];
  for (const key of keys) {
    const sum = sums.get(key) ?? NOTHING;
    sums.set(key, {
      ...{ known: sum.known + own.known, on: sum.on + own.on, slack: sum.slack + own.slack },
      ...{ judged: sum.judged + own.judged, judgedOn: sum.judgedOn + own.judgedOn },
      ...{ unsure: sum.unsure + own.unsure, hidden: sum.hidden + own.hidden },
    });
  }
}

/** The source and its groups have the sums of their screens, each day in the group of that day. */
export function checkAvailability(rows: readonly Row[], sums: Sums, say: Say): void {
  for (const row of rows.filter(({ period }) => period === 'day')) {
    const day = String(row['period_start']).slice(0, 10);
    const isSource = row['level'] === 'source';
    if (!isSource && row['level'] !== 'group') continue;
    const key = isSource ? `screen ${day}` : `group ${String(row['key']).replace('city=', '')} ${day}`;
    const sum = sums.get(key) ?? { ...NOTHING, slack: EPSILON };
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
