-- grain: a player or a screen, and an outage
-- key: level, device_key, started_at
-- question: When was which player or screen out, for how long, and for how long of its opening hours?
-- tells: level, device_key, started_at, ended_at, hours, open_hours
-- order: started_at desc, export_source, level, device_key
-- lists: players, screens
-- The rows of screen_outages and player_outages.
with
  -- grain: a day and a player that is not expected
  unexpected as (
    select export_source, player_id, export_date
    from player_days
    where not is_expected
  ),
  -- grain: a player or screen and a time of an outage; unknown time may be within
  pieces as (
    select *
    from device_states
    where state in ('off', 'unknown')
  ),
  -- grain: a player or screen and an outage
  outages_of_devices as (
    select
      export_source,
      level,
      device_key,
      player_id,
      outage,
      min(case when state = 'off' then started_at end) as started_at,
      min_by(started_by, case when state = 'off' then started_at end) as started_by,
      case when count_if(ended_at is null) = 0 then max(ended_at) end as ended_at,
      case when count_if(ended_at is null) = 0 then max_by(ended_by, ended_at) end as ended_by,
      cast(sum(case when state = 'off' then date_diff('millisecond', started_at, until_at) end) as double) / 3600000 as hours
    from pieces
    group by export_source, level, device_key, player_id, outage
    having count_if(state = 'off') > 0
  ),
  -- grain: one row
  calendar as (
    select min(starts_at) as first_at
    from dates
  ),
  -- grain: a player or screen, an outage and a day
  cut as (
    select
      pieces.export_source,
      pieces.level,
      pieces.device_key,
      pieces.player_id,
      pieces.outage,
      dates.export_date,
      case when pieces.started_at > dates.starts_at then pieces.started_at else dates.starts_at end as starts_at,
      case when pieces.until_at < dates.ends_at then pieces.until_at else dates.ends_at end as ends_at,
      unexpected.player_id is not null as is_excused
    from pieces
    join dates on dates.starts_at <= pieces.until_at and dates.ends_at > pieces.started_at
    left join unexpected
      on unexpected.export_source = pieces.export_source
      and unexpected.player_id = pieces.player_id
      and unexpected.export_date = dates.export_date
    where pieces.state = 'off'
  ),
  -- grain: a player or screen and an outage that lasted through days on which its player was not expected
  excused as (
    select level, device_key, outage, cast(sum(date_diff('millisecond', starts_at, ends_at)) as double) / 3600000 as hours
    from cut
    where is_excused
    group by level, device_key, outage
  ),
  -- grain: a player or screen and an outage, in a place with opening hours
  opened as (
    select
      cut.level,
      cut.device_key,
      cut.outage,
      cast(sum(
        case
          when hours.opens_at < cut.ends_at and hours.closes_at > cut.starts_at
            then date_diff(
              'millisecond',
              case when hours.opens_at > cut.starts_at then hours.opens_at else cut.starts_at end,
              case when hours.closes_at < cut.ends_at then hours.closes_at else cut.ends_at end
            )
          else 0
        end
      ) as double) / 3600000 as open_hours
    from cut
    join player_places as places
      on places.export_source = cut.export_source and places.player_id = cut.player_id
    left join opening_hours as hours
      on hours.group_value = places.group_value
      and hours.export_date = cut.export_date
    where
      not cut.is_excused
      and (places.valid_from is null or cut.export_date >= places.valid_from)
      and (places.valid_until is null or cut.export_date < places.valid_until)
    group by cut.level, cut.device_key, cut.outage
  )
select
  outages_of_devices.export_source,
  outages_of_devices.level,
  outages_of_devices.device_key,
  outages_of_devices.player_id,
  outages_of_devices.started_at,
  outages_of_devices.started_by,
  outages_of_devices.ended_at,
  outages_of_devices.ended_by,
  outages_of_devices.hours - coalesce(excused.hours, 0e0) as hours,
  case when outages_of_devices.started_at >= calendar.first_at then opened.open_hours end as open_hours
from outages_of_devices
left join opened
  on opened.device_key = outages_of_devices.device_key
  and opened.level = outages_of_devices.level
  and opened.outage = outages_of_devices.outage
left join excused
  on excused.device_key = outages_of_devices.device_key
  and excused.level = outages_of_devices.level
  and excused.outage = outages_of_devices.outage
cross join calendar
