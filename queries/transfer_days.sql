-- grain: a day and a player with pending transfers
-- key: player_key, export_date
-- question: Which players waited for files on which day, for how many and for how long?
-- tells: export_date, player_name, city, is_stuck, pending, oldest_age_hours, oldest_since
-- order: export_date desc, is_stuck desc nulls last, oldest_age_hours desc nulls last, pending desc, export_source, player_id
-- lists: pending_file_transfers
-- uses: pending_file_transfers.created timestamp, pending_file_transfers.transfers varchar
-- Each day shows its last run. pending, age and is_stuck: as in stuck_transfers, counted to that day's export.
-- is_carried: no run of the day could request the queue, so it is from an earlier day.
with
  -- grain: a day and a source
  first_runs as (
    select export_date, export_source, min(export_run_id) as export_run_id
    from runs
    group by export_date, export_source
  ),
  -- grain: a record of a day, with the run that last found it removed before
  records as (
    select
      dailies.export_date,
      dailies.export_source,
      dailies.record_key,
      max(dailies.player_id) as player_id,
      max(coalesce(
        try_cast(dailies.transfers as bigint),
        case when dailies.transfers like '[%' then try(json_array_length(dailies.transfers)) end,
        1
      )) as transfers,
      max(dailies.created) as created,
      max(dailies.exported_at) as exported_at,
      bool_or(dailies.export_run_id < first_runs.export_run_id) as is_carried,
      max(changes.export_run_id) as removed_run_id
    from pending_file_transfers_daily as dailies
    join first_runs
      on first_runs.export_source = dailies.export_source and first_runs.export_date = dailies.export_date
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
  aged as (
    select
      records.export_date,
      records.export_source,
      records.player_id,
      records.transfers,
      records.exported_at,
      records.is_carried,
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
    from records
    left join first_dates on first_dates.export_source = records.export_source
  ),
  -- grain: a day and a player
  waiting as (
    select
      export_date,
      export_source,
      player_id,
      sum(transfers) as pending,
      min(since) as oldest_since,
      max(exported_at) as exported_at,
      bool_or(is_carried) as is_carried,
      bool_or(is_older_perhaps) as is_older_perhaps
    from aged
    group by export_date, export_source, player_id
  ),
  -- grain: a day and a player
  dated as (
    select
      waiting.*,
      cast(date_diff('millisecond', oldest_since, exported_at) as double) / 3600000 as oldest_age_hours
    from waiting
  )
select
  dated.export_date,
  dated.export_source,
  dated.player_id,
  concat(dated.export_source, '/', dated.player_id) as player_key,
  player.player_name,
  player.city,
  player.transfer_status,
  dated.pending,
  dated.oldest_since,
  dated.oldest_age_hours,
  case
    when dated.oldest_age_hours >= 24 or coalesce(lower(player.transfer_status), '') = 'overdue' then true
    when not coalesce(dated.is_older_perhaps, false) then false
  end as is_stuck,
  dated.is_carried,
  dated.exported_at
from dated
left join player_days as player
  on player.export_source = dated.export_source
  and player.export_date = dated.export_date
  and player.player_id = dated.player_id
