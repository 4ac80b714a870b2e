-- grain: a player with pending transfers
-- key: player_key
-- question: Which players wait for files, how many and for how long?
-- tells: player_name, city, is_stuck, pending, oldest_age_hours, oldest_since, transfer_status
-- order: is_stuck desc nulls last, oldest_age_hours desc nulls last, pending desc, export_source, player_id
-- lists: pending_file_transfers
-- uses: pending_file_transfers.created timestamp, pending_file_transfers.transfers varchar, players.name varchar, players.city varchar, players.transfer_status varchar
-- The age is counted from the API's own date. Without one, it is counted from the first export that saw the transfer
-- (age_from says which). The real age may be greater. A transfer that was removed and queued again is as old as its
-- second time. Stuck: waiting for 24 hours, or overdue by the API's own word. It is null if nobody knows, because the
-- first day of the source already saw a transfer without a date. If a record holds a list of transfers, or their
-- number, each of them counts.
with
  -- grain: a source, with the first run of its newest day
  newest as (
    select export_source, min(case when is_newest_day then export_run_id end) as export_run_id, min(export_date) as first_date
    from (
      select export_source, export_run_id, export_date, export_date = max(export_date) over (partition by export_source) as is_newest_day
      from runs
    ) as run_days
    group by export_source
  ),
  -- grain: a record that a run found removed
  removed as (
    select export_source, record_key, max(export_run_id) as export_run_id
    from changes
    where table_name = 'pending_file_transfers' and change = 'removed'
    group by export_source, record_key
  ),
  -- grain: a record
  first_seen as (
    select daily.export_source, daily.record_key, min(daily.exported_at) as seen_at, min(daily.export_date) as seen_on
    from pending_file_transfers_daily as daily
    left join removed
      on removed.export_source = daily.export_source and removed.record_key = daily.record_key
    where removed.export_run_id is null or daily.export_run_id > removed.export_run_id
    group by daily.export_source, daily.record_key
  ),
  -- grain: a record
  aged as (
    select
      pending.export_source,
      pending.player_id,
      pending.export_run_id,
      pending.exported_at,
      coalesce(
        try_cast(pending.transfers as bigint),
        case when pending.transfers like '[%' then try(json_array_length(pending.transfers)) end,
        1
      ) as transfers,
      coalesce(pending.created, first_seen.seen_at) as since,
      case when pending.created is null then 'first seen' else 'API' end as age_from,
      pending.created is null and first_seen.seen_on = newest.first_date as is_older_perhaps
    from pending_file_transfers as pending
    left join newest on newest.export_source = pending.export_source
    left join first_seen
      on first_seen.export_source = pending.export_source and first_seen.record_key = pending.record_key
  ),
  -- grain: a player
  waiting as (
    select
      export_source,
      player_id,
      sum(transfers) as pending,
      min(since) as oldest_since,
      min_by(age_from, since) as age_from,
      bool_or(is_older_perhaps) as is_older_perhaps,
      max(exported_at) as exported_at,
      max(export_run_id) as export_run_id
    from aged
    group by export_source, player_id
  ),
  -- grain: a player
  dated as (
    select
      waiting.*,
      cast(date_diff('millisecond', oldest_since, exported_at) as double) / 3600000 as oldest_age_hours
    from waiting
  )
select
  dated.export_source,
  dated.player_id,
  concat(dated.export_source, '/', dated.player_id) as player_key,
  players.name as player_name,
  players.city,
  players.transfer_status,
  dated.pending,
  dated.oldest_since,
  dated.oldest_age_hours,
  dated.age_from,
  case
    when dated.oldest_age_hours >= 24 or coalesce(lower(players.transfer_status), '') = 'overdue' then true
    when not coalesce(dated.is_older_perhaps, false) then false
  end as is_stuck,
  newest.export_run_id is not null and dated.export_run_id < newest.export_run_id as is_carried,
  dated.export_run_id,
  dated.exported_at
from dated
left join players on players.export_source = dated.export_source and players.player_id = dated.player_id
left join newest on newest.export_source = dated.export_source
