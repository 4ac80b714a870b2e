-- grain: a screen of a player that is in a place with opening hours, or was in the last week
-- key: screen_key
-- question: Which screens were off or silent while their place was open?
-- tells: player_name, screen, state, missed_hours_day, missed_hours_week, sampling_error_hours_day, sampling_error_hours_week, since, city, group_value
-- order: is_expected desc, greatest(missed_hours_day - sampling_error_hours_day, 0) desc nulls last, missed_hours_day desc nulls last, missed_hours_week desc nulls last, export_source, screen
-- lists: screens, players
-- needs: screens.is_on boolean, which says whether a screen is on
-- needs: screens.last_update timestamp, which says when a screen last reported
-- Opening hours are lines of the config's `hours` for a value of one of its `groups`. The first group with any counts;
-- * is for players without one. Each day has the hours of the place where the player was on it, and none if the player
-- was not expected on the last day that lists it. group_value is the last place with hours. States are as in
-- screen_status. missed_hours_day and missed_hours_week: the open hours of the last day and week while the screen was
-- out, as in screen_outages. They count even if the screen is back. unknown_hours_day and unknown_hours_week: open
-- hours that neither a run nor the API knows, so the screen may have missed more. The last day and week end at the
-- screen's answer, or at the newest run if that could not read it. Missed hours are null if none is
-- known and some open hours are unknown. They are also null if the state is unknown, and for players that are not
-- expected. sampling_error_hours: how many of them may be too many or too few, because the middle between two runs
-- replaces an unknown time.
with
  -- grain: a source
  newest as (
    select export_source, max(scheduled_at) as newest_at
    from runs
    group by export_source
  ),
  -- grain: a player that was ever in a place with opening hours, and the last such place
  open_players as (
    select
      places.export_source,
      places.player_id,
      max_by(places.group_by, coalesce(places.valid_from, '')) as group_by,
      max_by(places.group_value, coalesce(places.valid_from, '')) as group_value,
      count(places.valid_until) < count(*) as is_there
    from player_places as places
    -- All are. Naming the hours lets the view say why it is empty without any.
    where places.group_value in (select group_value from config_hours)
    group by places.export_source, places.player_id
  ),
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
  -- grain: a screen in a place with opening hours, and an opening; the last day and week of the screen end at until_at
  openings as (
    select
      states.export_source,
      states.screen,
      hours.opens_at,
      hours.closes_at,
      case when states.exported_at > newest.newest_at then states.exported_at else newest.newest_at end as until_at
    from screen_status as states
    join player_places as places
      on places.export_source = states.export_source and places.player_id = states.player_id
    join opening_hours as hours
      on hours.group_value = places.group_value
      and (places.valid_from is null or hours.export_date >= places.valid_from)
      and (places.valid_until is null or hours.export_date < places.valid_until)
    join newest on newest.export_source = states.export_source
    left join unexpected
      on unexpected.export_source = states.export_source
      and unexpected.player_id = states.player_id
      and unexpected.export_date <= hours.export_date
      and unexpected.until_date > hours.export_date
    where
      unexpected.player_id is null
      and cast(hours.export_date as date) > cast(newest.newest_at - interval '10' day as date)
  ),
  -- grain: a screen, and a time in which its state was the same, or in which its state is not sure
  timeline as (
    select
      states.export_source,
      states.record_key as screen,
      states.state,
      parts.is_unsure,
      case when parts.is_unsure then states.started_after else states.started_at end as started_at,
      case when parts.is_unsure then states.started_before else states.until_at end as until_at,
      states.started_at as middle
    from device_states as states
    cross join (values (false), (true)) as parts (is_unsure)
    where
      states.level = 'screen'
      and states.state in ('on', 'off')
      and (not parts.is_unsure or states.started_before > states.started_at)
  ),
  -- grain: a screen and an opening, of the last week and of the last day
  spans as (
    select
      openings.*,
      lengths.days,
      case when openings.closes_at < openings.until_at then openings.closes_at else openings.until_at end as ends_at,
      case
        when openings.opens_at > openings.until_at - lengths.days * interval '1' day then openings.opens_at
        else openings.until_at - lengths.days * interval '1' day
      end as starts_at
    from openings
    cross join (values (1), (7)) as lengths (days)
    where openings.opens_at <= openings.until_at and openings.closes_at > openings.until_at - interval '7' day
  ),
  -- grain: a screen
  open_times as (
    select
      export_source,
      screen,
      max(case when until_at < closes_at then 1 else 0 end) as is_open,
      cast(sum(case when days = 1 and ends_at > starts_at then date_diff('millisecond', starts_at, ends_at) else 0 end) as double) / 3600000 as open_day,
      cast(sum(case when days = 7 and ends_at > starts_at then date_diff('millisecond', starts_at, ends_at) else 0 end) as double) / 3600000 as open_week
    from spans
    group by export_source, screen
  ),
  -- grain: a screen, an opening and a time in which its state was the same, or in which its state is not sure
  told as (
    select
      spans.export_source,
      spans.screen,
      spans.days,
      timeline.state,
      timeline.is_unsure,
      timeline.middle,
      case when timeline.started_at > spans.starts_at then timeline.started_at else spans.starts_at end as told_from,
      case when timeline.until_at < spans.ends_at then timeline.until_at else spans.ends_at end as told_until
    from spans
    join timeline on timeline.export_source = spans.export_source and timeline.screen = spans.screen
    where timeline.started_at < spans.ends_at and timeline.until_at > spans.starts_at and spans.ends_at > spans.starts_at
  ),
  -- grain: a screen, an opening and such a time; milliseconds in which its state was the same, and those that may be wrong
  measured as (
    select
      told.*,
      case when not is_unsure then date_diff('millisecond', told_from, told_until) else 0 end as lasted,
      case
        when not is_unsure then 0
        when middle <= told_from or middle >= told_until then date_diff('millisecond', told_from, told_until)
        when date_diff('millisecond', told_from, middle) > date_diff('millisecond', middle, told_until)
          then date_diff('millisecond', told_from, middle)
        else date_diff('millisecond', middle, told_until)
      end as unsure
    from told
  ),
  -- grain: a screen
  told_times as (
    select
      export_source,
      screen,
      cast(sum(case when days = 1 then lasted else 0 end) as double) / 3600000 as known_day,
      cast(sum(case when days = 7 then lasted else 0 end) as double) / 3600000 as known_week,
      cast(sum(case when days = 1 and state = 'off' then lasted else 0 end) as double) / 3600000 as off_day,
      cast(sum(case when days = 7 and state = 'off' then lasted else 0 end) as double) / 3600000 as off_week,
      cast(sum(case when days = 1 then unsure else 0 end) as double) / 3600000 as unsure_day,
      cast(sum(case when days = 7 then unsure else 0 end) as double) / 3600000 as unsure_week
    from measured
    group by export_source, screen
  ),
  -- grain: a screen of a place with opening hours
  judged as (
    select
      states.*,
      places.group_by,
      places.group_value,
      coalesce(open_times.is_open, 0) = 1 as is_open,
      states.state <> 'unknown' and states.is_expected as is_known,
      coalesce(told_times.off_day, 0e0) as off_day,
      coalesce(told_times.off_week, 0e0) as off_week,
      coalesce(told_times.unsure_day, 0e0) as unsure_day,
      coalesce(told_times.unsure_week, 0e0) as unsure_week,
      coalesce(open_times.open_day, 0e0) - coalesce(told_times.known_day, 0e0) as unknown_day,
      coalesce(open_times.open_week, 0e0) - coalesce(told_times.known_week, 0e0) as unknown_week
    from screen_status as states
    join open_players as places on places.export_source = states.export_source and places.player_id = states.player_id
    left join open_times on open_times.export_source = states.export_source and open_times.screen = states.screen
    left join told_times on told_times.export_source = states.export_source and told_times.screen = states.screen
    where places.is_there or open_times.open_week > 0
  )
select
  export_source,
  player_id,
  concat(export_source, '/', player_id) as player_key,
  player_name,
  city,
  group_by,
  group_value,
  screen,
  concat(export_source, '/', screen) as screen_key,
  screen_number,
  display_name,
  state,
  since,
  is_expected,
  is_open,
  case when is_known and (off_day > 0 or unknown_day = 0) then off_day end as missed_hours_day,
  case when is_known and (off_week > 0 or unknown_week = 0) then off_week end as missed_hours_week,
  unknown_day as unknown_hours_day,
  unknown_week as unknown_hours_week,
  export_run_id,
  exported_at,
  case when is_known and (off_day > 0 or unknown_day = 0) then unsure_day end as sampling_error_hours_day,
  case when is_known and (off_week > 0 or unknown_week = 0) then unsure_week end as sampling_error_hours_week
from judged
