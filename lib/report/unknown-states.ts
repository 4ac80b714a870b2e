import { quoteLiteral } from '../sql.ts';
import type { Tables } from '../views/open-tables.ts';
import { comparedDay } from './days/run-dates.ts';
import { SPANS } from './report-data.ts';

/** The tables of devices: the view of their days, its key, and the column of the state. */
const STATES = [
  ['players', 'player_days', 'player_key', 'health'],
  ['screens', 'screen_days', 'screen_key', 'state'],
] as const;

type RunDays = ReadonlyMap<string, readonly string[]>;

const statesIn = ({ views }: Tables) => STATES.filter(([, view]) => views.some(({ name }) => name === view));

/**
 * By span and table, such as `7 screens`: how many expected ones have no known state on one of the two days. So it is
 * with a player that was seen on the first day, if the newest answer does not say when.
 */
export async function unknownStates(tables: Tables, all: RunDays): Promise<ReadonlyMap<string, number>> {
  const { compared, dates, newest } = comparedRows(all);
  const views = statesIn(tables);
  if (dates.length === 0 || views.length === 0) return new Map();
  const { rows } = await tables.query(
    views
      .map(
        ([table, view, key, state]) => `
    -- grain: a span
    select concat(compared.span, ' ${table}'), count(*)
    from ${compared}
    join (select * from ${view} where export_date in (${newest})) as days
      on days.export_source = compared.export_source and days.export_date = compared.newest_date
    join (select * from ${view} where export_date in (${dates})) as past
      on past.${key} = days.${key} and past.export_date = compared.export_date
    where days.is_expected
      and ('unknown' in (days.${state}, past.${state}) or days.${state} = 'never seen' and past.${state} <> 'never seen')
    group by compared.span`,
      )
      .join('\n    union all'),
  );
  return new Map(rows.map(([of, count]) => [String(of), Number(count)]));
}

/** What is summed in daily_trend, by the tables that it is of. */
const SUMS = [
  ['licenses', 'licenses', 'licenses_used'],
  ['backup_slots', 'backup_storages', 'backup_used'],
] as const;

/**
 * Spans and tables, such as `7 screens`, of which too little is known for a 0. A source told no state on the day that
 * it is compared with, or a sum is unknown on one of the two days.
 */
export async function untoldStates(tables: Tables, all: RunDays): Promise<ReadonlySet<string>> {
  const { compared, dates, newest } = comparedRows(all);
  const hasSums = tables.views.some(({ name }) => name === 'daily_trend');
  const sums = SUMS.filter(([, of]) => hasSums && (tables.schema.tables[of]?.columns.length ?? 0) > 0);
  if (dates.length === 0) return new Set();
  const lines = [
    ...sums.map(
      ([table, of, sum]) => `
    -- grain: a span and a source
    select concat(compared.span, ' ${table}')
    from (select * from daily_trend where export_date in (${dates}, ${newest})) as days
    join ${compared}
      on compared.export_source = days.export_source and days.export_date in (compared.export_date, compared.newest_date)
    where days.${sum} is null and days.export_source in (select export_source from ${of})
    group by compared.span, days.export_source`,
    ),
    ...statesIn(tables).map(
      ([table, view, , state]) => `
    -- grain: a span and a source
    select concat(compared.span, ' ${table}')
    from (select export_source, export_date, ${state} as state from ${view} where export_date in (${dates})) as days
    join ${compared} using (export_source, export_date)
    group by compared.span, export_source
    having count_if(state <> 'unknown') = 0`,
    ),
  ];
  if (lines.length === 0) return new Set();
  const { rows } = await tables.query(lines.join('\n    union all'));
  return new Set(rows.map(([untold]) => String(untold)));
}

/** SQL of the days that each span compares, by source; the lists of the earlier days and of the newest ones. */
export function comparedRows(all: RunDays) {
  const rows = SPANS.flatMap((span) =>
    [...all].flatMap(([source, days]) => {
      const [date, newest] = [comparedDay(days, Number(span)), days.at(-1)];
      return date === undefined
        ? []
        : [{ date, newest, line: `('${span}', ${quoteLiteral(source)}, '${date}', '${newest}')` }];
    }),
  );
  const listOf = (key: 'date' | 'newest') => [...new Set(rows.map((row) => `'${row[key]}'`))].join(', ');
  return {
    compared: `(values ${rows.map(({ line }) => line).join(', ')}) as compared (span, export_source, export_date, newest_date)`,
    dates: listOf('date'),
    newest: listOf('newest'),
  };
}
