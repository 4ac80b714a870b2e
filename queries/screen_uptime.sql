-- grain: a screen and a day
-- question: Which share of the time was each screen on, day by day?
-- tells: screen, export_date, on_share, on_hours, off_hours, unknown_hours
-- order: export_date desc, on_share nulls last, export_source, screen
-- lists: screens
-- needs: screens.is_on boolean, which says whether a screen is on
-- needs: screens.last_update timestamp, which says when a screen last reported, and so which are stale
-- Two runs are compared: the time between them counts as on if the screen was on in both, and half of it if the screen
-- was on in one; this half is the possible error. A screen that switches off and on again between two runs is not
-- noticed; run_interval_hours says how long that may last. The time counts for the day of the later run, at most 24 hours
-- of it: what happened in a gap of days is unknown. Hours are also unknown if in one of the two runs the screen could
-- not be asked or did not say its state, and before and after a failed run within a day, unless that run saw the screen
-- change. The first run of a screen has no hours.
with
  -- grain: a source and a run
  run_times as (
    select
      export_source,
      export_run_id,
      export_date,
      scheduled_at as run_at,
      status = 'failed' as is_failed,
      lag(scheduled_at) over (partition by export_source order by scheduled_at) as previous_at
    from runs
  ),
  -- grain: a screen and a run that saw it differ from the run before
  switches as (
    select
      export_source,
      record_key,
      export_run_id,
      max(case when change = 'added' then 1 else 0 end) as added,
      max(case when column_name = 'is_on' then coalesce(old_value, '') end) as was_on,
      max(case when column_name = 'last_update' then coalesce(old_value, '') end) as was_updated
    from changes
    where table_name = 'screens' and (change = 'added' or column_name in ('is_on', 'last_update'))
    group by export_source, record_key, export_run_id
  ),
  -- grain: a screen and a run; what a run before the day's last one saw is what its next change says it was
  seen as (
    select
      dailies.export_source,
      dailies.record_key,
      dailies.player_id,
      dailies.export_date,
      run_times.run_at,
      run_times.previous_at,
      run_times.export_run_id <= dailies.export_run_id as is_known,
      run_times.export_run_id = dailies.export_run_id as is_own_run,
      run_times.is_failed
        and run_times.export_run_id <> dailies.export_run_id
        and switches.export_run_id is null as is_missed,
      dailies.exported_at,
      coalesce(
        min_by(switches.was_on, case when switches.was_on is not null then run_times.run_at end) over later,
        cast(dailies.is_on as varchar)
      ) as on_then,
      coalesce(
        min_by(switches.was_updated, case when switches.was_updated is not null then run_times.run_at end) over later,
        cast(dailies.last_update as varchar)
      ) as updated_then,
      coalesce(max(switches.added) over later, 0) as is_not_there_yet
    from screens_daily as dailies
    join run_times
      on run_times.export_source = dailies.export_source and run_times.export_date = dailies.export_date
    left join switches
      on switches.export_source = dailies.export_source
      and switches.record_key = dailies.record_key
      and switches.export_run_id = run_times.export_run_id
    window later as (
      partition by dailies.export_source, dailies.record_key, dailies.export_date
      order by run_times.run_at
      rows between 1 following and unbounded following
    )
  ),
  -- grain: a screen and a run
  states as (
    select
      seen.*,
      case
        when not is_known or is_missed or on_then = '' or on_then is null or updated_then = '' or updated_then is null then null
        when cast(replace(replace(updated_then, 'T', ' '), 'Z', '') as timestamp)
          < case when is_own_run then exported_at else run_at end - interval '8' hour then false
        else on_then in ('true', '1')
      end as is_on
    from seen
    where is_not_there_yet = 0
  ),
  -- grain: a screen and a run, with the time since the run before
  spans as (
    select
      export_source,
      record_key,
      player_id,
      export_date,
      is_on,
      lag(is_on) over (partition by export_source, record_key order by run_at) as was_on,
      case
        when lag(run_at) over (partition by export_source, record_key order by run_at) = previous_at
          then cast(date_diff('millisecond', previous_at, run_at) as double) / 3600000
        else 0
      end as hours
    from states
  ),
  -- grain: a screen and a run; on_share is 1, 0, or 0.5 where the screen switched, null where it is not known
  judged as (
    select
      spans.*,
      case when hours > 24 then 24 else hours end as counted_hours,
      case
        when is_on is null or was_on is null then null
        when is_on and was_on then 1.0e0
        when is_on or was_on then 0.5e0
        else 0.0e0
      end as on_share
    from spans
  ),
  -- grain: a screen and a day
  days as (
    select
      export_source,
      record_key,
      max(player_id) as player_id,
      export_date,
      coalesce(sum(counted_hours * on_share), 0) as on_hours,
      coalesce(sum(case when on_share is not null then counted_hours end), 0) as known_hours,
      sum(hours) as hours,
      coalesce(sum(case when on_share = 0.5e0 then counted_hours / 2 end), 0) as sampling_error_hours,
      max(hours) as run_interval_hours
    from judged
    group by export_source, record_key, export_date
  )
select
  export_source,
  player_id,
  record_key as screen,
  export_date,
  case when known_hours > 0 then on_hours / known_hours end as on_share,
  case when known_hours > 0 then sampling_error_hours / known_hours end as sampling_error,
  case when known_hours > 0 or hours = 0 then on_hours end as on_hours,
  case when known_hours > 0 or hours = 0 then known_hours - on_hours end as off_hours,
  hours - known_hours as unknown_hours,
  case when known_hours > 0 or hours = 0 then sampling_error_hours end as sampling_error_hours,
  run_interval_hours
from days
