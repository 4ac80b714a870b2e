import type { Tables } from '../views/open-tables.ts';
import type { ReportData } from './report-data.ts';
import { screensWithHoursOff } from './screens-off.ts';

/** So few opening hours are none: a timer may be late. The questions of docs/read have the same number. */
export const NO_HOURS = 0.25;
/** What was out for longer needs attention, also if its place was never open. */
const LONGEST_CLOSED = 31 * 24;

/** SQL of the hours that a screen surely missed in the last day. The next one has the most that it may have missed. */
export const SURELY_MISSED = 'missed_hours_day - coalesce(sampling_error_hours_day, 0)';
const PERHAPS_MISSED = 'missed_hours_day + coalesce(sampling_error_hours_day, 0)';

export const HAS_SURELY_MISSED = `${SURELY_MISSED} > ${NO_HOURS}`;
export const HAS_PERHAPS_MISSED = `${PERHAPS_MISSED} > ${NO_HOURS}`;

/** SQL that is true of what was out only while its place was closed, now or a day ago and not now. */
export const wasClosed = (level: 'player' | 'screen', when: 'now' | 'a day ago') =>
  `${level}_key in (select device_key from closed_places where level = '${level}' and closed_until = '${when}')`;

/** SQL of the opening hours of what is out, until then. */
const openUntil = (until: string) =>
  `coalesce(sum(date_diff('millisecond', greatest(opens_at, out_since), least(closes_at, ${until}))) filter (opens_at < ${until}), 0) / 36e5`;

/**
 * Makes the table `closed_places` of what was out only while its place was closed, and counts it. Undefined where nobody
 * knows opening hours.
 */
export async function findClosed(tables: Tables): Promise<ReportData['closed']> {
  const needed = ['player_health', 'screen_status', 'screen_days', 'player_places', 'opening_hours'];
  const isKnown = needed.every((view) => tables.views.some(({ name }) => name === view));
  if (!isKnown || (tables.schema.hours ?? []).length === 0) return undefined;
  await tables.run(`
    create or replace temp table closed_places as
    -- grain: a player or screen that is out
    select level, device_key, case when ${openUntil('exported_at')} <= ${NO_HOURS} then 'now' else 'a day ago' end as closed_until
    from (
      select *, exported_at - to_milliseconds(cast(hours * 3600000 as bigint)) as out_since, exported_at - interval '1' day as day_ago
      from (
        select 'player' as level, player_key as device_key, export_source, player_id, exported_at, offline_hours as hours
        from player_health
        where health = 'offline' and is_expected
        union all
        select 'screen', screen_key, export_source, player_id, exported_at, case state when 'off' then hours_off else hours_in_state end
        from ${screensWithHoursOff(tables.since)} as screens
        where state in ('off', 'stale') and is_expected
      )
      where hours <= ${LONGEST_CLOSED}
    ) as out
    join player_places as places using (export_source, player_id)
    left join opening_hours as hours
      on hours.group_value = places.group_value and hours.opens_at < exported_at and hours.closes_at > out_since
    where places.valid_until is null
    group by level, device_key, exported_at, out_since, day_ago
    having ${openUntil('case when out_since < day_ago then day_ago else exported_at end')} <= ${NO_HOURS}`);
  const { rows } = await tables.query(`
    -- grain: one row
    select count_if(level = 'player'), count_if(level = 'screen')
    from closed_places
    where closed_until = 'now'`);
  const [players = 0, screens = 0] = (rows[0] ?? []).map(Number);
  return { players, screens };
}
