-- grain: a player or a screen, and an outage
-- key: level, device_key, started_at
-- question: When was which player or screen out, for how long, and for how long of its opening hours?
-- tells: level, device_key, started_at, ended_at, hours, open_hours
-- order: started_at desc, export_source, level, device_key
-- lists: players, screens
-- The rows of screen_outages and player_outages.
with
  -- grain: a player, and a day from which it is not expected, until it is listed again
  unexpected as (
    select *
    from (
      select
        export_source,
        player_id,
        export_date,
        is_expected,
        coalesce(lead(export_date) over (partition by export_source, player_id order by export_date), '9999') as until_date
      from player_days
    ) as told
    where not is_expected
  ),
  -- grain: one row
  calendar as (
    select min(starts_at) as first_at
    from dates
  ),
  -- grain: a player or screen, a time of an outage and a day; unknown time, or time away, may be within an outage
  cut as (
    select
      pieces.*,
      days.export_date,
      row_number() over (
        partition by pieces.export_source, pieces.level, pieces.device_key, pieces.outage, pieces.state, pieces.started_at
        order by days.export_date
      ) as day_number,
      case when pieces.started_at > days.starts_at then pieces.started_at else days.starts_at end as starts_at,
      case when pieces.until_at < days.ends_at then pieces.until_at else days.ends_at end as ends_at,
      unexpected.player_id is not null as is_excused
    from device_states as pieces
    left join dates as days
      on days.starts_at <= pieces.until_at
      and days.ends_at > pieces.started_at
    left join unexpected
      on unexpected.export_source = pieces.export_source
      and unexpected.player_id = pieces.player_id
      and unexpected.export_date <= days.export_date
      and unexpected.until_date > days.export_date
    where pieces.state in ('off', 'unknown', 'away')
  ),
  -- grain: a player of a place with opening hours, and the days in which it was there
  placed as (
    select
      export_source,
      player_id,
      group_value,
      coalesce(valid_from, '') as valid_from,
      coalesce(valid_until, '9999') as valid_until
    from player_places
  ),
  -- grain: a place with opening hours and a time in which it is open, numbered within its day
  openings as (
    select
      opening_hours.*,
      row_number() over (partition by group_value, export_date order by opens_at, closes_at) as opening
    from opening_hours
  ),
  -- grain: a player or screen, a time of an outage, a day and an opening; in milliseconds; only the first row of a time has its whole length
  measured as (
    select
      cut.*,
      case when cut.day_number = 1 and coalesce(hours.opening, 1) = 1 then date_diff('millisecond', cut.started_at, cut.until_at) end as lasted,
      case when cut.day_number = 1 and coalesce(hours.opening, 1) = 1 then cut.sampling_error_hours end as unsure_hours,
      case when cut.is_excused and coalesce(hours.opening, 1) = 1 then date_diff('millisecond', cut.starts_at, cut.ends_at) else 0 end as excused,
      case
        when placed.player_id is null or cut.is_excused then null
        when hours.opens_at < cut.ends_at and hours.closes_at > cut.starts_at
          then date_diff(
            'millisecond',
            case when hours.opens_at > cut.starts_at then hours.opens_at else cut.starts_at end,
            case when hours.closes_at < cut.ends_at then hours.closes_at else cut.ends_at end
          )
        else 0
      end as open
    from cut
    left join placed
      on placed.export_source = cut.export_source
      and placed.player_id = cut.player_id
      and placed.valid_from <= cut.export_date
      and placed.valid_until > cut.export_date
    left join openings as hours
      on hours.group_value = placed.group_value and hours.export_date = cut.export_date
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
      cast(sum(case when state = 'off' then lasted end) as double) / 3600000 as hours,
      cast(sum(case when state = 'off' then excused else 0 end) as double) / 3600000 as excused_hours,
      cast(sum(case when state = 'off' then open end) as double) / 3600000 as open_hours,
      case
        when count_if(state = 'off' and sampling_error_hours is null) = 0
          then sum(case when state = 'off' then unsure_hours end)
      end as sampling_error_hours,
      cast(sum(case when state <> 'off' then coalesce(lasted, 0) - excused else 0 end) as double) / 3600000 as unknown_hours
    from measured
    group by export_source, level, device_key, player_id, outage
    having count_if(state = 'off') > 0
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
  outages_of_devices.hours - coalesce(outages_of_devices.excused_hours, 0e0) as hours,
  case when outages_of_devices.started_at >= calendar.first_at then outages_of_devices.open_hours end as open_hours,
  outages_of_devices.sampling_error_hours,
  outages_of_devices.unknown_hours
from outages_of_devices
cross join calendar
