-- grain: a screen, a player, a place, a group or a source, and a day, week or month
-- question: Which share of its known time was each screen, player, place, group and source there, and was that enough?
-- tells: level, key, period, period_start, availability, target, known_hours, on_hours, open_known_hours, open_on_hours
-- order: level, period, period_start desc, availability nulls last, key
-- only: DuckDB
-- lists: players, screens
-- Level player counts the hours in which the player was online; all others those in which screens were on, as in
-- screen_outages. key: screen_key, player_key, the place's value of its group (those with opening hours), the group as
-- city=Berlin, or the source. The group and the place are those of the day. period: day, week (from Monday) or month, by
-- the clocks of the config's timeZone. availability: on_hours of known_hours, or where there are opening hours open_on_hours of
-- open_known_hours; null where none are known. target: what the config's `targets` wants of the group, or of *.
with
  -- grain: a value of a group, with what is wanted of it
  wanted as (
    select cast(group_value as varchar) as group_value, target
    from config_targets
  ),
  -- grain: a day, a player and a column that groups it
  grouped as (
    select export_date, export_source, player_id, group_by, group_value
    from config_groups_daily
    where group_value is not null
  ),
  -- grain: a player or a screen, and a day
  days as (
    select *
    from device_days
  ),
  -- grain: a day, and a period in which it lies
  periods as (
    select export_date, 'day' as period, "date" as period_start
    from dates
    union all
    select export_date, 'week', week_start
    from dates
    union all
    select export_date, 'month', month_start
    from dates
  ),
  -- grain: a screen, a player, a place, a group or a source, and a device of it and a day
  parts as (
    select days.*, days.level as of_level, days.device_key as key, cast('*' as varchar) as group_value
    from days
    union all
    select days.*, 'source', days.export_source, '*'
    from days
    where days.level = 'screen'
    union all
    select days.*, 'group', concat(grouped.group_by, '=', grouped.group_value), grouped.group_value
    from days
    join grouped
      on grouped.export_source = days.export_source
      and grouped.player_id = days.player_id
      and grouped.export_date = days.export_date
    where days.level = 'screen'
    union all
    select days.*, 'place', places.group_value, places.group_value
    from days
    join player_places as places
      on places.export_source = days.export_source and places.player_id = days.player_id
    where
      days.level = 'screen'
      and (places.valid_from is null or days.export_date >= places.valid_from)
      and (places.valid_until is null or days.export_date < places.valid_until)
  ),
  -- grain: a screen, a player, a place, a group or a source, and a period
  -- Milliseconds are summed: a sum of fractions would differ by the order in which they come.
  summed as (
    select
      parts.export_source,
      parts.of_level as level,
      parts.key,
      parts.group_value,
      periods.period,
      periods.period_start,
      cast(sum(cast(round(parts.known_hours * 3600000) as bigint)) as double) / 3600000 as known_hours,
      cast(sum(cast(round((parts.known_hours - parts.off_hours) * 3600000) as bigint)) as double) / 3600000 as on_hours,
      cast(sum(cast(round(parts.open_known_hours * 3600000) as bigint)) as double) / 3600000 as open_known_hours,
      cast(sum(cast(round((parts.open_known_hours - parts.open_off_hours) * 3600000) as bigint)) as double) / 3600000 as open_on_hours
    from parts
    join periods on periods.export_date = parts.export_date
    group by parts.export_source, parts.of_level, parts.key, parts.group_value, periods.period, periods.period_start
  )
select
  summed.export_source,
  summed.level,
  summed.key,
  summed.period,
  summed.period_start,
  summed.known_hours,
  summed.on_hours,
  summed.open_known_hours,
  summed.open_on_hours,
  case
    when summed.open_known_hours > 0 then summed.open_on_hours / summed.open_known_hours
    when summed.open_known_hours is null and summed.known_hours > 0 then summed.on_hours / summed.known_hours
  end as availability,
  cast(coalesce(wanted.target, anywhere.target) as double) as target
from summed
left join wanted on wanted.group_value = summed.group_value
left join wanted as anywhere on anywhere.group_value = '*'
