-- grain: a day, a source, a column that groups players and a value of it
-- question: How do players, screens and transfers develop in each city, customer or other group of the config?
-- tells: export_date, group_by, group_value, expected_players, expected_players_offline, expected_screens, expected_screens_off, expected_screens_stale, players_stuck
-- order: export_date desc, group_number, expected_players_offline desc, expected_screens_off desc, expected_screens_stale desc, export_source, group_value
-- lists: players, screens, pending_file_transfers
-- uses: players.last_access timestamp, players.box_state varchar, players.is_installed boolean, players.is_licensed boolean, players.transfer_status varchar, screens.is_on boolean, screens.last_update timestamp, pending_file_transfers.created timestamp, pending_file_transfers.transfers varchar
-- The figures of daily_trend, cut by what the config's `groups` names: over the values of one group_by they add up to it.
-- group_value is null for the players that have none. What is not known is null as there.
with
  -- grain: a day and a source
  last_runs as (
    select export_date, export_source, min(export_run_id) as first_run_id
    from runs
    group by export_date, export_source
  ),
  -- grain: a day, a player and a column that groups it
  grouped as (
    select export_date, export_source, player_id, group_number, group_by, group_value
    from config_groups_daily
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
  -- grain: a day, a source and a group with players
  player_days as (
    select
      states.export_date,
      states.export_source,
      grouped.group_number,
      grouped.group_by,
      grouped.group_value,
      count(*) as players,
      count_if(health = 'online') as online,
      count_if(health = 'unknown') as unknown,
      count_if(is_expected) as expected,
      count_if(is_expected and health = 'online') as expected_online,
      count_if(is_expected and health = 'offline') as expected_offline,
      count_if(is_expected and health = 'never seen') as expected_never_seen,
      count_if(is_expected and health = 'unknown') as expected_unknown
    from player_states as states
    join grouped
      on grouped.export_source = states.export_source
      and grouped.export_date = states.export_date
      and grouped.player_id = states.player_id
    group by states.export_date, states.export_source, grouped.group_number, grouped.group_by, grouped.group_value
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
      dailies.player_id,
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
  -- grain: a day, a source and a group with screens
  screen_days as (
    select
      states.export_date,
      states.export_source,
      grouped.group_by,
      grouped.group_value,
      count(*) as screens,
      count_if(is_expected) as expected,
      count_if(is_expected and state = 'on') as expected_on,
      count_if(is_expected and state = 'off') as expected_off,
      count_if(is_expected and state = 'stale') as expected_stale,
      count_if(is_expected and state = 'unknown') as expected_unknown
    from screen_states as states
    join grouped
      on grouped.export_source = states.export_source
      and grouped.export_date = states.export_date
      and grouped.player_id = states.player_id
    group by states.export_date, states.export_source, grouped.group_by, grouped.group_value
  ),
  -- grain: a day and a player that waits
  pending as (
    select
      export_date,
      export_source,
      player_id,
      sum(coalesce(
          try_cast(transfers as bigint),
          case when transfers like '[%' then try(json_array_length(transfers)) end,
          1
        )) as files
    from pending_file_transfers_daily
    group by export_date, export_source, player_id
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
  -- grain: a day, a source and a group with pending transfers
  transfer_days as (
    select
      waiting.export_date,
      waiting.export_source,
      grouped.group_by,
      grouped.group_value,
      sum(pending.files) as files,
      count(*) as players,
      count_if(
        date_diff('millisecond', waiting.since, waiting.exported_at) >= 86400000
        or coalesce(lower(players.transfer_status), '') = 'overdue'
      ) as stuck,
      count_if(waiting.is_older_perhaps) as perhaps
    from waiting
    join grouped
      on grouped.export_source = waiting.export_source
      and grouped.export_date = waiting.export_date
      and grouped.player_id = waiting.player_id
    left join pending
      on pending.export_source = waiting.export_source
      and pending.export_date = waiting.export_date
      and pending.player_id = waiting.player_id
    left join player_states as players
      on players.export_source = waiting.export_source
      and players.export_date = waiting.export_date
      and players.player_id = waiting.player_id
    group by waiting.export_date, waiting.export_source, grouped.group_by, grouped.group_value
  )
select
  totals.export_date,
  totals.export_source,
  cast(totals.group_number as bigint) as group_number,
  totals.group_by,
  totals.group_value,
  totals.players,
  case when totals.unknown < totals.players then totals.online end as players_online,
  totals.expected as expected_players,
  case when totals.expected_unknown < totals.expected or totals.expected = 0 then totals.expected_online end as expected_players_online,
  case when totals.expected_unknown < totals.expected or totals.expected = 0 then totals.expected_offline end as expected_players_offline,
  case when totals.expected_unknown < totals.expected or totals.expected = 0 then totals.expected_never_seen end as expected_players_never_seen,
  totals.expected_unknown as expected_players_unknown,
  coalesce(shown.screens, 0) as screens,
  coalesce(shown.expected, 0) as expected_screens,
  case
    when coalesce(shown.expected, 0) = 0 or shown.expected_unknown < shown.expected then coalesce(shown.expected_on, 0)
  end as expected_screens_on,
  case
    when coalesce(shown.expected, 0) = 0 or shown.expected_unknown < shown.expected then coalesce(shown.expected_off, 0)
  end as expected_screens_off,
  case
    when coalesce(shown.expected, 0) = 0 or shown.expected_unknown < shown.expected then coalesce(shown.expected_stale, 0)
  end as expected_screens_stale,
  coalesce(shown.expected_unknown, 0) as expected_screens_unknown,
  coalesce(waits.files, 0) as pending_transfers,
  coalesce(waits.players, 0) as players_waiting,
  case when waits.stuck > 0 or coalesce(waits.perhaps, 0) = 0 then coalesce(waits.stuck, 0) end as players_stuck
from player_days as totals
left join screen_days as shown
  on shown.export_source = totals.export_source
  and shown.export_date = totals.export_date
  and shown.group_by = totals.group_by
  and coalesce(shown.group_value, '') = coalesce(totals.group_value, '')
left join transfer_days as waits
  on waits.export_source = totals.export_source
  and waits.export_date = totals.export_date
  and waits.group_by = totals.group_by
  and coalesce(waits.group_value, '') = coalesce(totals.group_value, '')
