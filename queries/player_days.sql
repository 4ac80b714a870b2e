-- grain: a day and a player
-- key: player_key, export_date
-- question: Which players were offline on which day, and for how long?
-- tells: export_date, player_name, city, health, offline_hours, last_access, is_expected
-- order: export_date desc, is_expected desc, case health when 'offline' then 1 when 'never seen' then 2 when 'unknown' then 3 else 4 end, offline_hours desc nulls last, export_source, player_id
-- lists: players
-- needs: players.last_access timestamp, which says when a player was last seen
-- uses: players.name varchar, players.city varchar, players.box_state varchar, players.is_installed boolean, players.is_licensed boolean, players.transfer_status varchar
-- Each day shows its last run. health and is_expected: as in player_health. A player is unknown (is_carried) if no run
-- of the day could request it. A player without a last access is unknown if the API does not say when players were last
-- seen. So it is on a day on which none of ten or more players has one. If an earlier day had one, the last access is the
-- newest of all days. The player is unknown if that is later than the day, and never seen if no earlier day had one.
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
  -- grain: a source with an API that says when a player was last seen, and the run since which it no longer does
  seeing as (
    select export_source, max(empty_since) as empty_since
    from schema_columns
    where table_name = 'players' and column_name = 'last_access' and (provisional or type in ('timestamp', 'date'))
    group by export_source
  ),
  -- grain: a day and a source with players, none of which was seen ever
  unseen_days as (
    select export_date, export_source
    from players_daily
    group by export_date, export_source
    having count(last_access) = 0 and count(*) >= 10
  ),
  -- grain: a player that was ever seen
  ever_seen as (
    select export_source, player_id, max(last_access) as last_access, min(export_date) as first_date
    from players_daily
    where last_access is not null
    group by export_source, player_id
  ),
  -- grain: a day and a player
  dailies as (
    select
      players_daily.export_date,
      players_daily.export_source,
      players_daily.player_id,
      players_daily.name,
      players_daily.city,
      players_daily.box_state,
      players_daily.is_installed,
      players_daily.is_licensed,
      players_daily.transfer_status,
      players_daily.export_run_id,
      players_daily.exported_at,
      players_daily.export_run_id < run_days.known_from_run_id as is_carried,
      players_daily.last_access is null and (
        seeing.export_source is null
        or coalesce(players_daily.export_run_id >= seeing.empty_since, false)
        or unseen_days.export_source is not null
        or coalesce(ever_seen.first_date < players_daily.export_date and ever_seen.last_access > players_daily.exported_at, false)
      ) as is_unsaid,
      coalesce(players_daily.last_access, case when ever_seen.first_date < players_daily.export_date then ever_seen.last_access end) as last_access
    from players_daily
    join run_days on run_days.export_source = players_daily.export_source and run_days.export_date = players_daily.export_date
    left join seeing on seeing.export_source = players_daily.export_source
    left join unseen_days
      on unseen_days.export_source = players_daily.export_source and unseen_days.export_date = players_daily.export_date
    left join ever_seen
      on ever_seen.export_source = players_daily.export_source and ever_seen.player_id = players_daily.player_id
  )
select
  dailies.export_date,
  cast(dailies.export_date as date) as "date",
  dailies.export_source,
  dailies.player_id,
  concat(dailies.export_source, '/', dailies.player_id) as player_key,
  dailies.name as player_name,
  dailies.city,
  case
    when dailies.is_carried or dailies.is_unsaid then 'unknown'
    when dailies.last_access is null then 'never seen'
    when dailies.last_access < dailies.exported_at - interval '8' hour then 'offline'
    else 'online'
  end as health,
  case
    when not dailies.is_unsaid
      then cast(date_diff('millisecond', dailies.last_access, dailies.exported_at) as double) / 3600000
  end as offline_hours,
  case when not dailies.is_unsaid then dailies.last_access end as last_access,
  coalesce(lower(dailies.box_state), 'activated') not in ('deleted', 'new', 'reserved', 'undefined') and coalesce(dailies.is_installed, true) and coalesce(dailies.is_licensed, true) as is_expected,
  dailies.transfer_status,
  dailies.is_carried,
  dailies.export_run_id,
  dailies.exported_at
from dailies
