-- grain: a player or a screen, and a day
-- key: level, device_key, export_date
-- question: How long was each player and each screen out on each day, and of how long is that known?
-- tells: export_date, level, device_key, known_hours, off_hours, unknown_hours, sampling_error_hours, open_known_hours, open_off_hours, open_unknown_hours, open_sampling_error_hours
-- order: export_date desc, off_hours desc nulls last, export_source, level, device_key
-- lists: players, screens
-- Hours belong to their day by the clocks of the config's timeZone. known_hours: the state is one of device_states that
-- is not unknown, as in outages. unknown_hours are the others, from the first run that lists the player or screen to
-- the newest run, or until it is removed. Nobody has hours between a removal and a return. off_hours is null without
-- known hours. sampling_error_hours: how many hours may be wrong, because the middle between two runs replaces an
-- unknown time. open_: while its place was open; null for a place without opening hours. Days on which the player is
-- not expected are left out. run_date: the last day until then with a run, on which its player was listed. Its groups
-- count, and whether it expects the player. It is null if the player reports first on the day on which it leaves.
with
  -- grain: a day and a player that is not expected
  unexpected as (
    select export_source, player_id, export_date
    from player_days
    where not is_expected
  ),
  -- grain: a player or screen, and a moment at which a time of it begins or ends, or a time in which its state is not sure
  edges as (
    select
      states.export_source,
      states.level,
      states.record_key,
      states.player_id,
      parts.part,
      parts.part = 3 as is_unsure,
      case parts.part when 1 then states.started_at when 2 then states.until_at else states.started_after end as starts_at,
      case when parts.part = 3 then states.started_before end as sure_at,
      states.started_at as middle,
      case when states.state <> 'watched' then 0 when parts.part = 1 then 1 else -1 end as watched,
      case when states.state <> 'off' then 0 when parts.part = 1 then 1 else -1 end as off,
      case when states.state <> 'unknown' then 0 when parts.part = 1 then 1 else -1 end as unknown
    from device_states as states
    cross join (values (1), (2), (3)) as parts (part)
    where
      parts.part = 1 and states.state in ('watched', 'off', 'unknown')
      or parts.part = 2 and states.state <> 'on'
      or parts.part = 3 and states.state in ('on', 'off') and states.started_before > states.started_at
  ),
  -- grain: a player or screen, and a time from one such moment to the next, or in which its state is not sure
  times as (
    select
      edges.*,
      case when is_unsure then sure_at else lead(starts_at) over edges_in_order end as ends_at,
      sum(watched + unknown) over edges_in_order > 0 as is_in_span,
      sum(watched) over edges_in_order > sum(unknown) over edges_in_order as is_watched,
      sum(off) over edges_in_order > 0 as is_off
    from edges
    window edges_in_order as (partition by record_key, export_source, level, is_unsure order by starts_at, part)
  ),
  -- grain: a source and a day since its first run
  days as (
    select sources.export_source, dates.export_date, dates.starts_at, dates.ends_at
    from dates
    join (select export_source, min(export_date) as first_date from runs group by export_source) as sources
      on sources.first_date <= dates.export_date
  ),
  -- grain: a player or screen, such a time since it was first listed, and a day
  cut as (
    select
      times.export_source,
      times.level,
      times.record_key,
      times.player_id,
      times.is_unsure,
      times.is_watched,
      times.is_watched and times.is_off as is_out,
      days.export_date,
      case when times.starts_at > days.starts_at then times.starts_at else days.starts_at end as starts_at,
      case when times.ends_at < days.ends_at then times.ends_at else days.ends_at end as ends_at,
      case
        when times.middle < days.starts_at then days.starts_at
        when times.middle > days.ends_at then days.ends_at
        else times.middle
      end as middle
    from times
    join days
      on days.export_source = times.export_source
      and days.ends_at > times.starts_at
      and days.starts_at <= times.ends_at
    where times.is_unsure or times.is_in_span and (times.ends_at > times.starts_at or times.watched = 1)
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
  -- grain: a player or screen, such a time and day, and an opening of its place; milliseconds, and of the first opening alone those that all have
  measured as (
    select
      cut.export_source,
      cut.level,
      cut.record_key,
      cut.player_id,
      cut.export_date,
      cut.is_unsure,
      cut.is_watched,
      cut.is_out,
      placed.player_id is not null as is_placed,
      case when coalesce(openings.opening, 1) = 1 then date_diff('millisecond', cut.starts_at, cut.ends_at) else 0 end as lasted,
      case
        when not cut.is_unsure or coalesce(openings.opening, 1) > 1 then 0
        when date_diff('millisecond', cut.starts_at, cut.middle) > date_diff('millisecond', cut.middle, cut.ends_at)
          then date_diff('millisecond', cut.starts_at, cut.middle)
        else date_diff('millisecond', cut.middle, cut.ends_at)
      end as unsure,
      case
        when placed.player_id is null then null
        when openings.opens_at < cut.ends_at and openings.closes_at > cut.starts_at
          then date_diff(
            'millisecond',
            case when openings.opens_at > cut.starts_at then openings.opens_at else cut.starts_at end,
            case when openings.closes_at < cut.ends_at then openings.closes_at else cut.ends_at end
          )
        else 0
      end as open,
      case
        when placed.player_id is null or not cut.is_unsure then null
        when openings.opens_at < cut.middle and openings.closes_at > cut.starts_at
          then date_diff(
            'millisecond',
            case when openings.opens_at > cut.starts_at then openings.opens_at else cut.starts_at end,
            case when openings.closes_at < cut.middle then openings.closes_at else cut.middle end
          )
        else 0
      end as open_before_middle
    from cut
    left join placed
      on placed.export_source = cut.export_source
      and placed.player_id = cut.player_id
      and placed.valid_from <= cut.export_date
      and placed.valid_until > cut.export_date
    left join openings
      on openings.group_value = placed.group_value and openings.export_date = cut.export_date
  ),
  -- grain: a player or screen and a day since it was first listed
  summed as (
    select
      level,
      export_source,
      record_key,
      export_date,
      max(player_id) as player_id,
      cast(sum(case when not is_unsure then lasted end) as double) / 3600000 as hours,
      cast(sum(case when is_watched and not is_unsure then lasted else 0 end) as double) / 3600000 as known_hours,
      cast(sum(case when is_out and not is_unsure then lasted else 0 end) as double) / 3600000 as off_hours,
      cast(sum(unsure) as double) / 3600000 as unsure_hours,
      cast(sum(case when is_watched and not is_unsure then open when is_placed then 0 end) as double) / 3600000 as open_known_hours,
      cast(sum(case when is_out and not is_unsure then open when is_placed then 0 end) as double) / 3600000 as open_off_hours,
      cast(sum(case when not is_watched and not is_unsure then open when is_placed then 0 end) as double) / 3600000 as open_unknown_hours,
      cast(sum(
        case
          when is_placed and is_unsure and open_before_middle * 2 > open then open_before_middle
          when is_placed and is_unsure then open - open_before_middle
          when is_placed then 0
        end
      ) as double) / 3600000 as open_unsure_hours
    from measured
    group by level, export_source, record_key, export_date
  ),
  -- grain: a player or screen and a day since it was first listed
  listed as (
    select
      summed.*,
      max(player_days.export_date) over (
        partition by summed.level, summed.export_source, summed.record_key order by summed.export_date
      ) as run_date
    from summed
    left join player_days
      on player_days.export_source = summed.export_source
      and player_days.player_id = summed.player_id
      and player_days.export_date = summed.export_date
  )
select
  listed.export_source,
  listed.level,
  concat(listed.export_source, '/', listed.record_key) as device_key,
  listed.record_key,
  listed.player_id,
  listed.export_date,
  cast(listed.export_date as date) as "date",
  known_hours,
  case when known_hours > 0 then off_hours end as off_hours,
  hours - known_hours as unknown_hours,
  case
    when known_hours > 0 and unsure_hours < known_hours then unsure_hours
    when known_hours > 0 then known_hours
  end as sampling_error_hours,
  open_known_hours,
  open_off_hours,
  open_unknown_hours,
  case when open_unsure_hours < open_known_hours then open_unsure_hours else open_known_hours end as open_sampling_error_hours,
  listed.run_date
from listed
left join unexpected
  on unexpected.export_source = listed.export_source
  and unexpected.player_id = listed.player_id
  and unexpected.export_date = listed.run_date
where listed.hours is not null and unexpected.player_id is null
