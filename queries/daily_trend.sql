-- grain: a day and a source
-- key: export_source, export_date
-- question: How do players, screens, transfers, licences and backup develop from day to day?
-- tells: export_date, export_source, expected_players, expected_players_offline, expected_screens, expected_screens_off, expected_screens_stale, players_stuck, pending_transfers, licenses_used, backup_used
-- order: export_date desc, export_source
-- lists: players, screens, pending_file_transfers, licenses, backup_storages, backup_slots
-- uses: licenses.total_count bigint, licenses.available_count bigint, backup_slots.size bigint, backup_slots.storage_used bigint, backup_slots.usage_last_check timestamp
-- A day shows its last run. Where no run of a day called a source, its status is 'left out', and its figures are null.
-- States of players and screens are those of player_days and screen_days. A figure is null if the source has no such
-- listing, or does not say it. A figure of states is null if all states are unknown. A count of 0 is null if one of
-- its listings had no answer. on and off are null if no screen is known to be on or off and some are unknown.
-- expected_: only players that are expected, as in player_health, and their screens. pending_transfers, players_waiting
-- and players_stuck count the queues of expected players that a run of the day requested, as in transfer_days. A player
-- whose transfers all start later does not wait, unless the API calls it overdue. players_stuck is null if none is
-- known to be stuck and some are unknown. players_stuck_unknown counts those, also players whose queue no run could
-- read. Figures of licences are null if only an earlier day measured them, or if a record lacks a number that they need.
-- licenses counts the records. Figures of backup are null if no run of the day measured a storage.
with
  -- grain: a source that says since some run when it counted the use of a slot last, even if no slot has a time so far
  counting as (
    select export_source, min(first_seen) as since
    from schema_columns
    where table_name = 'backup_slots' and column_name = 'usage_last_check'
    group by export_source
  ),
  -- grain: a day and a source that the lake has on it
  source_days as (
    select export_date, export_source from outcomes_daily
    union
    select export_date, export_source from runs
  ),
  -- grain: a day and a source
  last_runs as (
    select
      source_days.export_date,
      source_days.export_source,
      coalesce(max_by(runs.status, runs.export_run_id), 'left out') as status,
      max_by(runs.coverage, runs.export_run_id) as coverage,
      min(runs.export_run_id) as first_run_id,
      max(case when runs.denied + runs.failed = 0 then runs.export_run_id end) as whole_run_id,
      max(runs.listed) > 0 as has_listed,
      min(case when runs.listed > 0 then runs.export_run_id end) as first_listed_id,
      count(runs.export_run_id) as runs
    from source_days
    left join runs on runs.export_source = source_days.export_source and runs.export_date = source_days.export_date
    group by source_days.export_date, source_days.export_source
  ),
  -- grain: a day and a source with players, or with an answer of the day that it has none
  listed as (
    select export_date, export_source from player_days
    union
    select ended.export_date, ended.export_source
    from outcomes_daily as ended
    join last_runs on last_runs.export_source = ended.export_source and last_runs.export_date = ended.export_date
    where ended.resource = 'players' and ended.outcome = 'empty' and ended.export_run_id >= last_runs.first_run_id
  ),
  -- grain: a day and a player that came on it, with the run that first listed it
  arrivals as (
    select export_date, export_source, record_key as player_id, max(export_run_id) as export_run_id
    from changes
    where table_name = 'players' and change = 'added'
    group by export_date, export_source, record_key
  ),
  -- grain: a day and a player whose queue the last run could not read
  unread as (
    select ended.export_date, ended.export_source, ended.parent_id as player_id
    from outcomes_daily as ended
    join last_runs on last_runs.export_source = ended.export_source and last_runs.export_date = ended.export_date
    left join arrivals
      on arrivals.export_source = ended.export_source
      and arrivals.export_date = ended.export_date
      and arrivals.player_id = ended.parent_id
    where
      ended.outcome in ('denied', 'failed')
      and ended.resource = 'pending_file_transfers'
      and (last_runs.whole_run_id is null or arrivals.export_run_id > last_runs.whole_run_id)
  ),
  -- grain: a day and a source with listings of players' records that no run of the day was answered
  unanswered as (
    select
      ended.export_date,
      ended.export_source,
      count_if(resource = 'players') as of_players,
      count_if(resource in ('players', 'screens')) as of_screens,
      -- A listing without a parent stands for those of all players.
      count_if(resource = 'players' or resource = 'pending_file_transfers' and parent_id is null) as of_queues
    from outcomes_daily as ended
    join last_runs on last_runs.export_source = ended.export_source and last_runs.export_date = ended.export_date
    left join arrivals
      on arrivals.export_source = ended.export_source
      and arrivals.export_date = ended.export_date
      and arrivals.player_id = ended.parent_id
    where
      ended.outcome in ('denied', 'failed') and (last_runs.whole_run_id is null or arrivals.export_run_id > last_runs.whole_run_id)
    group by ended.export_date, ended.export_source
  ),
  -- grain: a day and a source that has players, or none
  player_counts as (
    select
      listed.export_date,
      listed.export_source,
      count(days.player_id) as players,
      count(*) filter (where days.health <> 'unknown') > 0 or count(days.player_id) = 0 as is_known,
      count(*) filter (where days.health = 'online') as online,
      count(*) filter (where days.health = 'offline') as offline,
      count(*) filter (where days.health = 'never seen') as never_seen,
      count(*) filter (where days.health = 'unknown') as unknown,
      count(*) filter (where days.is_expected) as expected,
      count(*) filter (where days.is_expected and days.health <> 'unknown') > 0 or count(*) filter (where days.is_expected) = 0 as expected_is_known,
      count(*) filter (where days.is_expected and days.health = 'online') as expected_online,
      count(*) filter (where days.is_expected and days.health = 'offline') as expected_offline,
      count(*) filter (where days.is_expected and days.health = 'never seen') as expected_never_seen,
      count(*) filter (where days.is_expected and days.health = 'unknown') as expected_unknown
    from listed
    left join player_days as days on days.export_source = listed.export_source and days.export_date = listed.export_date
    group by listed.export_date, listed.export_source
  ),
  -- grain: a day and a source with players that are known to have screens, or none
  screen_counts as (
    select
      counts.export_date,
      counts.export_source,
      count(shown.screen) as screens,
      count(*) filter (where shown.state <> 'unknown') > 0 or count(shown.screen) = 0 as is_known,
      count(*) filter (where shown.state = 'on') as state_on,
      count(*) filter (where shown.state = 'off') as state_off,
      count(*) filter (where shown.state = 'stale') as state_stale,
      count(*) filter (where shown.state = 'unknown') as state_unknown,
      count(shown.silent_hours) > 0 or count(shown.screen) = 0 as reports_are_known,
      count(*) filter (where shown.is_expected) as expected,
      count(*) filter (where shown.is_expected and shown.state <> 'unknown') > 0 or count(*) filter (where shown.is_expected) = 0 as expected_is_known,
      count(*) filter (where shown.is_expected and shown.state = 'on') as expected_on,
      count(*) filter (where shown.is_expected and shown.state = 'off') as expected_off,
      count(*) filter (where shown.is_expected and shown.state = 'stale') as expected_stale,
      count(*) filter (where shown.is_expected and shown.state = 'unknown') as expected_unknown
    from player_counts as counts
    left join screen_days as shown
      on shown.export_source = counts.export_source and shown.export_date = counts.export_date
    left join unanswered
      on unanswered.export_source = counts.export_source and unanswered.export_date = counts.export_date
    group by counts.export_date, counts.export_source
    having count(shown.screen) > 0 or coalesce(max(unanswered.of_screens), 0) = 0
  ),
  -- grain: a day and a source with players that are known to wait, or not to wait
  transfer_counts as (
    select
      listed.export_date,
      listed.export_source,
      coalesce(sum(waiting.pending), 0) as pending,
      count(*) filter (where waiting.pending > waiting.scheduled or waiting.is_stuck) as players,
      count(*) filter (where waiting.is_stuck) as stuck,
      count(*) filter (
        where days.is_expected
          and (days.is_carried or unanswered.of_queues > 0 or unread.player_id is not null or waiting.player_id is not null)
          and waiting.is_stuck is null
      ) as unknown,
      coalesce(max(unanswered.of_queues), 0) as unanswered
    from listed
    left join player_days as days on days.export_source = listed.export_source and days.export_date = listed.export_date
    left join transfer_days as waiting
      on waiting.export_source = days.export_source
      and waiting.export_date = days.export_date
      and waiting.player_id = days.player_id
      and waiting.is_expected
      and not waiting.is_carried
    left join unread
      on unread.export_source = days.export_source
      and unread.export_date = days.export_date
      and unread.player_id = days.player_id
    left join unanswered
      on unanswered.export_source = listed.export_source and unanswered.export_date = listed.export_date
    group by listed.export_date, listed.export_source
    having
      count(waiting.player_id) > 0
      or coalesce(max(unanswered.of_queues), 0) = 0 and count(case when days.is_expected then unread.player_id end) = 0
  ),
  -- grain: a day and a source with licences
  license_counts as (
    select
      dailies.export_date,
      dailies.export_source,
      count(*) as records,
      case when count(dailies.total_count) = count(*) then sum(dailies.total_count) end as total,
      case when count(dailies.total_count - dailies.available_count) = count(*) then sum(dailies.total_count - dailies.available_count) end as used
    from licenses_daily as dailies
    join last_runs on last_runs.export_source = dailies.export_source and last_runs.export_date = dailies.export_date
    group by dailies.export_date, dailies.export_source
    having min(dailies.export_run_id) >= max(last_runs.first_run_id)
  ),
  -- grain: a slot that was used, with the first day on which it was. Its 0 is true until then
  first_uses as (
    select export_source, record_key, min(export_date) as used_since
    from backup_slots_daily
    where storage_used > 0
    group by export_source, record_key
  ),
  -- grain: a day and a slot, with its use where that is known
  slot_days as (
    select
      slots.export_date,
      slots.export_source,
      slots.export_run_id,
      slots.storage_id,
      slots.record_key,
      slots.size,
      case when slots.usage_last_check is not null or counting.since is null or slots.export_run_id < counting.since or slots.storage_used = 0 and (first_uses.used_since is null or slots.export_date < first_uses.used_since) then slots.storage_used end as used
    from backup_slots_daily as slots
    left join counting on counting.export_source = slots.export_source
    left join first_uses
      on first_uses.export_source = slots.export_source and first_uses.record_key = slots.record_key
  ),
  -- grain: a day and a storage, with whether a run of the day could list its slots
  storage_counts as (
    select
      storages.export_date,
      storages.export_source,
      storages.storage_id,
      count(slots.record_key) as slots,
      case
        when count(slots.record_key) = 0 then 0e0
        when count(slots.size) = count(slots.record_key) then sum(cast(slots.size as double))
      end as slots_size,
      case when count(slots.record_key) = 0 then 0e0 else sum(cast(slots.used as double)) end as used_least,
      case
        when count(slots.record_key) = 0 then 0e0
        when count(coalesce(slots.used, slots.size)) = count(slots.record_key)
          then sum(cast(coalesce(slots.used, slots.size) as double))
      end as used_most,
      count(slots.used) = count(slots.record_key) as is_counted,
      coalesce(
        min(slots.export_run_id) >= max(last_runs.first_run_id),
        count(case when ended.export_run_id >= last_runs.first_run_id then ended.parent_id end) > 0
      ) as is_measured
    from backup_storages_daily as storages
    join last_runs on last_runs.export_source = storages.export_source and last_runs.export_date = storages.export_date
    left join slot_days as slots
      on slots.export_source = storages.export_source
      and slots.export_date = storages.export_date
      and slots.storage_id = storages.storage_id
    left join outcomes_daily as ended
      on ended.export_source = storages.export_source
      and ended.export_date = storages.export_date
      and ended.parent_id = storages.storage_id
      and ended.resource = 'backup_slots'
      and ended.outcome = 'empty'
    group by storages.export_date, storages.export_source, storages.storage_id
  ),
  -- grain: a day and a source with storages
  slot_counts as (
    select
      export_date,
      export_source,
      case when count_if(is_measured) = count(*) then cast(sum(slots) as bigint) end as slots,
      case when count_if(is_measured and slots_size is not null) = count(*) then sum(slots_size) end as slots_size,
      case when count_if(is_measured and is_counted) = count(*) then sum(used_least) end as used,
      case when count_if(is_measured) = count(*) then sum(used_least) end as used_least,
      case when count_if(is_measured and used_most is not null) = count(*) then sum(used_most) end as used_most
    from storage_counts
    group by export_date, export_source
  ),
  -- grain: a day and a source with players that came or went
  player_changes as (
    select
      changes.export_date,
      changes.export_source,
      count_if(changes.change = 'added') as added,
      count_if(changes.change = 'added' and changes.export_run_id > last_runs.first_listed_id) as added_later,
      count_if(changes.change <> 'added' and changes.export_run_id = last_runs.first_listed_id) > 0 as is_listed_before,
      count_if(changes.change = 'removed') as removed
    from changes
    join last_runs on last_runs.export_source = changes.export_source and last_runs.export_date = changes.export_date
    where changes.table_name = 'players'
    group by changes.export_date, changes.export_source
  )
select
  last_runs.export_date,
  cast(last_runs.export_date as date) as "date",
  last_runs.export_source,
  last_runs.status,
  last_runs.coverage,
  last_runs.runs,
  player_counts.players,
  case when player_counts.is_known then player_counts.online end as players_online,
  case when player_counts.is_known then player_counts.offline end as players_offline,
  case when player_counts.is_known then player_counts.never_seen end as players_never_seen,
  player_counts.unknown as players_unknown,
  player_counts.expected as expected_players,
  case when player_counts.expected_is_known then player_counts.expected_online end as expected_players_online,
  case when player_counts.expected_is_known then player_counts.expected_offline end as expected_players_offline,
  case when player_counts.expected_is_known then player_counts.expected_never_seen end as expected_players_never_seen,
  player_counts.expected_unknown as expected_players_unknown,
  case
    when player_counts.players is null or coalesce(unanswered.of_players, 0) > 0 and not coalesce(last_runs.has_listed, false) then null
    -- In the first listing of a source all players are added. The oldest day that is kept may be a later one.
    when player_counts.export_date = min(player_counts.export_date) over (partition by last_runs.export_source)
      and not coalesce(player_changes.is_listed_before, false) then coalesce(player_changes.added_later, 0)
    else coalesce(player_changes.added, 0)
  end as players_added,
  case
    when player_counts.players is null or coalesce(unanswered.of_players, 0) > 0 and not coalesce(last_runs.has_listed, false) then null
    else coalesce(player_changes.removed, 0)
  end as players_removed,
  screen_counts.screens,
  case when screen_counts.state_on + screen_counts.state_off > 0 or screen_counts.state_unknown = 0 then screen_counts.state_on end as screens_on,
  case when screen_counts.state_on + screen_counts.state_off > 0 or screen_counts.state_unknown = 0 then screen_counts.state_off end as screens_off,
  case when screen_counts.is_known and screen_counts.reports_are_known then screen_counts.state_stale end as screens_stale,
  screen_counts.state_unknown as screens_unknown,
  screen_counts.expected as expected_screens,
  case when screen_counts.expected_on + screen_counts.expected_off > 0 or screen_counts.expected_unknown = 0 then screen_counts.expected_on end as expected_screens_on,
  case when screen_counts.expected_on + screen_counts.expected_off > 0 or screen_counts.expected_unknown = 0 then screen_counts.expected_off end as expected_screens_off,
  case when screen_counts.expected = 0 or screen_counts.expected_is_known and screen_counts.reports_are_known then screen_counts.expected_stale end as expected_screens_stale,
  screen_counts.expected_unknown as expected_screens_unknown,
  transfer_counts.pending as pending_transfers,
  transfer_counts.players as players_waiting,
  case when transfer_counts.stuck > 0 or transfer_counts.unknown + transfer_counts.unanswered = 0 then transfer_counts.stuck end as players_stuck,
  transfer_counts.unknown as players_stuck_unknown,
  license_counts.records as licenses,
  license_counts.total as licenses_total,
  license_counts.used as licenses_used,
  slot_counts.slots as backup_slots,
  slot_counts.slots_size as backup_slots_size,
  slot_counts.used as backup_used,
  slot_counts.used_least as backup_used_least,
  slot_counts.used_most as backup_used_most
from last_runs
left join player_counts
  on player_counts.export_source = last_runs.export_source and player_counts.export_date = last_runs.export_date
left join screen_counts
  on screen_counts.export_source = last_runs.export_source and screen_counts.export_date = last_runs.export_date
left join transfer_counts
  on transfer_counts.export_source = last_runs.export_source and transfer_counts.export_date = last_runs.export_date
left join unanswered
  on unanswered.export_source = last_runs.export_source and unanswered.export_date = last_runs.export_date
left join license_counts
  on license_counts.export_source = last_runs.export_source and license_counts.export_date = last_runs.export_date
left join slot_counts
  on slot_counts.export_source = last_runs.export_source and slot_counts.export_date = last_runs.export_date
left join player_changes
  on player_changes.export_source = last_runs.export_source and player_changes.export_date = last_runs.export_date
