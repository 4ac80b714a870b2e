-- grain: a day and a source that ran on it
-- question: How do players, screens, transfers, licences and backup develop from day to day?
-- tells: export_date, export_source, expected_players, expected_players_offline, expected_screens, expected_screens_off, expected_screens_stale, players_stuck, pending_transfers, licenses_used, backup_used
-- order: export_date desc, export_source
-- uses: players.last_access timestamp, players.box_state varchar, players.is_installed boolean, players.is_licensed boolean, players.transfer_status varchar, screens.is_on boolean, screens.last_update timestamp, pending_file_transfers.created timestamp, pending_file_transfers.transfers varchar, licenses.total_count bigint, licenses.available_count bigint, backup_slots.size bigint, backup_slots.storage_used bigint
-- States as in screen_status and player_health. A row that no run of the day could ask for is unknown. A figure is null
-- if the source has no such listing, or does not say it: those of states are where all are unknown. A day shows its last
-- run. expected_: of players that are expected, as in player_health, and of their screens. players_stuck: as in
-- stuck_transfers, and null where none is known to be stuck and of some it is not known.
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
  -- grain: a day and a player
  player_states as (
    select
      dailies.export_date,
      dailies.export_source,
      dailies.player_id,
      dailies.transfer_status,
      coalesce(lower(dailies.box_state), 'activated') = 'activated' and coalesce(dailies.is_installed, true) and coalesce(dailies.is_licensed, true) as is_expected,
      case
        when dailies.export_run_id < last_runs.first_run_id or seeing.export_source is null then 'unknown'
        when last_access is null then 'never seen'
        when last_access < exported_at - interval '8' hour then 'offline'
        else 'online'
      end as health
    from players_daily as dailies
    left join seeing on seeing.export_source = dailies.export_source
    join last_runs
      on last_runs.export_source = dailies.export_source and last_runs.export_date = dailies.export_date
  ),
  -- grain: a day and a source with players
  player_days as (
    select
      export_date,
      export_source,
      count(*) as players,
      count_if(health = 'online') as online,
      count_if(health = 'offline') as offline,
      count_if(health = 'never seen') as never_seen,
      count_if(health = 'unknown') as unknown,
      count_if(is_expected) as expected,
      count_if(is_expected and health = 'online') as expected_online,
      count_if(is_expected and health = 'offline') as expected_offline,
      count_if(is_expected and health = 'never seen') as expected_never_seen,
      count_if(is_expected and health = 'unknown') as expected_unknown
    from player_states
    group by export_date, export_source
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
      coalesce(players.is_expected, true) as is_expected,
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
    left join player_states as players
      on players.export_source = dailies.export_source
      and players.export_date = dailies.export_date
      and players.player_id = dailies.player_id
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
      count_if(state = 'unknown') as state_unknown,
      count_if(is_expected) as expected,
      count_if(is_expected and state = 'on') as expected_on,
      count_if(is_expected and state = 'off') as expected_off,
      count_if(is_expected and state = 'stale') as expected_stale,
      count_if(is_expected and state = 'unknown') as expected_unknown
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
  -- grain: a record of a day, with the run that last found it removed before
  transfer_records as (
    select
      dailies.export_date,
      dailies.export_source,
      dailies.record_key,
      max(dailies.player_id) as player_id,
      max(dailies.created) as created,
      max(dailies.exported_at) as exported_at,
      max(changes.export_run_id) as removed_run_id
    from pending_file_transfers_daily as dailies
    left join changes
      on changes.export_source = dailies.export_source
      and changes.record_key = dailies.record_key
      and changes.table_name = 'pending_file_transfers'
      and changes.change = 'removed'
      and changes.export_run_id < dailies.export_run_id
    group by dailies.export_date, dailies.export_source, dailies.record_key
  ),
  -- grain: a source
  first_dates as (
    select export_source, min(export_date) as export_date
    from runs
    group by export_source
  ),
  -- grain: a record of a day, with the time since which it waits
  transfer_ages as (
    select
      records.export_date,
      records.export_source,
      records.player_id,
      records.exported_at,
      coalesce(
        records.created,
        min(records.exported_at) over (
          partition by records.export_source, records.record_key, records.removed_run_id order by records.export_date
        )
      ) as since,
      records.created is null
      and min(records.export_date) over (
        partition by records.export_source, records.record_key, records.removed_run_id
      ) = first_dates.export_date as is_older_perhaps
    from transfer_records as records
    left join first_dates on first_dates.export_source = records.export_source
  ),
  -- grain: a day and a player that waits
  waiting as (
    select
      export_date,
      export_source,
      player_id,
      min(since) as since,
      max(exported_at) as exported_at,
      bool_or(is_older_perhaps) as is_older_perhaps
    from transfer_ages
    group by export_date, export_source, player_id
  ),
  -- grain: a day and a source with pending transfers
  stuck_days as (
    select
      waiting.export_date,
      waiting.export_source,
      count_if(
        date_diff('millisecond', waiting.since, waiting.exported_at) >= 86400000
        or coalesce(lower(players.transfer_status), '') = 'overdue'
      ) as players,
      count_if(waiting.is_older_perhaps) as perhaps
    from waiting
    left join player_states as players
      on players.export_source = waiting.export_source
      and players.export_date = waiting.export_date
      and players.player_id = waiting.player_id
    group by waiting.export_date, waiting.export_source
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
  case when player_days.unknown < player_days.players then player_days.online end as players_online,
  case when player_days.unknown < player_days.players then player_days.offline end as players_offline,
  case when player_days.unknown < player_days.players then player_days.never_seen end as players_never_seen,
  player_days.unknown as players_unknown,
  player_days.expected as expected_players,
  case when player_days.expected_unknown < player_days.expected or player_days.expected = 0 then player_days.expected_online end as expected_players_online,
  case when player_days.expected_unknown < player_days.expected or player_days.expected = 0 then player_days.expected_offline end as expected_players_offline,
  case when player_days.expected_unknown < player_days.expected or player_days.expected = 0 then player_days.expected_never_seen end as expected_players_never_seen,
  player_days.expected_unknown as expected_players_unknown,
  case when player_days.players is not null then coalesce(player_changes.added, 0) end as players_added,
  case when player_days.players is not null then coalesce(player_changes.removed, 0) end as players_removed,
  case when player_days.players is not null then coalesce(screen_days.screens, 0) end as screens,
  case
    when player_days.players is not null and (screen_days.screens is null or screen_days.state_unknown < screen_days.screens)
    then coalesce(screen_days.state_on, 0)
  end as screens_on,
  case
    when player_days.players is not null and (screen_days.screens is null or screen_days.state_unknown < screen_days.screens)
    then coalesce(screen_days.state_off, 0)
  end as screens_off,
  case
    when player_days.players is not null and (screen_days.screens is null or screen_days.state_unknown < screen_days.screens)
    then coalesce(screen_days.state_stale, 0)
  end as screens_stale,
  case when player_days.players is not null then coalesce(screen_days.state_unknown, 0) end as screens_unknown,
  case when player_days.players is not null then coalesce(screen_days.expected, 0) end as expected_screens,
  case
    when player_days.players is not null
    and (coalesce(screen_days.expected, 0) = 0 or screen_days.expected_unknown < screen_days.expected)
    then coalesce(screen_days.expected_on, 0)
  end as expected_screens_on,
  case
    when player_days.players is not null
    and (coalesce(screen_days.expected, 0) = 0 or screen_days.expected_unknown < screen_days.expected)
    then coalesce(screen_days.expected_off, 0)
  end as expected_screens_off,
  case
    when player_days.players is not null
    and (coalesce(screen_days.expected, 0) = 0 or screen_days.expected_unknown < screen_days.expected)
    then coalesce(screen_days.expected_stale, 0)
  end as expected_screens_stale,
  case when player_days.players is not null then coalesce(screen_days.expected_unknown, 0) end as expected_screens_unknown,
  case when player_days.players is not null then coalesce(transfer_days.pending, 0) end as pending_transfers,
  case when player_days.players is not null then coalesce(transfer_days.players, 0) end as players_waiting,
  case
    when player_days.players is null or (stuck_days.players = 0 and stuck_days.perhaps > 0) then null
    else coalesce(stuck_days.players, 0)
  end as players_stuck,
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
left join stuck_days
  on stuck_days.export_source = last_runs.export_source and stuck_days.export_date = last_runs.export_date
left join license_days
  on license_days.export_source = last_runs.export_source and license_days.export_date = last_runs.export_date
left join slot_days
  on slot_days.export_source = last_runs.export_source and slot_days.export_date = last_runs.export_date
left join player_changes
  on player_changes.export_source = last_runs.export_source and player_changes.export_date = last_runs.export_date
