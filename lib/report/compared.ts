import type { Tables } from '../views/open-tables.ts';
import type { Compared } from './report-data.ts';

/** The comparison of all players and screens, and by group and value that of its own. */
export type FoundCompared = Awaited<ReturnType<typeof readCompared>>;

/** A kind of device: the view of its days, the column of its state, and its good state. */
const DEVICES = [
  { kind: 'players', view: 'player_days', key: 'player_key', state: 'health', good: 'online' },
  { kind: 'screens', view: 'screen_days', key: 'screen_key', state: 'state', good: 'on' },
] as const;

/** Compares the newest day with a run with the one before: only devices that are expected and known on both days. */
export async function readCompared(tables: Tables) {
  const { rows: days } = await tables.query(`
    -- grain: a day
    select distinct export_date
    from runs
    order by export_date desc
    limit 2`);
  const [now, since] = days.map(([date]) => String(date));
  const devices = DEVICES.filter(({ view }) => tables.views.some(({ name }) => name === view));
  if (now === undefined || since === undefined || devices.length === 0) return { all: null, of: () => null };
  const both = devices.map(
    ({ kind, view, key, state, good }) => `
        select '${kind}' as kind, days.player_key, days.${state} = '${good}' as is_good, earlier.${state} = '${good}' as was_good
        from ${view} as days
        join ${view} as earlier using (${key})
        where days.export_date = '${now}' and earlier.export_date = '${since}'
          and days.is_expected and earlier.is_expected and 'unknown' not in (days.${state}, earlier.${state})`,
  );
  const { rows } = await tables.query(`
    -- grain: a kind of device, and a group and its value; no group = all
    with both_days as (${both.join('\n        union all')}
    )
    select kind, null as group_by, null as group_value, count(*), count_if(is_good), count_if(was_good)
    from both_days
    group by kind
    union all
    select kind, group_by, group_value, count(*), count_if(is_good), count_if(was_good)
    from both_days
    join player_groups using (player_key)
    group by kind, group_by, group_value`);
  const found = Map.groupBy(rows, ([, group, value]) => JSON.stringify([group, value]));
  const of = (group: string | null, value: string | null): Compared => {
    const own = found.get(JSON.stringify([group, value])) ?? [];
    const counts = own.map(([kind, , , count, is, was]) => [
      kind,
      { count: Number(count), now: Number(is), before: Number(was) },
    ]);
    return { since, ...Object.fromEntries(counts) };
  };
  return { all: of(null, null), of };
}
