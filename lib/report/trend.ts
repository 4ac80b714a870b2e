import { quoteLiteral } from '../sql.ts';
import { DAY_MS } from '../time.ts';
import type { Tables } from '../views/open-tables.ts';
import { UPTIME_DAYS } from './days/day-figures.ts';
import { COMPARED_KEYS, type ComparedKey, TREND_KEYS, type Trend, type TrendKey } from './report-data.ts';

/** Days that the charts go back. */
const DAYS = 90;

/**
 * SQL of the day from which a source's figures come, for each day of the trend. It is that day. If no run of that day
 * called the source, it is the last day before. A source that has left the config has no day after its last.
 */
export function lastDays({ head }: Tables): string {
  const configured = head.sources.map(quoteLiteral).join(', ') || "''";
  return `(
      select days.export_date as day, own.export_source, max(own.export_date) as export_date
      from (select distinct export_date from daily_trend) as days
      join (select export_date, export_source from daily_trend where runs > 0) as own
        on own.export_date <= days.export_date
      group by days.export_date, own.export_source
      having max(own.export_date) = days.export_date or own.export_source in (${configured})
    )`;
}

/** Figures by day of all sources together, without gaps: a day without a run is there and unknown. */
export async function readTrend(tables: Tables): Promise<Trend> {
  const sums = TREND_KEYS.filter((key) => !key.startsWith('uptime'));
  const { rows } = await tables.query(`
    -- grain: a day
    select last_days.day, ${[...sums.map(sumOf), ...COMPARED_KEYS.map(sourcesOf)].join(', ')}
    from ${lastDays(tables)} as last_days
    join (
      select *, ${sums.map(isToldOf).join(', ')}
      from daily_trend
    ) as daily_trend using (export_source, export_date)
    group by last_days.day
    order by last_days.day desc
    limit ${DAYS}`);
  const uptime = await readUptime(tables);
  const days = new Map(rows.map(([date, ...figures]) => [String(date), figures]));
  const dates = allDates([...days.keys()].sort());
  const column = (key: TrendKey) =>
    dates.map((date) => {
      const cell = key.startsWith('uptime')
        ? uptime.get(date)?.[key === 'uptime' ? 0 : 1]
        : days.get(date)?.[sums.indexOf(key)];
      return cell === null || cell === undefined ? null : Number(cell);
    });
  const series = {} as Record<TrendKey, readonly (number | null)[]>;
  for (const key of TREND_KEYS) series[key] = column(key);
  const sources = {} as Record<ComparedKey, readonly number[]>;
  for (const [index, key] of COMPARED_KEYS.entries()) {
    const named = dates.map((date) => days.get(date)?.[sums.length + index] ?? null);
    sources[key] = named.map((each) => named.indexOf(each));
  }
  return { dates, series, sources };
}

/** What each of these figures is a part or a sum of; it is not known if one source has the whole without it. */
const WHOLES: Readonly<Partial<Record<TrendKey, string>>> = {
  licenses_total: 'licenses',
  licenses_used: 'licenses',
  backup_slots_size: 'backup_slots',
  backup_used: 'backup_slots',
  backup_used_least: 'backup_slots',
  backup_used_most: 'backup_slots',
};

/** True for counts of players and screens by state: those of a silent source are counted as unknown. */
export const isOfStates = (key: TrendKey) => key.startsWith('expected_');

/**
 * The sum over the sources. It is not known if a source that says it on other days lacks answers, or has the whole
 * without its part. A queue of a source is many listings, of which a few may fail. Then nobody knows that none is stuck.
 */
function sumOf(key: TrendKey): string {
  if (isOfStates(key)) return `sum(${key}) as ${key}`;
  const whole = WHOLES[key];
  const isQueue = key === 'pending_transfers' || key.startsWith('players_');
  const lacks = (coverage: number) =>
    [
      `${key}_is_told and coalesce(coverage, 0) < ${coverage}`,
      ...(whole === undefined ? [] : [`${whole} is not null`]),
    ].join(' or ');
  const isTold = (coverage: number) => `count_if(${key} is null and (${lacks(coverage)})) = 0`;
  const orNone = key === 'players_stuck' ? ` and (sum(${key}) > 0 or ${isTold(1)})` : '';
  return `case when ${isTold(isQueue ? 0.9 : 1)}${orNone} then sum(${key}) end as ${key}`;
}

/** Whether a source says a figure on any day, or the whole that it is a part of. */
function isToldOf(key: TrendKey): string {
  const whole = key === 'players_stuck' ? 'players_waiting' : (WHOLES[key] ?? key);
  return `count(coalesce(${key}, ${whole})) over (partition by export_source) > 0 as ${key}_is_told`;
}

/**
 * The names of the sources that say a figure, each with the twentieths of its listings that answered. Licences are one
 * listing. A source whose screens nobody could read so far has no screen that is on, and does not say it.
 */
function sourcesOf(key: ComparedKey): string {
  const ofListings = `concat(export_source, ' ', cast(round(20 * coalesce(coverage, 0)) as varchar))`;
  const source = key === 'licenses_used' ? 'export_source' : ofListings;
  const whole = isOfStates(key) ? key.replace(/_[a-z]+$/, '') : undefined;
  const isSaid = whole === undefined ? '' : ` and (${whole} > 0 or coverage = 1)`;
  return `string_agg(${source}, ', ' order by export_source) filter (where ${key} is not null${isSaid})`;
}

/**
 * By day: the share of the known time with screens on, and how much more or less it may be of all time. A day that is
 * mostly unknown has none: often nothing is known but the screens that were off.
 */
async function readUptime(tables: Tables): Promise<ReadonlyMap<string, readonly unknown[]>> {
  if (!tables.views.some(({ name }) => name === 'screen_uptime')) return new Map();
  // A damaged file is told here, with its cure.
  await tables.query('-- grain: as screen_uptime\n select 1 from screen_uptime limit 0');
  await tables.run(`create temp table if not exists uptime_days as ${UPTIME_DAYS}`);
  const { rows } = await tables.query(`
    -- grain: a day
    select
      export_date,
      case when known_hours >= unknown_hours then on_share end as on_share,
      case when known_hours >= unknown_hours then (unsure_hours + unknown_hours * greatest(on_share, 1 - on_share)) / (known_hours + unknown_hours) end as possible_error
    from (
      select
        export_date,
        sum(on_hours) / nullif(sum(on_hours + off_hours), 0) as on_share,
        sum(on_hours + off_hours) as known_hours,
        coalesce(sum(unknown_hours), 0) as unknown_hours,
        sum(sampling_error_hours) as unsure_hours
      from uptime_days
      group by export_date
    ) as days
    order by export_date desc
    limit ${DAYS}`);
  return new Map(rows.map(([date, ...figures]) => [String(date), figures]));
}

function allDates(days: readonly string[]): readonly string[] {
  const [first, last] = [days.at(0), days.at(-1)];
  if (first === undefined || last === undefined) return [];
  const count = Math.round((Date.parse(last) - Date.parse(first)) / DAY_MS) + 1;
  return Array.from({ length: Math.min(count, DAYS) }, (_, index) =>
    new Date(Date.parse(last) - (Math.min(count, DAYS) - 1 - index) * DAY_MS).toISOString().slice(0, 10),
  );
}
