-- grain: a player or a screen, and a day
-- question: How long was each player and each screen out on each day, and of how long is that known?
-- tells: export_date, level, device_key, known_hours, off_hours, unknown_hours, open_known_hours, open_off_hours
-- order: export_date desc, off_hours desc nulls last, export_source, level, device_key
-- only: DuckDB
-- lists: players, screens
-- Hours belong to the day in which they lie, by the clocks of the config's timeZone. known_hours lie between two runs in a
-- row that knew the state, unknown_hours are the others since the first sight of the player or screen, up to the newest run.
-- off_hours is null where none are known.
-- sampling_error_hours: how much the state may have differed where half-way between two runs stands for a time that
-- nobody told. open_: while its place was open, null for a place without opening hours.
with
  -- grain: a player or screen, and a time in which its state lasted
  states as (
    select *
    from device_states
  ),
  -- grain: a player or screen
  spans as (
    select
      export_source,
      level,
      device_key,
      record_key,
      max(player_id) as player_id,
      min(case when state = 'watched' then started_at end) as first_at,
      max(until_at) as until_at
    from states
    group by export_source, level, device_key, record_key
  ),
  -- grain: a player or screen, and a time in which it was watched, off, or of which its state is not sure
  times as (
    select level, device_key, 'watched' as state, started_at, until_at, cast(null as timestamp) as middle
    from states
    where state = 'watched'
    union all
    select
      states.level,
      states.device_key,
      'off',
      case when states.started_at > watched.started_at then states.started_at else watched.started_at end,
      case when states.until_at < watched.until_at then states.until_at else watched.until_at end,
      null
    from states
    join states as watched
      on watched.level = states.level
      and watched.device_key = states.device_key
      and watched.state = 'watched'
      and watched.started_at < states.until_at
      and watched.until_at > states.started_at
    where states.state = 'off'
    union all
    select level, device_key, 'unsure', started_after, started_before, started_at
    from states
    where state in ('on', 'off') and started_before > started_at
  ),
  -- grain: a player or screen, such a time, and a day
  cut as (
    select
      times.level,
      times.device_key,
      times.state,
      dates.export_date,
      case when times.started_at > dates.starts_at then times.started_at else dates.starts_at end as starts_at,
      case when times.until_at < dates.ends_at then times.until_at else dates.ends_at end as ends_at,
      case
        when times.middle < dates.starts_at then dates.starts_at
        when times.middle > dates.ends_at then dates.ends_at
        else times.middle
      end as middle
    from times
    join dates on dates.starts_at <= times.until_at and dates.ends_at > times.started_at
  ),
  -- grain: a player or screen and a day
  summed as (
    select
      level,
      device_key,
      export_date,
      cast(sum(case when state = 'watched' then date_diff('millisecond', starts_at, ends_at) else 0 end) as double) / 3600000 as known_hours,
      cast(sum(case when state = 'off' then date_diff('millisecond', starts_at, ends_at) else 0 end) as double) / 3600000 as off_hours,
      cast(sum(
        case
          when state <> 'unsure' then 0
          when date_diff('millisecond', starts_at, middle) > date_diff('millisecond', middle, ends_at)
            then date_diff('millisecond', starts_at, middle)
          else date_diff('millisecond', middle, ends_at)
        end
      ) as double) / 3600000 as unsure_hours
    from cut
    group by level, device_key, export_date
  ),
  -- grain: a player or screen in a place with opening hours, and a day on which it opened
  opened as (
    select
      cut.level,
      cut.device_key,
      cut.export_date,
      cast(sum(
        case
          when cut.state = 'watched'
            then date_diff(
              'millisecond',
              case when hours.opens_at > cut.starts_at then hours.opens_at else cut.starts_at end,
              case when hours.closes_at < cut.ends_at then hours.closes_at else cut.ends_at end
            )
          else 0
        end
      ) as double) / 3600000 as known_hours,
      cast(sum(
        case
          when cut.state = 'off'
            then date_diff(
              'millisecond',
              case when hours.opens_at > cut.starts_at then hours.opens_at else cut.starts_at end,
              case when hours.closes_at < cut.ends_at then hours.closes_at else cut.ends_at end
            )
          else 0
        end
      ) as double) / 3600000 as off_hours
    from cut
    join spans on spans.level = cut.level and spans.device_key = cut.device_key
    join player_places as places
      on places.export_source = spans.export_source and places.player_id = spans.player_id
    join opening_hours as hours
      on hours.group_value = places.group_value and hours.export_date = cut.export_date
    where
      cut.state <> 'unsure'
      and hours.opens_at < cut.ends_at
      and hours.closes_at > cut.starts_at
      and (places.valid_from is null or cut.export_date >= places.valid_from)
      and (places.valid_until is null or cut.export_date < places.valid_until)
    group by cut.level, cut.device_key, cut.export_date
  ),
  -- grain: a player or screen and a day since it was first seen
  days as (
    select
      spans.*,
      dates.export_date,
      cast(date_diff(
        'millisecond',
        case when spans.first_at > dates.starts_at then spans.first_at else dates.starts_at end,
        case when spans.until_at < dates.ends_at then spans.until_at else dates.ends_at end
      ) as double) / 3600000 as hours
    from spans
    join dates on dates.starts_at <= spans.until_at and dates.ends_at > spans.first_at
  ),
  -- grain: a player or screen and a day on which it is in a place with opening hours
  placed as (
    select days.level, days.device_key, days.export_date
    from days
    join player_places as places
      on places.export_source = days.export_source and places.player_id = days.player_id
    where
      (places.valid_from is null or days.export_date >= places.valid_from)
      and (places.valid_until is null or days.export_date < places.valid_until)
  )
select
  days.export_source,
  days.level,
  days.device_key,
  days.record_key,
  days.player_id,
  days.export_date,
  coalesce(summed.known_hours, 0e0) as known_hours,
  case when summed.known_hours > 0 then summed.off_hours end as off_hours,
  days.hours - coalesce(summed.known_hours, 0e0) as unknown_hours,
  case
    when summed.known_hours > 0 and summed.unsure_hours < summed.known_hours then summed.unsure_hours
    when summed.known_hours > 0 then summed.known_hours
  end as sampling_error_hours,
  case when placed.device_key is not null then coalesce(opened.known_hours, 0e0) end as open_known_hours,
  case when placed.device_key is not null then coalesce(opened.off_hours, 0e0) end as open_off_hours
from days
left join summed
  on summed.level = days.level and summed.device_key = days.device_key and summed.export_date = days.export_date
left join opened
  on opened.level = days.level and opened.device_key = days.device_key and opened.export_date = days.export_date
left join placed
  on placed.level = days.level and placed.device_key = days.device_key and placed.export_date = days.export_date
