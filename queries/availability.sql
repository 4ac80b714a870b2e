-- grain: a screen, a player, a place, a group or a source, and a day, week or month
-- key: export_source, level, key, period, period_start
-- question: Which share of its known time was each screen, player, place, group and source there, and was that enough?
-- tells: level, key, period, period_start, availability, possible_error, sampling_error, target, judged_hours, unjudged_hours, known_hours, on_hours, unknown_hours, sampling_error_hours, open_known_hours, open_on_hours
-- order: level, period, period_start desc, availability nulls last, key
-- lists: players, screens
-- The level player counts the hours in which the player was online. All other levels count the hours in which screens
-- were on, as in screen_outages. key: screen_key, player_key, a place's value of its group (with opening hours; * is all
-- players without hours of their own), a group as city=Berlin, or a source. The group and the place are those of the
-- day, or of the last day on which the player was listed. period: day, week (from Monday) or month, by the clocks of the config's timeZone. availability: of the known
-- hours, the share in which screens were on. In a place with opening hours only those count, elsewhere all: these are
-- judged_hours, by which several rows are weighed. It is null without such hours. sampling_error: at most so much of the
-- share is wrong, up or down. sampling_error_hours says so of on_hours. Both sum device_days, where a switch near midnight
-- counts in both days. unknown_hours: nobody knows the state. unjudged_hours are those that would be judged.
-- possible_error: how much more or less the share of all these hours may be. Known hours alone mislead where a run failed:
-- a silent screen is then known to be off, and nobody knows of the others. target: what the config's `targets`
-- wants for the group, or for *. For a place it is that of the group by which its players are there. It is null for a
-- screen or a player where groups have targets of their own.
with
  -- grain: a value of a group, with what is wanted of it
  wanted as (
    select group_number, group_value, target
    from config_targets
  ),
  -- grain: a day, a player and a column that groups it
  grouped as (
    select 'group' as kind, export_date, export_source, player_id, group_number, group_by, group_value
    from config_groups_daily
    where group_value is not null
  ),
  -- grain: a player of a place with opening hours, and the days in which it was there
  placed as (
    select
      'place' as kind,
      export_source,
      player_id,
      group_number,
      group_value,
      coalesce(valid_from, '') as valid_from,
      coalesce(valid_until, '9999') as valid_until
    from player_places
  ),
  -- grain: a day, and a period in which it lies
  periods as (
    select
      dates.export_date,
      lengths.period,
      case lengths.period when 'day' then dates."date" when 'week' then dates.week_start else dates.month_start end as period_start
    from dates
    cross join (values ('day'), ('week'), ('month')) as lengths (period)
  ),
  -- grain: a screen, a player, a place, a group or a source, and a device of it and a day
  -- Milliseconds are summed: a sum of fractions would differ by the order in which they come.
  parts as (
    select
      days.export_source,
      days.export_date,
      case when kinds.kind = 'device' then days.level else kinds.kind end as level,
      case kinds.kind
        when 'device' then days.device_key
        when 'source' then days.export_source
        when 'place' then placed.group_value
        else concat(grouped.group_by, '=', grouped.group_value)
      end as key,
      coalesce(placed.group_number, grouped.group_number) as group_number,
      cast(coalesce(placed.group_value, grouped.group_value, '*') as varchar) as group_value,
      cast(round(days.known_hours * 3600000) as bigint) as known,
      cast(round((days.known_hours - days.off_hours) * 3600000) as bigint) as was_on,
      cast(round(days.open_known_hours * 3600000) as bigint) as open_known,
      cast(round((days.open_known_hours - days.open_off_hours) * 3600000) as bigint) as open_on,
      cast(round(coalesce(days.open_known_hours, days.known_hours) * 3600000) as bigint) as judged,
      cast(round(coalesce(days.open_known_hours - days.open_off_hours, days.known_hours - days.off_hours) * 3600000) as bigint) as judged_on,
      cast(round(days.unknown_hours * 3600000) as bigint) as unknown,
      cast(round(coalesce(days.open_unknown_hours, days.unknown_hours) * 3600000) as bigint) as unjudged,
      cast(round(days.sampling_error_hours * 3600000) as bigint) as unsure_on,
      cast(round(coalesce(days.open_sampling_error_hours, days.sampling_error_hours) * 3600000) as bigint) as unsure
    from device_days as days
    cross join (values ('device'), ('source'), ('group'), ('place')) as kinds (kind)
    left join grouped
      on grouped.kind = kinds.kind
      and grouped.export_source = days.export_source
      and grouped.player_id = days.player_id
      and grouped.export_date = days.run_date
    left join placed
      on placed.kind = kinds.kind
      and placed.export_source = days.export_source
      and placed.player_id = days.player_id
      and placed.valid_from <= days.export_date
      and placed.valid_until > days.export_date
    where
      kinds.kind = 'device'
      or days.level = 'screen' and (kinds.kind = 'source' or grouped.kind is not null or placed.kind is not null)
  ),
  -- grain: a screen, a player, a place, a group or a source, and a period
  summed as (
    select
      parts.export_source,
      parts.level,
      parts.key,
      min(parts.group_number) as group_number,
      parts.group_value,
      periods.period,
      periods.period_start,
      cast(sum(parts.known) as double) / 3600000 as known_hours,
      cast(sum(parts.was_on) as double) / 3600000 as on_hours,
      cast(sum(parts.open_known) as double) / 3600000 as open_known_hours,
      cast(sum(parts.open_on) as double) / 3600000 as open_on_hours,
      cast(sum(parts.judged) as double) / 3600000 as judged_hours,
      cast(sum(parts.judged_on) as double) / nullif(sum(parts.judged), 0) as availability,
      cast(sum(parts.unknown) as double) / 3600000 as unknown_hours,
      cast(sum(parts.unjudged) as double) / 3600000 as unjudged_hours,
      cast(sum(parts.unsure_on) as double) / 3600000 as sampling_error_hours,
      cast(sum(parts.unsure) as double) / nullif(sum(parts.judged), 0) as sampling_error
    from parts
    join periods on periods.export_date = parts.export_date
    group by parts.export_source, parts.level, parts.key, parts.group_value, periods.period, periods.period_start
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
  summed.availability,
  case when summed.level not in ('screen', 'player') or named.targets = 0
    then cast(coalesce(wanted.target, anywhere.target) as double)
  end as target,
  summed.judged_hours,
  summed.sampling_error,
  summed.sampling_error_hours,
  summed.unknown_hours,
  summed.unjudged_hours,
  (
    summed.sampling_error * summed.judged_hours
    + summed.unjudged_hours * case when summed.availability < 0.5e0 then 1 - summed.availability else summed.availability end
  ) / (summed.judged_hours + summed.unjudged_hours) as possible_error
from summed
cross join (select count(*) as targets from wanted where group_value <> '*') as named
left join wanted on wanted.group_number = summed.group_number and wanted.group_value = summed.group_value
left join wanted as anywhere on anywhere.group_value = '*'
