-- grain: a day and a screen
-- key: screen_key, export_date
-- question: Which screens were on, off or silent on which day?
-- tells: export_date, player_name, screen, state, silent_hours, city, display_name, is_expected
-- order: export_date desc, is_expected desc, case state when 'on' then 3 when 'unknown' then 2 else 1 end, silent_hours desc nulls last, export_source, screen
-- lists: screens
-- needs: screens.is_on boolean, which says whether a screen is on
-- needs: screens.last_update timestamp, which says when a screen last reported, and so which are stale
-- uses: screens.number bigint, screens.display_name varchar
-- Each day shows its last run. state: as in screen_status. A screen is unknown (is_carried) if no run of the day could
-- request it. is_expected: that of its player on that day, as in player_health. silent_hours: since its last report.
with
  -- grain: a day and a source
  run_days as (
    select
      export_date,
      export_source,
      min(export_run_id) as known_from_run_id
    from runs
    group by export_date, export_source
  ),
  -- grain: a source with an API that says when a screen last reported
  reporting as (
    select distinct export_source
    from schema_columns
    where table_name = 'screens' and column_name = 'last_update' and (provisional or type in ('timestamp', 'date'))
  )
select
  dailies.export_date,
  cast(dailies.export_date as date) as "date",
  dailies.export_source,
  dailies.player_id,
  concat(dailies.export_source, '/', dailies.player_id) as player_key,
  player.player_name,
  player.city,
  dailies.record_key as screen,
  concat(dailies.export_source, '/', dailies.record_key) as screen_key,
  dailies.number as screen_number,
  dailies.display_name,
  case
    when dailies.export_run_id < run_days.known_from_run_id then 'unknown'
    when dailies.last_update is null and reporting.export_source is not null then 'unknown'
    when dailies.last_update < dailies.exported_at - interval '8' hour then 'stale'
    when dailies.is_on then 'on'
    when not dailies.is_on then 'off'
    else 'unknown'
  end as state,
  cast(date_diff('millisecond', dailies.last_update, dailies.exported_at) as double) / 3600000 as silent_hours,
  dailies.last_update,
  coalesce(player.is_expected, true) as is_expected,
  dailies.export_run_id < run_days.known_from_run_id as is_carried,
  dailies.export_run_id,
  dailies.exported_at
from screens_daily as dailies
join run_days on run_days.export_source = dailies.export_source and run_days.export_date = dailies.export_date
left join reporting on reporting.export_source = dailies.export_source
left join player_days as player
  on player.export_source = dailies.export_source
  and player.export_date = dailies.export_date
  and player.player_id = dailies.player_id
