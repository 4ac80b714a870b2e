-- grain: a player with pending transfers
-- key: player_key
-- question: Which players wait for files, how many and for how long?
-- tells: player_name, city, is_stuck, pending, scheduled, oldest_age_hours, idle_hours, oldest_since, transfer_status, is_expected
-- order: is_expected desc, is_stuck desc nulls last, idle_hours desc nulls last, pending desc, export_source, player_id
-- lists: pending_file_transfers
-- uses: pending_file_transfers.created timestamp, pending_file_transfers.scheduled_at timestamp, pending_file_transfers.transferred bigint, pending_file_transfers.transfers varchar
-- scheduled: how many of the pending transfers have a start that is still to come; they do not wait yet. The age of the
-- others is counted from the API's own date, or from their start. A start that the API moves counts anew. Without one, it is counted from the last
-- export of the first day that saw the transfer (age_from says which). The real age may be greater. A transfer that was removed and queued again is
-- as old as its second time. idle_hours: the longest time for which a file made no known progress. It counts from
-- the last run of the first day with its most bytes, so it may be a day longer. If the API tells no bytes, it is all
-- the time that the file waits. Progress is more bytes than all answers told before, since the file was queued. One
-- that begins again and again makes none, and an answer without bytes says nothing. Stuck: idle for 24 hours, or overdue by the API's own word. It is null if nobody knows. So it is if the first
-- known bytes of an old transfer are some already. So it is if earlier answers told bytes, and the newest does not.
-- So it is after 36 hours without known bytes, in which it moved, or without a run, if it came without a date.
-- If a record holds a list of transfers, or their number, each of them counts.
with
  -- grain: a source, with the first run of its newest day
  newest as (
    select export_source, min(case when is_newest_day then export_run_id end) as export_run_id
    from (
      select export_source, export_run_id, export_date, export_date = max(export_date) over (partition by export_source) as is_newest_day
      from runs
    ) as run_days
    group by export_source
  ),
  -- grain: a source and a day before which no run told of it for 36 hours
  blind_days as (
    select export_source, export_date
    from (
      select export_source, export_date, scheduled_at, lag(scheduled_at) over (partition by export_source order by scheduled_at) as before_at
      from runs
      where status <> 'failed' or listed > 0
    ) as answered
    group by export_source, export_date
    having count(before_at) < count(*) or min(before_at) < min(scheduled_at) - interval '36' hour
  ),
  -- grain: a record that a run found removed
  removed as (
    select export_source, record_key, max(export_run_id) as export_run_id
    from changes
    where table_name = 'pending_file_transfers' and change = 'removed'
    group by export_source, record_key
  ),
  -- grain: a day and a record, with the most bytes that it told before, and when it told them last
  turns as (
    select
      daily.export_source,
      daily.record_key,
      daily.exported_at,
      daily.export_date,
      daily.created,
      daily.transferred,
      max(daily.transferred) over before as most_before,
      lag(daily.exported_at) over told as told_before
    from pending_file_transfers_daily as daily
    left join removed
      on removed.export_source = daily.export_source and removed.record_key = daily.record_key
    where removed.export_run_id is null or daily.export_run_id > removed.export_run_id
    window
      told as (partition by daily.export_source, daily.record_key, daily.created, daily.transferred is null order by daily.export_date),
      before as (
        partition by daily.export_source, daily.record_key, daily.created order by daily.export_date
        rows between unbounded preceding and 1 preceding
      )
  ),
  -- grain: a record and a time at which it was queued, with its first sight, its first bytes, and the last known progress, also if it is from a long gap
  seen as (
    select
      export_source,
      record_key,
      created,
      min(exported_at) as seen_at,
      min(export_date) as seen_on,
      min(case when transferred is not null then exported_at end) as told_at,
      max(case when transferred > coalesce(most_before, 0) then exported_at end) as moved_at,
      max(case when transferred > most_before and told_before < exported_at - interval '36' hour then exported_at end) as leapt_at
    from turns
    group by export_source, record_key, created
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
      coalesce(pending.scheduled_at > pending.exported_at, false) as is_scheduled,
      case when pending.scheduled_at > coalesce(pending.created, seen.seen_at) then pending.scheduled_at else coalesce(pending.created, seen.seen_at) end as since,
      seen.moved_at,
      seen.told_at is not null and pending.transferred is null as has_moved_perhaps,
      pending.created is not null or coalesce(pending.scheduled_at > seen.seen_at, false) as is_dated,
      coalesce(seen.leapt_at = seen.moved_at, false)
      or coalesce(seen.moved_at <= seen.told_at, true) and (
        pending.created is null and pending.scheduled_at is null and blind_days.export_date is not null
        or seen.moved_at is not null and coalesce(pending.created, seen.seen_at) <= pending.exported_at - interval '24' hour
      ) as is_older_perhaps
    from pending_file_transfers as pending
    left join seen
      on seen.export_source = pending.export_source
      and seen.record_key = pending.record_key
      and seen.created is not distinct from pending.created
    left join blind_days on blind_days.export_source = pending.export_source and blind_days.export_date = seen.seen_on
  ),
  -- grain: a player
  waiting as (
    select
      export_source,
      player_id,
      sum(transfers) as pending,
      sum(case when is_scheduled then transfers else 0 end) as scheduled,
      min(case when not is_scheduled then since end) as oldest_since,
      min(case when not is_scheduled then case when moved_at > since then moved_at else since end end) as idle_since,
      min(case when not is_scheduled and not has_moved_perhaps then case when moved_at > since then moved_at else since end end) as stands_since,
      min(case when not is_scheduled and is_dated then since end) as dated_since,
      bool_or(is_older_perhaps) as is_older_perhaps,
      max(exported_at) as exported_at,
      max(export_run_id) as export_run_id
    from aged
    where transfers > 0
    group by export_source, player_id
  ),
  -- grain: a player
  dated as (
    select
      waiting.*,
      case when oldest_since > exported_at then 0e0 else cast(date_diff('millisecond', oldest_since, exported_at) as double) / 3600000 end as oldest_age_hours,
      case when idle_since > exported_at then 0e0 else cast(date_diff('millisecond', idle_since, exported_at) as double) / 3600000 end as idle_hours,
      cast(date_diff('millisecond', stands_since, exported_at) as double) / 3600000 as stands_hours
    from waiting
  )
select
  dated.export_source,
  dated.player_id,
  concat(dated.export_source, '/', dated.player_id) as player_key,
  player.player_name,
  player.city,
  player.transfer_status,
  dated.pending,
  dated.scheduled,
  dated.oldest_since,
  dated.oldest_age_hours,
  case when dated.dated_since = dated.oldest_since then 'API' when dated.oldest_since is not null then 'first seen' end as age_from,
  dated.idle_hours,
  case
    when dated.stands_hours >= 24 or coalesce(lower(player.transfer_status), '') = 'overdue' then true
    when coalesce(dated.idle_hours, 0) < 24 and not coalesce(dated.is_older_perhaps, false) then false
  end as is_stuck,
  coalesce(player.is_expected, true) as is_expected,
  newest.export_run_id is not null and dated.export_run_id < newest.export_run_id as is_carried,
  dated.export_run_id,
  dated.exported_at
from dated
left join player_health as player on player.export_source = dated.export_source and player.player_id = dated.player_id
left join newest on newest.export_source = dated.export_source
