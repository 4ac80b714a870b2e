-- grain: a player
-- key: player_key
-- question: Which players are offline, for how long, and which were never seen?
-- tells: player_name, city, health, offline_hours, last_access, is_expected, pending_transfers, screens
-- order: is_expected desc, case health when 'offline' then 1 when 'never seen' then 2 when 'unknown' then 3 else 4 end, offline_hours desc nulls last, export_source, player_id
-- lists: players
-- needs: players.last_access timestamp, which says when a player was last seen
-- uses: players.name varchar, players.city varchar, players.box_state varchar, players.is_installed boolean, players.is_licensed boolean, players.license_type varchar, players.transfer_status varchar, pending_file_transfers.transfers varchar
-- The API says "never" with the year 1, which is null here. A player without a last access is never seen, whatever earlier
-- days had. If a source's API does not say when a player was last seen,
-- the health of its players is unknown. A player is also unknown if no run of the newest day was answered (is_carried).
-- is_expected: the API says neither that the box is deleted, new, reserved or undefined, nor that it is not installed or
-- not licensed. So its absence is a fault. Another box_state says nothing and is in data_quality. pending_transfers and
-- screens are null if no run of the newest day was answered, because unknown does not mean 0. pending_transfers counts
-- files, as in stuck_transfers.
with
  -- grain: a source, with the first run of its newest day, and the last one that was answered every listing
  newest as (
    select
      export_source,
      min(export_run_id) as export_run_id,
      max(case when denied + failed = 0 then export_run_id end) as whole_run_id
    from (
      select export_source, export_run_id, denied, failed, export_date = max(export_date) over (partition by export_source) as is_newest_day
      from runs
    ) as run_days
    where is_newest_day
    group by export_source
  ),
  -- grain: a player
  asked as (
    select
      export_source,
      parent_id as player_id,
      max(case when resource = 'pending_file_transfers' and outcome in ('ok', 'empty') then 1 else 0 end) as transfers_known,
      max(case when resource = 'screens' and outcome in ('ok', 'empty') then 1 else 0 end) as screens_known
    from outcomes
    where parent_id is not null
    group by export_source, parent_id
  ),
  -- grain: a player that has any
  transfers as (
    select
      export_source,
      player_id,
      sum(
        greatest(
          coalesce(
            try_cast(transfers as bigint),
            case when transfers like '[%' then try(json_array_length(transfers)) end,
            1
          ),
          0
        )
      ) as pending,
      min(export_run_id) as export_run_id
    from pending_file_transfers
    group by export_source, player_id
  ),
  -- grain: a player that has any
  shown as (
    select export_source, player_id, count(*) as screens, min(export_run_id) as export_run_id
    from screens
    group by export_source, player_id
  ),
  -- grain: a source with an API that says when a player was last seen, with the last run in which it did, and the one since
  -- which nearly no player has one
  seeing as (
    select export_source, max(last_seen) as told_until, max(empty_since) as empty_since
    from schema_columns
    where table_name = 'players' and column_name = 'last_access' and (provisional or type in ('timestamp', 'date'))
    group by export_source
  ),
  -- grain: a player
  judged as (
    select
      players.export_source,
      players.export_run_id,
      players.exported_at,
      players.player_id,
      players.name,
      players.city,
      players.box_state,
      players.is_installed,
      players.is_licensed,
      players.license_type,
      players.transfer_status,
      players.last_access,
      newest.export_run_id as known_from_run_id,
      players.export_run_id <= newest.whole_run_id as is_whole,
      newest.export_run_id is not null and players.export_run_id < newest.export_run_id as is_carried,
      case
        when last_access is null and (seeing.export_source is null or players.export_run_id > seeing.told_until or players.export_run_id >= seeing.empty_since) then 'unknown'
        when last_access is null then 'never seen'
        when last_access < exported_at - interval '8' hour then 'offline'
        else 'online'
      end as last_known_health
    from players
    left join seeing on seeing.export_source = players.export_source
    left join newest on newest.export_source = players.export_source
  )
select
  judged.export_source,
  judged.player_id,
  concat(judged.export_source, '/', judged.player_id) as player_key,
  judged.name as player_name,
  judged.city,
  case when judged.is_carried then 'unknown' else judged.last_known_health end as health,
  case
    when not judged.is_carried and judged.last_access > judged.exported_at then 0e0
    when not judged.is_carried
      then cast(date_diff('millisecond', judged.last_access, judged.exported_at) as double) / 3600000
  end as offline_hours,
  judged.last_access,
  judged.box_state,
  judged.is_installed,
  judged.is_licensed,
  judged.license_type,
  coalesce(lower(judged.box_state), 'activated') not in ('deleted', 'new', 'reserved', 'undefined') and coalesce(judged.is_installed, true) and coalesce(judged.is_licensed, true) as is_expected,
  judged.transfer_status,
  case when asked.transfers_known = 1 or judged.is_whole or transfers.export_run_id >= judged.known_from_run_id then coalesce(transfers.pending, 0) end as pending_transfers,
  case when asked.screens_known = 1 or judged.is_whole or shown.export_run_id >= judged.known_from_run_id then coalesce(shown.screens, 0) end as screens,
  judged.last_known_health,
  judged.is_carried,
  judged.export_run_id,
  judged.exported_at
from judged
left join asked on asked.export_source = judged.export_source and asked.player_id = judged.player_id
left join transfers on transfers.export_source = judged.export_source and transfers.player_id = judged.player_id
left join shown on shown.export_source = judged.export_source and shown.player_id = judged.player_id
