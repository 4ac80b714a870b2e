import { groupColumns } from '../views/config-tables.ts';
import type { Tables } from '../views/open-tables.ts';
import type { FoundCompared } from './compared.ts';
import { GROUP_KEYS, type GroupFigures, type GroupKey, type ReportGroup } from './report-data.ts';
import { isOfStates, lastDays } from './trend.ts';

/** Values of a group that the page cuts figures by, the largest; the view has all. 200 of 90 days are about 100 kB. */
const MOST_VALUES = 200;

/** The figures by day of each value of each group, on the days of the trend. */
export async function readGroups(
  tables: Tables,
  { dates, compared }: { readonly dates: readonly string[]; readonly compared: FoundCompared },
): Promise<readonly ReportGroup[]> {
  const groups: ReportGroup[] = [];
  for (const { name, column } of groupColumns(tables.schema)) {
    const { rows } = await tables.query(`
      -- grain: a day and a value of a group
      select day, group_value, ${GROUP_KEYS.map(sumOf).join(', ')}, coalesce(sum(players_stuck), 0)
      from (
        select
          *,
          count(coalesce(${QUEUE_KEYS.join(', ')})) over (partition by export_source) > 0
          or export_source in (select export_source from outcomes where resource = 'pending_file_transfers') as has_queues
        from ${lastDays(tables)} as last_days
        join group_trend using (export_source, export_date)
        where group_by = '${column}' and last_days.day >= '${dates[0] ?? ''}'
      )
      group by day, group_value
      order by day, group_value`);
    const newest = rows.filter(([date]) => date === dates.at(-1));
    const bySize = newest.toSorted((a, b) => Number(b[2]) - Number(a[2]));
    const values = bySize.slice(0, MOST_VALUES).map(([, value]) => (value === null ? null : String(value)));
    const byValue = Map.groupBy(rows, ([, value]) => (value === null ? null : String(value)));
    const figures = values.map((value) => figuresOf(byValue.get(value) ?? [], dates));
    const own = values.map((value) => compared.of(column, value));
    const stuck = bySize.slice(0, MOST_VALUES).map((row) => Number(row.at(-1)));
    if (values.length > 0)
      groups.push({ by: column, label: name, values, total: newest.length, figures, compared: own, stuck });
  }
  return groups;
}

const QUEUE_KEYS = GROUP_KEYS.filter((key) => !isOfStates(key));

/** The sum over the sources. A queue is not known where a source that has queues does not know its own. */
function sumOf(key: GroupKey): string {
  if (isOfStates(key)) return `sum(${key})`;
  return `case when count_if(${key} is null and has_queues) = 0 then sum(${key}) end`;
}

function figuresOf(rows: readonly (readonly unknown[])[], dates: readonly string[]): GroupFigures {
  const days = new Map(rows.map(([date, , ...figures]) => [String(date), figures]));
  const series = {} as Record<GroupKey, readonly (number | null)[]>;
  for (const [index, key] of GROUP_KEYS.entries())
    series[key] = dates.map((date) => {
      const cell = days.get(date)?.[index];
      return cell === null || cell === undefined ? null : Number(cell);
    });
  return series;
}
