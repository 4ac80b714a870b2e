-- grain: a screen
-- key: screen_key
-- question: Which screens are on, off or silent, and since when?
-- tells: player_name, screen, state, since, hours_in_state, city, display_name, is_expected
-- order: is_expected desc, case state when 'on' then 3 when 'unknown' then 2 else 1 end, hours_in_state desc nulls last, export_source, screen
-- lists: screens
-- needs: screens.is_on boolean, which says whether a screen is on
-- needs: screens.last_update timestamp, which says when a screen last reported
-- uses: screens.last_status_change timestamp, screens.number bigint, screens.display_name varchar, players.last_access timestamp, players.name varchar, players.city varchar, players.box_state varchar, players.is_installed boolean, players.is_licensed boolean
-- A dead screen may still say that it is on: a screen without a report for 8 hours before the export is stale. If the
-- API of a source does not say when a screen last reported, a screen reports through its player, at its last_access. If
-- it does not say that either, none of its screens is stale. A screen is unknown if it
-- never reported or does not say whether it is on. It is also unknown if no run of the newest day got an answer. Its
-- row is then of an earlier day (is_carried), and last_known_state is its state then. since: the last report of a stale screen,
-- the last change of any other. is_expected: that of its player, as in player_health.
with
  -- grain: a source, and the first run of its newest day
  newest as (
    select export_source, min(export_run_id) as export_run_id
    from (
      select export_source, export_run_id, export_date = max(export_date) over (partition by export_source) as is_newest_day
      from runs
    ) as run_days
    where is_newest_day
    group by export_source
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
  -- grain: a screen and its last report; the answer about its player is of the same run or a later one
  heard as (
    select
      screens.export_source,
      screens.export_run_id,
      screens.exported_at,
      screens.record_key,
      screens.player_id,
      screens.number,
      screens.display_name,
      screens.is_on,
      screens.last_update,
      screens.last_status_change,
      players.name as player_name,
      players.city,
      players.box_state,
      players.is_installed,
      players.is_licensed,
      coalesce(screens.export_run_id >= reporting.since, false) as is_reporting,
      case
        when screens.export_run_id >= reporting.by_screens_since then screens.last_update
        when reporting.since is null or screens.export_run_id < reporting.since then null
        when players.export_run_id < screens.export_run_id then null
        when players.last_access > screens.exported_at then screens.exported_at
        when players.last_access >= players.exported_at - interval '8' hour and players.exported_at < screens.exported_at
          then players.last_access + cast(floor(date_diff('millisecond', players.exported_at, screens.exported_at) / 1000e0) as bigint) * interval '1' second
        else players.last_access
      end as heard_at
    from screens
    left join reporting on reporting.export_source = screens.export_source
    left join players on players.export_source = screens.export_source and players.player_id = screens.player_id
  ),
  -- grain: a screen
  judged as (
    select
      heard.*,
      newest.export_run_id is not null and heard.export_run_id < newest.export_run_id as is_carried,
      case
        when heard_at is null and heard.is_reporting then 'unknown'
        when heard_at < heard.exported_at - interval '8' hour then 'stale'
        when heard.is_on then 'on'
        when not heard.is_on then 'off'
        else 'unknown'
      end as last_known_state
    from heard
    left join newest on newest.export_source = heard.export_source
  ),
  -- grain: a screen
  dated as (
    select
      judged.*,
      case when is_carried then 'unknown' else last_known_state end as state,
      case
        when last_known_state = 'stale' then heard_at
        when last_known_state in ('on', 'off') or is_on is null then last_status_change
      end as last_known_since
    from judged
  )
select
  dated.export_source,
  dated.player_id,
  concat(dated.export_source, '/', dated.player_id) as player_key,
  dated.player_name,
  dated.city,
  dated.box_state,
  coalesce(lower(dated.box_state), 'activated') not in ('deleted', 'new', 'reserved', 'undefined') and coalesce(dated.is_installed, true) and coalesce(dated.is_licensed, true) as is_expected,
  dated.record_key as screen,
  concat(dated.export_source, '/', dated.record_key) as screen_key,
  dated.number as screen_number,
  dated.display_name,
  dated.state,
  case when not dated.is_carried then dated.last_known_since end as since,
  case
    when not dated.is_carried and dated.last_known_since > dated.exported_at then 0e0
    when not dated.is_carried
      then cast(date_diff('millisecond', dated.last_known_since, dated.exported_at) as double) / 3600000
  end as hours_in_state,
  dated.last_known_state,
  dated.is_on,
  dated.last_update,
  dated.is_carried,
  dated.export_run_id,
  dated.exported_at
from dated
