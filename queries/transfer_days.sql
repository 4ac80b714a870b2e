-- grain: a day and a player with pending transfers
-- key: player_key, export_date
-- question: Which players waited for files on which day, for how many and for how long?
-- tells: export_date, player_name, city, is_stuck, pending, scheduled, oldest_age_hours, idle_hours, oldest_since, is_expected
-- order: export_date desc, is_expected desc, is_stuck desc nulls last, idle_hours desc nulls last, pending desc, export_source, player_id
-- lists: pending_file_transfers
-- uses: pending_file_transfers.created timestamp, pending_file_transfers.scheduled_at timestamp, pending_file_transfers.transferred bigint, pending_file_transfers.transfers varchar
-- Each day shows its last run. pending, scheduled, age, idle_hours and is_stuck: as in stuck_transfers, counted to that
-- day's export. is_carried: no run of the day could request the queue, so it is from an earlier day.
with
  -- grain: a day and a source; is_blind: no run told of it for 36 hours before
  run_days as (
    select
      export_date,
      export_source,
      min(export_run_id) as export_run_id,
      count(answered_at) > count(before_at) or min(before_at) < min(answered_at) - interval '36' hour as is_blind
    from (
      select
        runs_in_order.*,
        case when answered_at is not null then max(answered_at) over (
          partition by export_source order by export_run_id
          rows between unbounded preceding and 1 preceding
        ) end as before_at
      from (
        select export_date, export_source, export_run_id, case when status <> 'failed' or listed > 0 then scheduled_at end as answered_at
        from runs
      ) as runs_in_order
    ) as compared
    group by export_date, export_source
  ),
  -- grain: a player and a run that found it new, with the next such run
  arrivals as (
    select
      export_source,
      record_key as player_id,
      export_run_id,
      coalesce(lead(export_run_id) over (partition by export_source, record_key order by export_run_id), '9') as next_run_id
    from changes
    where table_name = 'players' and change = 'added'
  ),
  -- grain: a record and a run that found it removed, with the next such run
  removed as (
    select
      export_source,
      record_key,
      export_run_id,
      coalesce(lead(export_run_id) over (partition by export_source, record_key order by export_run_id), '9') as next_run_id
    from changes
    where table_name = 'pending_file_transfers' and change = 'removed'
  ),
  -- grain: a record of a day, with the run that last found it removed before
  records as (
    select
      dailies.export_date,
      dailies.export_source,
      dailies.record_key,
      dailies.player_id,
      coalesce(
        try_cast(dailies.transfers as bigint),
        case when dailies.transfers like '[%' then try(json_array_length(dailies.transfers)) end,
        1
      ) as transfers,
      dailies.created as told_created,
      dailies.scheduled_at,
      dailies.transferred,
      dailies.export_run_id,
      dailies.exported_at,
      dailies.export_run_id < run_days.export_run_id as is_carried,
      -- A file without a date may be older where nobody looked before, or where it came with its player.
      coalesce(run_days.is_blind or arrivals.export_run_id >= run_days.export_run_id, false) as is_unwatched,
      removed.export_run_id as removed_run_id
    from pending_file_transfers_daily as dailies
    join run_days
      on run_days.export_source = dailies.export_source and run_days.export_date = dailies.export_date
    left join arrivals
      on arrivals.export_source = dailies.export_source
      and arrivals.player_id = dailies.player_id
      and arrivals.export_run_id <= dailies.export_run_id
      and arrivals.next_run_id > dailies.export_run_id
    left join removed
      on removed.export_source = dailies.export_source
      and removed.record_key = dailies.record_key
      and removed.export_run_id < dailies.export_run_id
      and removed.next_run_id >= dailies.export_run_id
  ),
  -- grain: a record of a day, with the time of its creation that the API told last
  dated_records as (
    select
      records.*,
      max_by(told_created, case when told_created is not null then export_date end) over (
        partition by export_source, record_key, removed_run_id order by export_date
        rows between unbounded preceding and current row
      ) as created
    from records
  ),
  -- grain: a record of a day, with the most bytes that it told before, and when it told them last
  turns as (
    select
      records.*,
      max(transferred) over before as most_before,
      lag(exported_at) over told as told_before
    from dated_records as records
    window
      told as (partition by export_source, record_key, removed_run_id, created, transferred is null order by export_date),
      before as (
        partition by export_source, record_key, removed_run_id, created order by export_date
        rows between unbounded preceding and 1 preceding
      )
  ),
  -- grain: a record of a day, with its first sight, its first bytes, and the last known progress, also if it is from a long gap
  seen as (
    select
      turns.*,
      min(exported_at) over until_now as seen_at,
      min_by(is_unwatched, export_date) over until_now as is_from_unwatched,
      min(case when transferred is not null then exported_at end) over until_now as told_at,
      max(case when transferred > coalesce(most_before, 0) then exported_at end) over until_now as moved_at,
      max(case when transferred > most_before and told_before < exported_at - interval '36' hour then exported_at end) over until_now as leapt_at
    from turns
    window until_now as (
      partition by export_source, record_key, removed_run_id, created order by export_date
      rows between unbounded preceding and current row
    )
  ),
  -- grain: a record of a day, with the time since which it waits
  aged as (
    select
      seen.*,
      coalesce(seen.scheduled_at > seen.exported_at, false) as is_scheduled,
      case when seen.scheduled_at > coalesce(seen.created, seen.seen_at) then seen.scheduled_at else coalesce(seen.created, seen.seen_at) end as since,
      seen.told_at is not null and seen.transferred is null as has_moved_perhaps,
      seen.created is not null or coalesce(seen.scheduled_at > seen.seen_at, false) as is_dated,
      coalesce(seen.leapt_at = seen.moved_at, false)
      or coalesce(seen.moved_at <= seen.told_at, true) and (
        seen.created is null and seen.scheduled_at is null and seen.is_from_unwatched
        or seen.moved_at is not null and coalesce(seen.created, seen.seen_at) <= seen.exported_at - interval '24' hour
      ) as is_older_perhaps
    from seen
  ),
  -- grain: a day and a player
  waiting as (
    select
      export_date,
      export_source,
      player_id,
      sum(transfers) as pending,
      sum(case when is_scheduled then transfers else 0 end) as scheduled,
      min(case when not is_scheduled then since end) as oldest_since,
      min(case when not is_scheduled then case when moved_at > since then moved_at else since end end) as idle_since,
      min(case when not is_scheduled and not has_moved_perhaps then case when moved_at > since then moved_at else since end end) as stands_since,
      min(case when not is_scheduled and is_dated then since end) as dated_since,
      max(export_run_id) as export_run_id,
      max(exported_at) as exported_at,
      bool_or(is_carried) as is_carried,
      bool_or(is_older_perhaps) as is_older_perhaps
    from aged
    where transfers > 0
    group by export_date, export_source, player_id
  ),
  -- grain: a day and a player
  dated as (
    select
      waiting.*,
      case when oldest_since > exported_at then 0e0 else cast(date_diff('millisecond', oldest_since, exported_at) as double) / 3600000 end as oldest_age_hours,
      case when idle_since > exported_at then 0e0 else cast(date_diff('millisecond', idle_since, exported_at) as double) / 3600000 end as idle_hours,
      cast(date_diff('millisecond', stands_since, exported_at) as double) / 3600000 as stands_hours
    from waiting
  )
select
  dated.export_date,
  cast(dated.export_date as date) as "date",
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
  dated.is_carried,
  dated.export_run_id,
  dated.exported_at
from dated
left join player_days as player
  on player.export_source = dated.export_source
  and player.export_date = dated.export_date
  and player.player_id = dated.player_id
