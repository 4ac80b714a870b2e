-- grain: a player or a screen, and a time in which its state lasted
-- key: level, device_key, state, started_at
-- question: In which state was each player and each screen, from when to when, and how is that known?
-- tells: level, device_key, state, started_at, ended_at
-- order: export_source, level, record_key, started_at
-- lists: players, screens
-- needs: players.last_access timestamp, which says when a player was last seen
-- needs: screens.is_on boolean, which says whether a screen is on
-- needs: screens.last_update timestamp, which says when a screen last reported
-- uses: screens.last_status_change timestamp
-- off: a screen that is off, or a player or screen without a report for 8 hours, from its last report. That of a screen
-- is as in screen_status. A state begins at a time from the API (api: last_status_change, last_update, last_access).
-- Otherwise it begins half-way between two consecutive runs, if only the second saw it (observed). The true time is
-- between started_after and started_before. The API shows only the last switch between two runs. Nobody notices a
-- silence that ends before the next run. unknown: what no run saw and the API does not show. Examples are the time
-- around a failed run, a day without a run and a missing record. Of a device that was on, such a time lasts from the
-- last report before it to the first one after it. A silence that a partial run may have seen or not is unknown too.
-- Nobody knows of the time between a removal and a return. Otherwise a partial run in the middle of a day is left out
-- where it may not have read a record: the runs around it are consecutive. So is a run whose changes were read in
-- another way than the day's row, as before a new timeZone. watched, in a row of its own: the time from the first to
-- the last run that knew the state, without the time between a removal and a return. If the API dates the first known
-- state, it begins then, but not before the first run that lists it. Players that are not expected, and their screens,
-- have no rows of such days. What leaves between two runs of a day lasts until the earlier one. What does not tell its
-- state, yet or any more, is unknown: from the first run that lists it to the last one before it was removed. So is
-- what never reported. away: between a removal and a return, of what is back as dark as it was, if the API does not
-- show that it was dark meanwhile. outage counts how often the device was switched on or removed before: off rows with
-- the same number are one outage. until_at is ended_at, or the time of the newest run while the state lasts.
-- sampling_error_hours: how much longer or shorter it may have lasted, because of both its ends; null where it began
-- before anybody saw it, or while it was away and the API gives no time.
with
  -- grain: a source with an API that says since some run when a screen last reported, or when its player was last seen
  reporting as (
    select
      export_source,
      min(first_seen) as since,
      min(case when table_name = 'screens' then first_seen end) as by_screens_since
    from schema_columns
    where
      (table_name = 'screens' and column_name = 'last_update' or table_name = 'players' and column_name = 'last_access')
      and (provisional or type in ('timestamp', 'date'))
    group by export_source
  ),
  -- grain: a source and a day with records that were removed
  removals as (
    select export_source, export_date, max(export_run_id) as last_run_id
    from changes
    where change = 'removed' and table_name in ('players', 'screens')
    group by export_source, export_date
  ),
  -- grain: a source and a run; linked_at is the run before it, where no day without a run is between them; is_split: its day
  -- has several runs, or the source left the config within it
  run_times as (
    select
      runs.export_source,
      runs.export_run_id,
      runs.export_date,
      scheduled_at as run_at,
      case when observed_at > scheduled_at then observed_at else scheduled_at end as answered_at,
      status,
      status <> 'failed' and denied + failed = 0 as is_whole,
      listed,
      lag(scheduled_at) over runs_in_order is null as is_first,
      case
        when date_diff('day', cast(lag(runs.export_date) over runs_in_order as date), cast(runs.export_date as date)) <= 1
          then lag(scheduled_at) over runs_in_order
      end as linked_at,
      count(*) over (partition by runs.export_source, runs.export_date) > 1
        or coalesce(removals.last_run_id > runs.export_run_id, false) as is_split,
      lead(runs.export_run_id) over runs_in_order as next_run_id,
      min(runs.export_run_id) over (partition by runs.export_source, runs.export_date) as first_run_id,
      max(scheduled_at) over (partition by runs.export_source, runs.export_date) as last_of_day,
      max(scheduled_at) over (partition by runs.export_source) as newest_at,
      max(runs.export_date) over (partition by runs.export_source) as newest_date
    from runs
    left join removals
      on removals.export_source = runs.export_source and removals.export_date = runs.export_date
    window runs_in_order as (partition by runs.export_source order by scheduled_at)
  ),
  -- grain: a day and a player or a screen; told_by_run_id is the run that told_at is of, and told_seen_at when it answered
  rows_of_days as (
    select
      'player' as level,
      export_source,
      player_id as record_key,
      player_id,
      export_date,
      export_run_id,
      exported_at,
      is_expected as is_counted,
      true as is_on,
      last_access as told_at,
      cast(null as timestamp) as switched_at,
      exported_at as told_seen_at,
      '' as reporting_since,
      false as is_by_player,
      export_run_id as told_by_run_id
    from player_days
    union all
    select
      'screen',
      shown.export_source,
      shown.record_key,
      shown.player_id,
      shown.export_date,
      shown.export_run_id,
      shown.exported_at,
      owner.is_expected,
      shown.is_on,
      case
        when shown.is_by_player and owner.export_run_id >= shown.export_run_id then owner.last_access
        else shown.last_update
      end,
      shown.last_status_change,
      case when shown.is_by_player and owner.export_run_id >= shown.export_run_id then owner.exported_at else shown.exported_at end,
      shown.reporting_since,
      shown.is_by_player,
      case
        when shown.is_by_player and owner.export_run_id >= shown.export_run_id then owner.export_run_id
        else shown.export_run_id
      end
    from (
      select
        screens_daily.*,
        reporting.since as reporting_since,
        screens_daily.export_run_id >= reporting.since and not coalesce(screens_daily.export_run_id >= reporting.by_screens_since, false) as is_by_player
      from screens_daily
      left join reporting on reporting.export_source = screens_daily.export_source
    ) as shown
    -- A day on which only other sources ran has no row.
    join player_days as owner
      on owner.export_source = shown.export_source
      and owner.export_date = shown.export_date
      and owner.player_id = shown.player_id
  ),
  -- grain: a day and a player or a screen
  dailies as (
    select
      rows_of_days.*,
      lead(export_date) over (partition by record_key, export_source, level order by export_date) as next_date
    from rows_of_days
  ),
  -- grain: a player or screen and a day on which it was first listed and then not; told_by_run_id is the run before
  leaving as (
    select
      case when changes.table_name = 'players' then 'player' else 'screen' end as level,
      changes.export_source,
      changes.record_key,
      changes.export_date,
      min(changes.export_run_id) as export_run_id,
      min_by(coalesce(before.export_run_id, ''), changes.export_run_id) as told_by_run_id
    from changes
    left join run_times as before
      on before.export_source = changes.export_source
      and before.export_date = changes.export_date
      and before.export_run_id < changes.export_run_id
      and coalesce(before.next_run_id >= changes.export_run_id, true)
    where changes.table_name in ('players', 'screens') and changes.change in ('added', 'removed')
    group by changes.table_name, changes.export_source, changes.record_key, changes.export_date
    having min_by(changes.change, changes.export_run_id) = 'removed'
  ),
  -- grain: a day and a player or a screen; a day on which it left has the row of the day before
  told_days as (
    select
      dailies.level,
      dailies.export_source,
      dailies.record_key,
      dailies.player_id,
      dailies.exported_at,
      dailies.is_on,
      dailies.told_at,
      dailies.switched_at,
      dailies.told_seen_at,
      dailies.reporting_since,
      dailies.is_by_player,
      dailies.is_counted,
      parts.is_left,
      case when parts.is_left then leaving.export_date else dailies.export_date end as export_date,
      case when parts.is_left then leaving.export_run_id else dailies.export_run_id end as export_run_id,
      case when parts.is_left then leaving.told_by_run_id else dailies.told_by_run_id end as told_by_run_id
    from dailies
    left join leaving
      on leaving.level = dailies.level
      and leaving.export_source = dailies.export_source
      and leaving.record_key = dailies.record_key
      and leaving.export_date > dailies.export_date
      and leaving.export_date <= coalesce(dailies.next_date, leaving.export_date)
    cross join (values (false), (true)) as parts (is_left)
    where dailies.is_counted and (not parts.is_left or leaving.export_date is not null)
  ),
  -- grain: a column of a source, with the letters of the API's name. Changes have that name if `as` came later
  named as (
    select export_source, table_name, column_name, lower(replace(replace(replace(api_path, '.', ''), '_', ''), '-', '')) as letters
    from schema_columns
    where
      table_name = 'screens' and column_name in ('is_on', 'last_update', 'last_status_change')
      or table_name = 'players' and column_name = 'last_access'
  ),
  -- grain: a player or screen and a run that saw it differ from the run before, of days with several runs
  switches as (
    select
      case when changes.table_name = 'players' then 'player' else 'screen' end as level,
      changes.export_source,
      changes.record_key,
      changes.export_run_id,
      max(case when changes.change = 'added' then 1 else 0 end) as added,
      max(case when named.column_name = 'is_on' then coalesce(changes.old_value, '') end) as was_on,
      max(case when named.column_name = 'is_on' then coalesce(changes.new_value, '') end) as became_on,
      max(case when named.column_name in ('last_update', 'last_access') then coalesce(changes.old_value, '') end) as was_told,
      max(case when named.column_name in ('last_update', 'last_access') then coalesce(changes.new_value, '') end) as became_told,
      max(case when named.column_name = 'last_status_change' then coalesce(changes.old_value, '') end) as was_switched,
      max(case when named.column_name = 'last_status_change' then coalesce(changes.new_value, '') end) as became_switched
    from changes
    join run_times
      on run_times.export_source = changes.export_source
      and run_times.export_run_id = changes.export_run_id
      and run_times.is_split
    left join named
      on named.export_source = changes.export_source
      and named.table_name = changes.table_name
      and (named.column_name = changes.column_name or named.letters = lower(replace(changes.column_name, '_', '')))
    where changes.table_name in ('players', 'screens') and (changes.change = 'added' or named.column_name is not null)
    group by changes.table_name, changes.export_source, changes.record_key, changes.export_run_id
  ),
  -- grain: a player or screen and a run of a day with several; what it saw is what the next change says it was
  seen as (
    select
      told_days.*,
      run_times.run_at,
      run_times.answered_at,
      run_times.linked_at,
      run_times.newest_at,
      run_times.newest_date,
      run_times.last_of_day,
      coalesce(run_times.export_run_id >= told_days.reporting_since, false) as is_reporting,
      run_times.export_run_id = told_days.export_run_id as is_last_answer,
      run_times.export_run_id <= told_days.export_run_id as is_before_answer,
      case
        when run_times.is_whole or run_times.export_run_id = told_days.export_run_id or switches.export_run_id is not null then 'yes'
        -- A run that was told of the players saw each of them, whatever it could read of their screens.
        when told_days.level = 'player' and run_times.listed > 0 then 'yes'
        -- What the first run of a source could not read is new in a later one.
        when run_times.is_first and run_times.status <> 'failed' then 'yes'
        when run_times.status = 'failed' then 'no'
        else 'perhaps'
      end as was_asked,
      min_by(switches.was_on, case when switches.was_on is not null then run_times.run_at end) over later as next_on,
      min_by(
        coalesce(owners.was_told, switches.was_told),
        case when coalesce(owners.was_told, switches.was_told) is not null then run_times.run_at end
      ) over later as next_told,
      min_by(switches.was_switched, case when switches.was_switched is not null then run_times.run_at end) over later as next_switched,
      max_by(switches.became_on, case when switches.became_on is not null then run_times.run_at end) over whole_day as last_on,
      max_by(
        coalesce(owners.became_told, switches.became_told),
        case when coalesce(owners.became_told, switches.became_told) is not null then run_times.run_at end
      ) over whole_day as last_told,
      max_by(switches.became_switched, case when switches.became_switched is not null then run_times.run_at end) over whole_day as last_switched,
      coalesce(max(switches.added) over later, 0) as is_not_there_yet
    from told_days
    join run_times
      on run_times.export_source = told_days.export_source
      and run_times.export_date = told_days.export_date
      and run_times.export_run_id <= told_days.told_by_run_id
      and run_times.is_split
    left join switches
      on switches.level = told_days.level
      and switches.export_source = told_days.export_source
      and switches.record_key = told_days.record_key
      and switches.export_run_id = run_times.export_run_id
    left join switches as owners
      on told_days.is_by_player
      and owners.level = 'player'
      and owners.export_source = told_days.export_source
      and owners.record_key = told_days.player_id
      and owners.export_run_id = run_times.export_run_id
    window
      later as (
        partition by told_days.level, told_days.export_source, told_days.record_key, told_days.export_date, told_days.export_run_id
        order by run_times.run_at
        rows between 1 following and unbounded following
      ),
      -- Without an order: DuckDB takes a hundred times as long for a frame of all rows.
      whole_day as (partition by told_days.level, told_days.export_source, told_days.record_key, told_days.export_date, told_days.export_run_id)
  ),
  -- grain: a player or screen and a run of a day with several; after the last change, what the day's row says. What left has
  -- no such row: the last change says it, or the row of the day before
  said as (
    select
      seen.*,
      coalesce(next_on, case when is_left then last_on end, cast(is_on as varchar)) as on_then,
      coalesce(next_told, case when is_left then last_told end, cast(told_at as varchar)) as told_then,
      coalesce(next_switched, case when is_left then last_switched end, cast(switched_at as varchar)) as switched_then
    from seen
  ),
  -- grain: a player or screen and a run of a day with several. Of a silence that a run perhaps saw nobody knows. Where the
  -- last change differs from the day's row, the changes were read in another way (a timeZone, other `values`), and say nothing
  asked as (
    select
      said.*,
      case
        when is_last_answer then was_asked
        when not is_left and last_on is not null and is_on is distinct from (case when last_on in ('true', '1') then true when last_on in ('false', '0') then false end)
          then 'no'
        when not is_left and last_told is not null and told_at is distinct from try_cast(replace(replace(last_told, 'T', ' '), 'Z', '') as timestamp)
          or not is_left and last_switched is not null and switched_at is distinct from try_cast(replace(replace(last_switched, 'T', ' '), 'Z', '') as timestamp)
          then 'perhaps'
        when was_asked = 'perhaps'
          and is_reporting
          and coalesce(try_cast(replace(replace(told_then, 'T', ' '), 'Z', '') as timestamp) < run_at - interval '8' hour, true)
          then 'no'
        else was_asked
      end as has_answer
    from said
    where is_before_answer
  ),
  -- grain: a player or screen and a run of a day with several; runs that perhaps did not ask for it are in the block of the next
  blocks as (
    select
      asked.*,
      count(case when has_answer <> 'perhaps' then 1 end) over (
        partition by level, export_source, record_key, export_date, export_run_id order by run_at
        rows between unbounded preceding and 1 preceding
      ) as block
    from asked
  ),
  -- grain: a player or screen and a run of a day with several, with the run before its block
  chained as (
    select
      blocks.*,
      min(linked_at) over (partition by level, export_source, record_key, export_date, export_run_id, block) as before_at
    from blocks
  ),
  -- grain: a player or screen and a run that had an answer about it, found it new (arrived = 1), or gone. Also those that
  -- tell no state: of players that nobody expects, and of days on which no run read it. listed_at: the last run of a day that
  -- has it, or the last run before the one that found it gone
  answers as (
    select
      dailies.level,
      dailies.export_source,
      dailies.record_key,
      dailies.player_id,
      run_times.run_at,
      run_times.linked_at,
      run_times.newest_at,
      run_times.newest_date,
      dailies.exported_at as seen_at,
      dailies.exported_at as seen_by,
      coalesce(dailies.export_run_id >= dailies.reporting_since, false) as is_reporting,
      case when dailies.is_counted and run_times.export_run_id = dailies.export_run_id then dailies.is_on end as is_on,
      dailies.told_at,
      dailies.switched_at,
      dailies.told_seen_at,
      case when dailies.is_counted then dailies.export_date end as expected_date,
      run_times.last_of_day as listed_at,
      0 as arrived
    from dailies
    join run_times
      on run_times.export_source = dailies.export_source
      and run_times.export_date = dailies.export_date
      and (
        run_times.export_run_id = dailies.export_run_id and (not run_times.is_split or not dailies.is_counted)
        or run_times.run_at = run_times.last_of_day and dailies.export_run_id < run_times.first_run_id
      )
    union all
    select
      level,
      export_source,
      record_key,
      player_id,
      run_at,
      before_at,
      newest_at,
      newest_date,
      case when is_last_answer then exported_at else run_at end,
      case when is_last_answer then exported_at else answered_at end,
      is_reporting,
      case when on_then in ('true', '1') then true when on_then in ('false', '0') then false end,
      try_cast(replace(replace(told_then, 'T', ' '), 'Z', '') as timestamp),
      try_cast(replace(replace(switched_then, 'T', ' '), 'Z', '') as timestamp),
      case when is_last_answer then told_seen_at end,
      case when not is_left then export_date end,
      case when not is_left then last_of_day end,
      0
    from chained
    where has_answer = 'yes' and is_not_there_yet = 0
    union all
    select
      case when changes.table_name = 'players' then 'player' else 'screen' end,
      changes.export_source,
      changes.record_key,
      null,
      changes.changed_at,
      null,
      null,
      null,
      null,
      null,
      null,
      null,
      null,
      null,
      null,
      null,
      case when changes.change = 'removed' then before.run_at end,
      case when changes.change = 'added' then 1 else 0 end
    from changes
    left join run_times as before
      on before.export_source = changes.export_source
      and before.export_date = changes.export_date
      and before.export_run_id < changes.export_run_id
      and coalesce(before.next_run_id >= changes.export_run_id, true)
    where changes.change in ('added', 'removed') and changes.table_name in ('players', 'screens')
  ),
  -- grain: a player or screen and a run that had an answer about it. A player that was read at 2 still reports when its
  -- screens are read at 12
  heard as (
    select
      answers.*,
      case
        when told_seen_at < seen_at and told_at >= told_seen_at - interval '8' hour
          then told_at + cast(floor(date_diff('millisecond', told_seen_at, seen_at) / 1000e0) as bigint) * interval '1' second
        else told_at
      end as heard_at,
      sum(arrived) over (partition by record_key, export_source, level order by run_at) as arrival
    from answers
  ),
  -- grain: a player or screen and a run that had an answer about it, at or after the times that it tells; with the last
  -- day that had it before it was removed
  timed as (
    select
      heard.*,
      case
        when seen_by <= seen_at then seen_at
        when coalesce(heard_at, seen_at) > seen_at and coalesce(heard_at, seen_at) >= coalesce(switched_at, seen_at)
          then case when heard_at < seen_by then heard_at else seen_by end
        when switched_at > seen_at then case when switched_at < seen_by then switched_at else seen_by end
        else seen_at
      end as answered_at,
      max(expected_date) over (partition by record_key, export_source, level, arrival) as last_date,
      max(listed_at) over (partition by record_key, export_source, level, arrival) as last_listed_at,
      min(case when listed_at is not null then run_at end) over (partition by record_key, export_source, level, arrival) as first_run_at,
      is_on is not null and (heard_at is not null or not is_reporting) as is_known,
      max(case when is_on is not null and (heard_at is not null or not is_reporting) then 1 else 0 end) over (
        partition by record_key, export_source, level, arrival
      ) as was_known
    from heard
  ),
  -- grain: a player or screen and a run that knew its state, or the first that listed it where none did (is_mute); told_at is
  -- the last moment that the API knows. A server's clock may be an hour ahead
  sightings as (
    select
      level,
      export_source,
      record_key,
      player_id,
      run_at,
      linked_at,
      newest_at,
      case when is_known or answered_at > run_at then answered_at else run_at end as seen_at,
      seen_by,
      is_reporting,
      not is_known as is_mute,
      last_date,
      last_listed_at,
      newest_date,
      arrival,
      first_run_at,
      case when is_known then is_on end as is_on,
      case when not is_known then null when heard_at < answered_at then heard_at else answered_at end as told_at,
      case when is_known and switched_at <= seen_by + interval '1' hour then switched_at end as switched_at,
      is_known and coalesce(heard_at < answered_at - interval '8' hour, false) as is_silent
    from timed
    where is_known or was_known = 0 and listed_at is not null and run_at = first_run_at and last_date is not null
  ),
  -- grain: a player or screen and such a run, with what the one before knew; known_until is the last
  -- moment of which an earlier run tells
  pairs as (
    select
      sightings.*,
      lag(run_at) over runs_in_order as p_run_at,
      lag(seen_at) over runs_in_order as p_seen_at,
      lag(arrival) over runs_in_order as p_arrival,
      lag(last_listed_at) over runs_in_order as p_listed_at,
      lag(coalesce(switched_at, told_at)) over runs_in_order as p_switched_at,
      lag(is_silent) over runs_in_order as p_silent,
      lag(is_silent or not is_on) over runs_in_order as p_off,
      lag(is_silent and is_on) over runs_in_order as p_silent_on,
      max(case when is_silent then seen_at else told_at end) over (
        partition by record_key, export_source, level order by run_at
        rows between unbounded preceding and 1 preceding
      ) as known_until,
      lead(run_at) over runs_in_order is null as is_last,
      max(seen_at) over (partition by record_key, export_source, level) as last_seen_at
    from sightings
    window runs_in_order as (partition by record_key, export_source, level order by run_at)
  ),
  -- grain: a player or screen and such a run
  linked as (
    select
      pairs.*,
      p_run_at is null as is_new,
      -- Earlier runs listed it, and did not know its state.
      first_run_at < run_at and not coalesce(arrival = p_arrival, false) as is_late,
      coalesce(p_run_at = linked_at, false) as is_linked,
      -- It was removed, and is back.
      coalesce(arrival > p_arrival, false) as is_return,
      coalesce(is_silent and p_silent and told_at <= p_seen_at, false) as is_still_silent,
      -- What switched while nothing was reported did not end the silence.
      coalesce(switched_at > p_switched_at and (not p_silent or switched_at > p_seen_at), false) as has_switched,
      -- A screen that was on went off and on again: it has reported since some time after the run before.
      coalesce(p_silent_on and is_on and switched_at > p_switched_at and switched_at > p_seen_at, false) as is_back
    from pairs
  ),
  -- grain: a player or screen and such a run
  spaced as (
    select
      linked.*,
      -- There is no gap if the last switch is from before the run before.
      not is_new and not is_return and not is_linked and told_at > p_seen_at and not (has_switched and switched_at <= p_seen_at) as is_apart,
      -- One that is back as dark as it was goes on with its outage, unless the API shows that it was on in between.
      coalesce(is_return and p_off and not has_switched and (is_still_silent or not is_on), false) as is_back_dark,
      case when p_listed_at > p_seen_at then p_listed_at else p_seen_at end as away_since
    from linked
  ),
  -- grain: a player or screen and a run that may have seen another state, or is the first or last of runs in a row
  steps as (
    select
      spaced.*,
      is_return or is_apart as is_gap,
      -- The API shows that it was dark all the time.
      coalesce(is_back_dark and p_listed_at <= p_seen_at and (is_still_silent or switched_at <= p_switched_at), false) as is_dark_on,
      -- The API dates an outage that began while it was away.
      case
        when not is_return or is_back_dark or told_at <= away_since then null
        when is_on then case when is_silent then told_at end
        when switched_at > told_at then told_at
        when switched_at > away_since then switched_at
      end as off_since,
      -- A screen that was on before a gap, or switched on in it, may have been silent in it.
      is_apart and is_reporting and not p_off as was_reporting,
      is_apart and is_reporting and is_on and has_switched as is_on_since,
      is_on = p_off as differs,
      -- The API dates a switch to off after the run before, which saw it off too: it was on in between.
      is_apart and has_switched and switched_at > p_seen_at and not is_on and p_off as is_off_again,
      case
        when switched_at < known_until then known_until
        when switched_at > told_at then told_at
        else switched_at
      end as switch_at,
      case
        when not is_reporting and seen_by > seen_at then seen_by
        when told_at < known_until then known_until
        else told_at
      end as told_by,
      -- Since when the first known state after the first listing lasts; after a return at the earliest since then.
      case
        when not is_late then null
        when known_until is not null and coalesce(case when is_on and is_reporting then null else switched_at end, told_at) < first_run_at then first_run_at
        when (is_on and is_reporting) or switched_at is null or switched_at > told_at then told_at
        else switched_at
      end as late_since,
      coalesce(last_date = newest_date, false) as is_listed,
      coalesce(last_date = newest_date, false) and run_at < newest_at or last_listed_at > seen_at as was_listed_later
    from spaced
    where
      is_last
      or is_return
      or not is_linked
      or (not is_still_silent and (is_on = p_off or has_switched or is_silent))
  ),
  -- grain: a player or screen and a moment at which its state became another, or unknown, or at which runs in a row begin
  events as (
    select
      steps.level,
      steps.export_source,
      steps.record_key,
      steps.player_id,
      steps.run_at,
      steps.newest_at,
      steps.is_gap,
      steps.is_return,
      steps.is_back_dark,
      parts.part = -1 and steps.is_return and steps.p_off and steps.has_switched and not steps.is_on as is_off_anew,
      steps.last_seen_at,
      steps.known_until,
      parts.part,
      case
        when parts.part = 5 and not steps.is_mute and (steps.is_new or steps.is_return) then 'watched'
        when parts.part = 5 then null
        when parts.part = 4 and steps.is_last and steps.was_listed_later then 'unknown'
        when (parts.part = 4 or parts.part = 6 and steps.was_listed_later) and steps.is_last and not steps.is_listed then 'gone'
        when parts.part in (4, 6) then null
        when parts.part = -1 and (steps.is_off_again or steps.p_listed_at > steps.p_seen_at) then 'unknown'
        when parts.part in (0, 2, 3) and steps.is_dark_on then null
        when parts.part = 0 and steps.is_back_dark then 'away'
        when parts.part in (-2, 0) and steps.is_return then 'gone'
        when parts.part = -1 then null
        when parts.part = 1 and (steps.is_mute or steps.is_late and not steps.is_dark_on and coalesce(steps.off_since >= steps.first_run_at, true)) then 'unknown'
        when steps.is_mute or parts.part = 1 or parts.part = 2 and steps.is_back_dark and steps.is_on then null
        when parts.part = 0 and steps.is_off_again then 'on'
        when steps.is_still_silent and not steps.is_return then null
        when parts.part = 3 and steps.is_silent and steps.is_on then 'off'
        when parts.part = 3 then null
        when steps.is_new and parts.part = 2 and steps.is_on then 'on'
        when steps.is_new and parts.part = 2 then 'off'
        when steps.is_new then null
        when not steps.has_switched and not steps.differs and not steps.is_gap then null
        -- The API dates switches: this one is from before the gap. A screen that was on may still have been silent.
        when not steps.has_switched and not steps.differs and steps.switched_at is not null and not (steps.is_on and steps.is_reporting) and not steps.is_return then null
        when parts.part = 2 and steps.is_on then 'on'
        when parts.part = 2 then 'off'
        when steps.was_reporting or steps.is_on_since then 'unknown'
        when steps.is_gap and (not steps.has_switched or not steps.differs or steps.is_back) then 'unknown'
        when steps.has_switched and not steps.differs and steps.is_on then 'off'
        when steps.has_switched and not steps.differs then 'on'
      end as state,
      case
        when parts.part = 4 and steps.was_listed_later and steps.is_reporting and steps.is_on and not steps.is_silent then steps.told_by
        when parts.part = 6 then steps.last_listed_at
        when parts.part in (2, 3) and steps.off_since is not null then steps.off_since
        when parts.part = 1 and steps.is_late or parts.part = 5 and steps.late_since < steps.first_run_at then steps.first_run_at
        when parts.part in (2, 3, 5) and steps.is_late then steps.late_since
        when parts.part in (1, 4, 5) or parts.part in (2, 3) and steps.is_return then steps.seen_at
        when parts.part = 3 then coalesce(steps.told_by, steps.told_at)
        when parts.part = 0 and steps.is_off_again then steps.switch_at
        when parts.part = 0 and steps.was_reporting then steps.known_until
        when parts.part = 0 and steps.is_on_since and not steps.is_back then steps.switch_at
        when parts.part = -1 and steps.is_return and steps.is_reporting and not steps.p_off then steps.known_until
        when parts.part = 0 and steps.is_return then steps.away_since
        when parts.part = -2 or parts.part in (-1, 0) and steps.is_gap then steps.p_seen_at
        when parts.part = 2 and steps.is_on_since then steps.told_by
        when parts.part = 2 and steps.is_back and not steps.is_gap then null
        when parts.part = 2 and (steps.has_switched or (steps.is_new and steps.switched_at is not null)) then steps.switch_at
        when parts.part = 2 and (steps.is_new or steps.is_gap) then steps.told_at
      end as told_at,
      case when parts.part in (-1, 0) or (steps.is_back and not steps.is_gap) then steps.switch_at else steps.told_by end as known_from,
      parts.part in (2, 3) and steps.off_since is not null
        or parts.part = 0 and steps.is_on_since and not steps.was_reporting and not steps.is_back
        or not steps.is_return and parts.part = 3 and not (steps.is_late and steps.known_until is not null)
        or not (steps.is_late and (steps.known_until is not null or steps.is_on and steps.is_reporting)) and (parts.part = 2 and not steps.is_return and not steps.is_on_since and (steps.is_gap or not steps.is_back) and (steps.has_switched or (steps.is_new and steps.switched_at is not null))) as is_api
    from steps
    cross join (values (-2), (-1), (0), (1), (2), (3), (4), (5), (6)) as parts (part)
    where parts.part >= 0 or parts.part = -1 and (steps.is_off_again or steps.is_return) or parts.part = -2 and steps.is_return
  ),
  -- grain: a player or screen and a moment at which its state became another, or unknown, or at which runs in a row begin
  dated as (
    select
      events.*,
      state = 'watched' or part = -2 as is_watched,
      coalesce(
        told_at,
        known_until + cast(floor(date_diff('millisecond', known_until, known_from) / 2000e0) as bigint) * interval '1' second
      ) as moment
    from events
    where state is not null
  ),
  -- grain: a player or screen and such a moment, with the first and last at which it may have been
  bounded as (
    select
      dated.*,
      case
        when is_watched or is_return and not is_api and not is_back_dark and state = 'off' then null
        when is_api or is_return or part in (1, 4, 6) then moment
        when told_at is null or is_gap then known_until
      end as started_after,
      case when is_watched then null when is_api or told_at is not null then moment else known_from end as started_before
    from dated
  ),
  -- grain: a player or screen and such a moment, with the milliseconds that it may be wrong
  blurred as (
    select
      bounded.*,
      case
        when started_before <= moment and started_after is null then null
        when started_before <= moment then 0
        when date_diff('millisecond', started_after, moment) > date_diff('millisecond', moment, started_before)
          then date_diff('millisecond', started_after, moment)
        else date_diff('millisecond', moment, started_before)
      end as blur
    from bounded
  ),
  -- grain: a player or screen and a time in which its state lasted, or in which it was watched
  lasting as (
    select
      blurred.*,
      lead(blur) over moments as blur_at_end,
      lead(moment) over moments as ended_at,
      lead(is_api) over moments as is_api_end,
      lead(state) over moments as next_state,
      -- A dated switch in a gap ends or begins an outage: what is unknown around it is of none.
      sum(case when state in ('on', 'gone') or is_off_anew or is_api and (state = 'unknown' or state = 'off' and part = 2 and is_gap) then 1 else 0 end) over moments as outage
    from blurred
    window moments as (partition by record_key, export_source, level, is_watched order by run_at, part)
  )
select
  export_source,
  level,
  concat(export_source, '/', record_key) as device_key,
  record_key,
  player_id,
  state,
  moment as started_at,
  case when is_watched then null when is_api then 'api' else 'observed' end as started_by,
  started_after,
  started_before,
  ended_at,
  case when is_watched or ended_at is null then null when is_api_end then 'api' else 'observed' end as ended_by,
  case
    when ended_at is not null then ended_at
    when state = 'unknown' and newest_at > last_seen_at then newest_at
    else last_seen_at
  end as until_at,
  case when not is_watched then cast(outage as bigint) end as outage,
  case when not is_watched then cast(blur + case when ended_at is null then 0 else blur_at_end end as double) / 3600000 end as sampling_error_hours
from lasting
where
  -- A run may see a screen off at its last report, and no run after it: then the outage has a moment.
  state <> 'gone' and (is_watched or ended_at is null or ended_at > moment or state = 'off' and next_state in ('unknown', 'gone'))
