-- grain: a day and a source that ran on it
-- question: How do players, screens, transfers, licences and backup develop from day to day?
-- uses: players.last_access timestamp, screens.is_on boolean, screens.last_update timestamp, pending_file_transfers.transfers varchar, licenses.total_count bigint, licenses.available_count bigint, backup_slots.size bigint, backup_slots.storage_used bigint
-- States as in screen_status and player_health. A row that no run of the day could ask for is unknown. A figure is null
-- if the source has no such listing, or does not say it. A day shows its last run.
with
  -- grain: a day and a source
  last_runs as (
    select
      export_date,
      export_source,
      min(export_run_id) as first_run_id,
      max_by(status, export_run_id) as status,
      max_by(coverage, export_run_id) as coverage,
      count(*) as runs
    from runs
    group by export_date, export_source
  ),
  -- grain: a source whose API says when a player was last seen
  seeing as (
    select distinct export_source
    from schema_columns
    where table_name = 'players' and column_name = 'last_access' and (provisional or type in ('timestamp', 'date'))
  ),
  -- grain: a day and a source with players
  player_days as (
    select
      dailies.export_date,
      dailies.export_source,
      count(*) as players,
      count_if(dailies.export_run_id >= last_runs.first_run_id and last_access >= exported_at - interval '8' hour) as online,
      count_if(dailies.export_run_id >= last_runs.first_run_id and last_access < exported_at - interval '8' hour) as offline,
      count_if(
        dailies.export_run_id >= last_runs.first_run_id and last_access is null and seeing.export_source is not null
      ) as never_seen,
      count_if(dailies.export_run_id < last_runs.first_run_id or seeing.export_source is null) as unknown
    from players_daily as dailies
    left join seeing on seeing.export_source = dailies.export_source
    join last_runs
      on last_runs.export_source = dailies.export_source and last_runs.export_date = dailies.export_date
    group by dailies.export_date, dailies.export_source
  ),
  -- grain: a source whose API says when a screen last reported
  reporting as (
    select distinct export_source
    from schema_columns
    where table_name = 'screens' and column_name = 'last_update' and (provisional or type in ('timestamp', 'date'))
  ),
  -- grain: a day and a screen
  screen_states as (
    select
      dailies.export_date,
      dailies.export_source,
      case
        when dailies.export_run_id < last_runs.first_run_id then 'unknown'
        when last_update is null and reporting.export_source is not null then 'unknown'
        when last_update < exported_at - interval '8' hour then 'stale'
        when is_on then 'on'
        when not is_on then 'off'
        else 'unknown'
      end as state
    from screens_daily as dailies
    left join reporting on reporting.export_source = dailies.export_source
    join last_runs
      on last_runs.export_source = dailies.export_source and last_runs.export_date = dailies.export_date
  ),
  -- grain: a day and a source with screens
  screen_days as (
    select
      export_date,
      export_source,
      count(*) as screens,
      count_if(state = 'on') as state_on,
      count_if(state = 'off') as state_off,
      count_if(state = 'stale') as state_stale,
      count_if(state = 'unknown') as state_unknown
    from screen_states
    group by export_date, export_source
  ),
  -- grain: a day and a source with pending transfers
  transfer_days as (
    select
      export_date,
      export_source,
      sum(coalesce(
          try_cast(transfers as bigint),
          case when transfers like '[%' then try(json_array_length(transfers)) end,
          1
        )) as pending,
      count(distinct player_id) as players
    from pending_file_transfers_daily
    group by export_date, export_source
  ),
  -- grain: a day and a source with licences
  license_days as (
    select export_date, export_source, sum(total_count) as total, sum(total_count - available_count) as used
    from licenses_daily
    group by export_date, export_source
  ),
  -- grain: a day and a source with slots
  slot_days as (
    select
      export_date,
      export_source,
      count(*) as slots,
      sum(cast(size as double)) as reserved,
      sum(cast(storage_used as double)) as used
    from backup_slots_daily
    group by export_date, export_source
  ),
  -- grain: a day and a source
  player_changes as (
    select
      export_date,
      export_source,
      count_if(change = 'added') as added,
      count_if(change = 'removed') as removed
    from changes
    where table_name = 'players'
    group by export_date, export_source
  )
select
  last_runs.export_date,
  last_runs.export_source,
  last_runs.status,
  last_runs.coverage,
  last_runs.runs,
  player_days.players,
  player_days.online as players_online,
  player_days.offline as players_offline,
  player_days.never_seen as players_never_seen,
  player_days.unknown as players_unknown,
  case when player_days.players is not null then coalesce(player_changes.added, 0) end as players_added,
  case when player_days.players is not null then coalesce(player_changes.removed, 0) end as players_removed,
  case when player_days.players is not null then coalesce(screen_days.screens, 0) end as screens,
  case when player_days.players is not null then coalesce(screen_days.state_on, 0) end as screens_on,
  case when player_days.players is not null then coalesce(screen_days.state_off, 0) end as screens_off,
  case when player_days.players is not null then coalesce(screen_days.state_stale, 0) end as screens_stale,
  case when player_days.players is not null then coalesce(screen_days.state_unknown, 0) end as screens_unknown,
  case when player_days.players is not null then coalesce(transfer_days.pending, 0) end as pending_transfers,
  case when player_days.players is not null then coalesce(transfer_days.players, 0) end as players_waiting,
  license_days.total as licenses_total,
  license_days.used as licenses_used,
  slot_days.slots as backup_slots,
  slot_days.reserved as backup_reserved,
  slot_days.used as backup_used
from last_runs
left join player_days
  on player_days.export_source = last_runs.export_source and player_days.export_date = last_runs.export_date
left join screen_days
  on screen_days.export_source = last_runs.export_source and screen_days.export_date = last_runs.export_date
left join transfer_days
  on transfer_days.export_source = last_runs.export_source and transfer_days.export_date = last_runs.export_date
left join license_days
  on license_days.export_source = last_runs.export_source and license_days.export_date = last_runs.export_date
left join slot_days
  on slot_days.export_source = last_runs.export_source and slot_days.export_date = last_runs.export_date
left join player_changes
  on player_changes.export_source = last_runs.export_source and player_changes.export_date = last_runs.export_date
