-- grain: a day, a source, a column that groups players and a value of it
-- key: export_source, export_date, group_by, group_value or null
-- question: How do players, screens and transfers develop in each city, customer or other group of the config?
-- tells: export_date, group_by, group_value, expected_players, expected_players_offline, expected_screens, expected_screens_off, expected_screens_stale, players_stuck
-- order: export_date desc, group_number, expected_players_offline desc, expected_screens_off desc, expected_screens_stale desc, export_source, group_value
-- lists: players, screens, pending_file_transfers
-- The figures of daily_trend, cut by the config's `groups`. Over the values of one group_by they add up to daily_trend.
-- group_value is null for the players without one. Unknown figures are null as in daily_trend.
with
  -- grain: a day, a player and a column that groups it
  grouped as (
    select export_date, export_source, player_id, group_number, group_by, group_value
    from config_groups_daily
  ),
  -- grain: a day and a player with screens
  player_screens as (
    select
      export_date,
      export_source,
      player_id,
      count(*) as screens,
      count(silent_hours) as reports,
      count_if(is_expected) as expected,
      count_if(is_expected and state = 'on') as expected_on,
      count_if(is_expected and state = 'off') as expected_off,
      count_if(is_expected and state = 'stale') as expected_stale,
      count_if(is_expected and state = 'unknown') as expected_unknown
    from screen_days
    group by export_date, export_source, player_id
  ),
  -- grain: a day and a source, and the last run of the day that was answered every listing
  whole_days as (
    select export_date, export_source, max(case when denied + failed = 0 then export_run_id end) as whole_run_id
    from runs
    group by export_date, export_source
  ),
  -- grain: a day and a player that came on it, with the run that first listed it
  arrivals as (
    select export_date, export_source, record_key as player_id, max(export_run_id) as export_run_id
    from changes
    where table_name = 'players' and change = 'added'
    group by export_date, export_source, record_key
  ),
  -- grain: a day and a player of whom no run of the day was answered a listing
  unanswered as (
    select
      ended.export_date,
      ended.export_source,
      ended.parent_id as player_id,
      count_if(ended.resource = 'screens') as of_screens,
      count_if(ended.resource = 'pending_file_transfers') as of_transfers
    from outcomes_daily as ended
    join whole_days on whole_days.export_source = ended.export_source and whole_days.export_date = ended.export_date
    left join arrivals
      on arrivals.export_source = ended.export_source
      and arrivals.export_date = ended.export_date
      and arrivals.player_id = ended.parent_id
    where
      ended.outcome in ('denied', 'failed')
      and ended.parent_id is not null
      and (whole_days.whole_run_id is null or arrivals.export_run_id > whole_days.whole_run_id)
    group by ended.export_date, ended.export_source, ended.parent_id
  ),
  -- grain: a day and a source whose last run was not told of the players, or of the screens or queues of all of them
  untold as (
    select
      ended.export_date,
      ended.export_source,
      count_if(ended.resource <> 'pending_file_transfers') as of_screens,
      count_if(ended.resource <> 'screens') as of_transfers
    from outcomes_daily as ended
    join whole_days on whole_days.export_source = ended.export_source and whole_days.export_date = ended.export_date
    where ended.outcome in ('denied', 'failed') and ended.resource in ('players', 'screens', 'pending_file_transfers') and ended.parent_id is null and whole_days.whole_run_id is null
    group by ended.export_date, ended.export_source
  ),
  -- grain: a day, a source and a group with players
  counts as (
    select
      player.export_date,
      player.export_source,
      grouped.group_number,
      grouped.group_by,
      grouped.group_value,
      count(*) as players,
      count_if(player.health <> 'unknown') > 0 as is_known,
      count_if(player.health = 'online') as online,
      count_if(player.is_expected) as expected,
      count_if(player.is_expected and player.health <> 'unknown') > 0 or count_if(player.is_expected) = 0 as expected_is_known,
      count_if(player.is_expected and player.health = 'online') as expected_online,
      count_if(player.is_expected and player.health = 'offline') as expected_offline,
      count_if(player.is_expected and player.health = 'never seen') as expected_never_seen,
      count_if(player.is_expected and player.health = 'unknown') as expected_unknown,
      coalesce(sum(shown.screens), 0) > 0 or count(*) filter (where player.is_carried or untold.of_screens > 0 or unanswered.of_screens > 0) = 0 as has_screens,
      coalesce(sum(shown.screens), 0) as screens,
      coalesce(sum(shown.reports), 0) as reports,
      coalesce(sum(shown.expected), 0) as expected_screens,
      coalesce(sum(shown.expected_on), 0) as screens_on,
      coalesce(sum(shown.expected_off), 0) as screens_off,
      coalesce(sum(shown.expected_stale), 0) as screens_stale,
      coalesce(sum(shown.expected_unknown), 0) as screens_unknown,
      count(waiting.player_id) > 0 or count(*) filter (where player.is_carried or untold.of_transfers > 0 or player.is_expected and unanswered.of_transfers > 0) = 0 as has_transfers,
      coalesce(sum(waiting.pending), 0) as pending,
      count(*) filter (where waiting.pending > waiting.scheduled or waiting.is_stuck) as players_waiting,
      count(*) filter (where waiting.is_stuck) as players_stuck,
      count(*) filter (
        where player.is_expected
          and (player.is_carried or untold.of_transfers > 0 or unanswered.of_transfers > 0 or waiting.player_id is not null)
          and waiting.is_stuck is null
      ) as players_stuck_unknown
    from player_days as player
    join grouped
      on grouped.export_source = player.export_source
      and grouped.export_date = player.export_date
      and grouped.player_id = player.player_id
    left join player_screens as shown
      on shown.export_source = player.export_source
      and shown.export_date = player.export_date
      and shown.player_id = player.player_id
    left join transfer_days as waiting
      on waiting.export_source = player.export_source
      and waiting.export_date = player.export_date
      and waiting.player_id = player.player_id
      and waiting.is_expected
      and not waiting.is_carried
    left join unanswered
      on unanswered.export_source = player.export_source
      and unanswered.export_date = player.export_date
      and unanswered.player_id = player.player_id
    left join untold on untold.export_source = player.export_source and untold.export_date = player.export_date
    group by player.export_date, player.export_source, grouped.group_number, grouped.group_by, grouped.group_value
  )
select
  export_date,
  cast(export_date as date) as "date",
  export_source,
  cast(group_number as bigint) as group_number,
  group_by,
  group_value,
  players,
  case when is_known then online end as players_online,
  expected as expected_players,
  case when expected_is_known then expected_online end as expected_players_online,
  case when expected_is_known then expected_offline end as expected_players_offline,
  case when expected_is_known then expected_never_seen end as expected_players_never_seen,
  expected_unknown as expected_players_unknown,
  case when has_screens then screens end as screens,
  case when has_screens then expected_screens end as expected_screens,
  case when has_screens and (screens_on + screens_off > 0 or screens_unknown = 0) then screens_on end as expected_screens_on,
  case when has_screens and (screens_on + screens_off > 0 or screens_unknown = 0) then screens_off end as expected_screens_off,
  case when has_screens and (expected_screens = 0 or screens_unknown < expected_screens and reports > 0) then screens_stale end as expected_screens_stale,
  case when has_screens then screens_unknown end as expected_screens_unknown,
  case when has_transfers then pending end as pending_transfers,
  case when has_transfers then players_waiting end as players_waiting,
  case when has_transfers and (players_stuck > 0 or players_stuck_unknown = 0) then players_stuck end as players_stuck,
  case when has_transfers then players_stuck_unknown end as players_stuck_unknown
from counts
