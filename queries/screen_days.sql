-- grain: a day and a screen
-- key: screen_key, export_date
-- question: Which screens were on, off or silent on which day?
-- tells: export_date, player_name, screen, state, silent_hours, city, display_name, is_expected
-- order: export_date desc, is_expected desc, case state when 'on' then 3 when 'unknown' then 2 else 1 end, silent_hours desc nulls last, export_source, screen
-- lists: screens
-- needs: screens.is_on boolean, which says whether a screen is on
-- needs: screens.last_update timestamp, which says when a screen last reported
-- uses: screens.number bigint, screens.display_name varchar
-- Each day shows its last run. state: as in screen_status. A screen is unknown (is_carried) if no run of the day could
-- request it. is_expected: that of its player on that day, as in player_health. silent_hours: since its last
-- report. That is its player's last_access if the API of the source does not say when a screen last reported, or did not
-- until that day. A player that was read earlier than its screens, and still reported then, is taken to report.
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
  -- grain: a source with an API that says since some run when a screen last reported, or when its player was last seen
  reporting as (
    select
      export_source,
      min(first_seen) as since,
      min(case when table_name = 'screens' then first_seen end) as by_screens_since
    from schema_columns
    where
      (table_name = 'screens' and column_name = 'last_update' or table_name = 'players' and column_name = 'last_access')
      and (provisional or type in ('timestamp', 'date'))
    group by export_source
  ),
  -- grain: a day and a screen, with its last report; the answer about its player is of the same run or a later one
  heard as (
    select
      dailies.export_date,
      dailies.export_source,
      dailies.player_id,
      dailies.record_key,
      dailies.number,
      dailies.display_name,
      dailies.is_on,
      dailies.last_update,
      dailies.export_run_id,
      dailies.exported_at,
      player.player_name,
      player.city,
      coalesce(player.is_expected, true) as is_expected,
      coalesce(dailies.export_run_id >= reporting.since, false) as is_reporting,
      case
        when dailies.export_run_id >= reporting.by_screens_since then dailies.last_update
        when reporting.since is null or dailies.export_run_id < reporting.since then null
        when player.export_run_id < dailies.export_run_id then null
        when player.last_access > dailies.exported_at then dailies.exported_at
        when player.last_access >= player.exported_at - interval '8' hour and player.exported_at < dailies.exported_at
          then player.last_access + cast(floor(date_diff('millisecond', player.exported_at, dailies.exported_at) / 1000e0) as bigint) * interval '1' second
        else player.last_access
      end as heard_at
    from screens_daily as dailies
    left join reporting on reporting.export_source = dailies.export_source
    left join player_days as player
      on player.export_source = dailies.export_source
      and player.export_date = dailies.export_date
      and player.player_id = dailies.player_id
  )
select
  heard.export_date,
  cast(heard.export_date as date) as "date",
  heard.export_source,
  heard.player_id,
  concat(heard.export_source, '/', heard.player_id) as player_key,
  heard.player_name,
  heard.city,
  heard.record_key as screen,
  concat(heard.export_source, '/', heard.record_key) as screen_key,
  heard.number as screen_number,
  heard.display_name,
  case
    when heard.export_run_id < run_days.known_from_run_id then 'unknown'
    when heard.heard_at is null and heard.is_reporting then 'unknown'
    when heard.heard_at < heard.exported_at - interval '8' hour then 'stale'
    when heard.is_on then 'on'
    when not heard.is_on then 'off'
    else 'unknown'
  end as state,
  case when heard.heard_at > heard.exported_at then 0e0 else cast(date_diff('millisecond', heard.heard_at, heard.exported_at) as double) / 3600000 end as silent_hours,
  heard.last_update,
  heard.is_expected,
  heard.export_run_id < run_days.known_from_run_id as is_carried,
  heard.export_run_id,
  heard.exported_at
from heard
join run_days on run_days.export_source = heard.export_source and run_days.export_date = heard.export_date
