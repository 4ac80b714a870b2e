-- grain: a screen of a player whose place has opening hours
-- question: Which screens were off or silent while their place was open?
-- tells: player_name, screen, state, missed_hours_day, missed_hours_week, since, city, group_value
-- order: is_expected desc, missed_hours_day desc nulls last, missed_hours_week desc nulls last, export_source, screen
-- lists: screens, players
-- needs: screens.is_on boolean, which says whether a screen is on
-- needs: screens.last_update timestamp, which says when a screen last reported, and so which are stale
-- Opening hours are lines of the config's `hours`, for a value of one of its `groups`: of the first that has any; * is for
-- players without one. States as in screen_status. missed_hours_day and missed_hours_week: how long the place was open while the
-- screen has been as it is, off or stale, in the 24 hours and in the 7 days before the export; 0 if it is on, null if its state is
-- unknown or nobody says since when. What was off and is on again is in screen_uptime.
with
  -- grain: a line of opening hours
  opening_hours as (
    select group_value, weekdays, opens, closes, zone
    from config_hours
  ),
  -- grain: a player and a column that groups it
  grouped as (
    select export_source, player_id, group_number, group_by, group_value
    from config_groups
  ),
  -- grain: a player with opening hours of its own
  own_hours as (
    select export_source, player_id, min(group_number) as group_number
    from grouped
    where group_value in (select group_value from opening_hours)
    group by export_source, player_id
  ),
  -- grain: a player with opening hours
  open_players as (
    select
      players.export_source,
      players.player_id,
      grouped.group_by,
      coalesce(grouped.group_value, '*') as group_value
    from players
    left join own_hours on own_hours.export_source = players.export_source and own_hours.player_id = players.player_id
    left join grouped
      on grouped.export_source = players.export_source
      and grouped.player_id = players.player_id
      and grouped.group_number = own_hours.group_number
    where coalesce(grouped.group_value, '*') in (select group_value from opening_hours)
  ),
  -- grain: a day of an export, by UTC
  days as (
    select distinct cast(exported_at as date) as day
    from screen_status
  ),
  -- grain: a day of an export and an opening in the week before it
  openings as (
    select
      days.day,
      opening_hours.group_value,
      cast(at_timezone(with_timezone(
        cast(days.day - ago.days * interval '1' day as timestamp) + opening_hours.opens * interval '1' minute,
        opening_hours.zone
      ), 'UTC') as timestamp) as opens_at,
      cast(at_timezone(with_timezone(
        cast(days.day - ago.days * interval '1' day as timestamp) + opening_hours.closes * interval '1' minute,
        opening_hours.zone
      ), 'UTC') as timestamp) as closes_at
    from days
    cross join opening_hours
    -- By the clocks of a zone it may be the next day already, and what opened 9 days ago may have closed 8 days ago.
    cross join (values (-1), (0), (1), (2), (3), (4), (5), (6), (7), (8), (9)) as ago (days)
    where
      strpos(
        opening_hours.weekdays,
        cast(date_diff('day', date '2001-01-01', cast(days.day - ago.days * interval '1' day as date)) % 7 + 1 as varchar)
      ) > 0
  ),
  -- grain: a screen and an opening of its place, with the milliseconds in which it was as it is
  opened as (
    select
      states.export_source,
      states.screen,
      openings.opens_at <= states.exported_at and states.exported_at < openings.closes_at as is_open,
      date_diff(
        'millisecond',
        greatest(openings.opens_at, coalesce(states.since, openings.opens_at), states.exported_at - interval '1' day),
        least(openings.closes_at, states.exported_at)
      ) as in_day,
      date_diff(
        'millisecond',
        greatest(openings.opens_at, coalesce(states.since, openings.opens_at), states.exported_at - interval '7' day),
        least(openings.closes_at, states.exported_at)
      ) as in_week
    from screen_status as states
    join open_players on open_players.export_source = states.export_source and open_players.player_id = states.player_id
    join openings on openings.group_value = open_players.group_value and openings.day = cast(states.exported_at as date)
  ),
  -- grain: a screen whose place opened in these days
  times as (
    select
      export_source,
      screen,
      max(case when is_open then 1 else 0 end) as is_open,
      cast(sum(case when in_day > 0 then in_day else 0 end) as double) / 3600000 as in_day,
      cast(sum(case when in_week > 0 then in_week else 0 end) as double) / 3600000 as in_week
    from opened
    group by export_source, screen
  )
select
  states.export_source,
  states.player_id,
  states.player_name,
  states.city,
  places.group_by,
  places.group_value,
  states.screen,
  states.screen_number,
  states.display_name,
  states.state,
  states.since,
  states.is_expected,
  coalesce(times.is_open, 0) = 1 as is_open,
  case
    when states.state = 'on' then 0e0
    when states.state in ('off', 'stale') and states.since is not null then coalesce(times.in_day, 0e0)
  end as missed_hours_day,
  case
    when states.state = 'on' then 0e0
    when states.state in ('off', 'stale') and states.since is not null then coalesce(times.in_week, 0e0)
  end as missed_hours_week,
  states.export_run_id,
  states.exported_at
from screen_status as states
join open_players as places on places.export_source = states.export_source and places.player_id = states.player_id
left join times on times.export_source = states.export_source and times.screen = states.screen
