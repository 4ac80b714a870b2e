-- grain: a day and a player
-- key: player_key, export_date
-- question: Which players were offline on which day, and for how long?
-- tells: export_date, player_name, city, health, offline_hours, last_access, is_expected
-- order: export_date desc, is_expected desc, case health when 'offline' then 1 when 'never seen' then 2 when 'unknown' then 3 else 4 end, offline_hours desc nulls last, export_source, player_id
-- lists: players
-- needs: players.last_access timestamp, which says when a player was last seen
-- uses: players.name varchar, players.city varchar, players.box_state varchar, players.is_installed boolean, players.is_licensed boolean, players.transfer_status varchar
-- Each day shows its last run. health and is_expected: as in player_health. A player is unknown (is_carried) if no run
-- of the day could request it. A player without a last access is unknown if the API did not yet say when players were
-- last seen, or no longer says it. So it is on a day on which none of ten or more players has one, if ten of the source
-- had one before.
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
  -- grain: a source with an API that says when a player was last seen, with the runs in which it did, and since which nearly
  -- no player has one
  seeing as (
    select export_source, min(first_seen) as told_since, max(last_seen) as told_until, max(empty_since) as empty_since
    from schema_columns
    where table_name = 'players' and column_name = 'last_access' and (provisional or type in ('timestamp', 'date'))
    group by export_source
  ),
  -- grain: a day and a source on which none of its players was ever seen, though ten were seen before
  unseen_days as (
    select export_date, export_source
    from (
      select
        export_date,
        export_source,
        count(*) as listed,
        count(last_access) as seen,
        max(count(last_access)) over (partition by export_source order by export_date) as seen_before
      from players_daily
      group by export_date, export_source
    ) as counts
    where seen = 0 and listed >= 10 and seen_before >= 10
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
    when dailies.export_run_id < run_days.known_from_run_id then 'unknown'
    when dailies.last_access is null and (seeing.export_source is null or dailies.export_run_id < seeing.told_since or dailies.export_run_id > seeing.told_until or dailies.export_run_id >= seeing.empty_since) then 'unknown'
    when unseen_days.export_source is not null then 'unknown'
    when dailies.last_access is null then 'never seen'
    when dailies.last_access < dailies.exported_at - interval '8' hour then 'offline'
    else 'online'
  end as health,
  case when dailies.last_access > dailies.exported_at then 0e0 else cast(date_diff('millisecond', dailies.last_access, dailies.exported_at) as double) / 3600000 end as offline_hours,
  dailies.last_access,
  coalesce(lower(dailies.box_state), 'activated') not in ('deleted', 'new', 'reserved', 'undefined') and coalesce(dailies.is_installed, true) and coalesce(dailies.is_licensed, true) as is_expected,
  dailies.transfer_status,
  dailies.export_run_id < run_days.known_from_run_id as is_carried,
  dailies.export_run_id,
  dailies.exported_at
from players_daily as dailies
join run_days on run_days.export_source = dailies.export_source and run_days.export_date = dailies.export_date
left join seeing on seeing.export_source = dailies.export_source
left join unseen_days
  on unseen_days.export_source = dailies.export_source and unseen_days.export_date = dailies.export_date
