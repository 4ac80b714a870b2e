-- grain: a span of days and something that changed in it
-- key: days, export_source, news, record_key
-- question: What changed since 1, 7 and 30 days ago: offline, stale, off, recovered, added, removed, licences, storages?
-- tells: days, news, name, city, value, before, since_date
-- order: days, case news when 'player offline' then 1 when 'screen stale' then 2 when 'screen off' then 3 when 'licences ran out' then 4 when 'storage grew' then 5 when 'player recovered' then 6 when 'screen recovered' then 7 else 8 end, name, record_key, export_source
-- lists: players, screens, licenses, backup_storages, backup_slots
-- needs: players.last_access timestamp, which says which players went offline or came back
-- needs: screens.last_update timestamp, which says when a screen last reported
-- needs: screens.is_on boolean, which says whether a screen is on
-- needs: licenses.available_count bigint, which says which licences ran out
-- needs: backup_slots.storage_used bigint, which says which storages grew
-- uses: backup_slots.usage_last_check timestamp, licenses.type varchar, licenses.total_count bigint, backup_storages.customer_name varchar
-- The view compares the newest day of a source with its last day at least 1, 7 or 30 days earlier. A source without
-- such a day has no news of that span. States are as in player_health and screen_status, of players that are expected
-- on the newest day and of their screens. Recovered: a player that was offline, or a screen that was off or stale, and
-- that was expected on the earlier day too. Otherwise an installation looks like a repair. A record without an answer on one of the two days is news only if it
-- was added or gone by the last answer. If no run of the newest day was answered, the news end with the last answer,
-- which is observed_at in export_health. A storage grew if its use has grown by a tenth or more. value and before:
-- hours of silence, licences left, bytes used.
with
  -- grain: a source that says since some run when it counted the use of a slot last, even if no slot has a time so far
  counting as (
    select export_source, min(first_seen) as since
    from schema_columns
    where table_name = 'backup_slots' and column_name = 'usage_last_check'
    group by export_source
  ),
  -- grain: a day and a source
  run_days as (
    select
      export_date,
      export_source,
      min(export_run_id) as first_run_id,
      max(case when listed > 0 or denied + failed = 0 then 1 else 0 end) as is_listed
    from runs
    group by export_date, export_source
  ),
  -- grain: a source
  newest as (
    select export_source, max(export_date) as export_date
    from run_days
    group by export_source
  ),
  -- grain: a span of days and a source that has run that long
  spans as (
    select
      lengths.days,
      newest.export_source,
      newest.export_date as now_date,
      max(run_days.export_date) as then_date
    from newest
    cross join (values (1), (7), (30)) as lengths (days)
    join run_days
      on run_days.export_source = newest.export_source
      and cast(run_days.export_date as date) <= cast(newest.export_date as date) - lengths.days * interval '1' day
    group by lengths.days, newest.export_source, newest.export_date
  ),
  -- grain: a day that is compared and a source
  compared as (
    select export_source, now_date as export_date
    from spans
    union
    select export_source, then_date
    from spans
  ),
  -- grain: a day that is compared and a player
  player_states as (
    select
      states.export_date,
      states.export_source,
      states.player_id,
      states.player_id as record_key,
      coalesce(nullif(states.player_name, ''), states.player_id) as name,
      states.city,
      states.is_expected,
      states.is_carried,
      states.offline_hours as silence,
      states.health as state
    from player_days as states
    join compared on compared.export_source = states.export_source and compared.export_date = states.export_date
  ),
  -- grain: a day that is compared and a screen
  screen_states as (
    select
      states.export_date,
      states.export_source,
      states.player_id,
      states.screen as record_key,
      concat(
        coalesce(nullif(states.player_name, ''), states.player_id),
        ' · ',
        coalesce(cast(states.screen_number as varchar), states.screen),
        coalesce(' ' || nullif(states.display_name, ''), '')
      ) as name,
      states.city,
      states.is_expected,
      states.is_carried,
      states.silent_hours as silence,
      states.state
    from screen_days as states
    join compared on compared.export_source = states.export_source and compared.export_date = states.export_date
  ),
  -- grain: a day that is compared and a player with screens that the last run of the day read
  read_players as (
    select ended.export_date, ended.export_source, ended.parent_id as player_id
    from outcomes_daily as ended
    join compared on compared.export_source = ended.export_source and compared.export_date = ended.export_date
    where ended.resource = 'screens' and ended.outcome in ('ok', 'empty', 'gone')
  ),
  -- grain: a day and a licence type that a run of the day read
  license_days as (
    select
      dailies.export_date,
      dailies.export_source,
      coalesce(dailies.type, dailies.record_key) as name,
      min(dailies.record_key) as record_key,
      case when count(dailies.total_count) = count(*) then sum(dailies.total_count) end as total_count,
      case when count(dailies.available_count) = count(*) then sum(dailies.available_count) end as available_count
    from licenses_daily as dailies
    join compared on compared.export_source = dailies.export_source and compared.export_date = dailies.export_date
    join run_days on run_days.export_source = dailies.export_source and run_days.export_date = dailies.export_date
    where dailies.export_run_id >= run_days.first_run_id
    group by dailies.export_date, dailies.export_source, coalesce(dailies.type, dailies.record_key)
  ),
  -- grain: a slot that was used, with the first day on which it was. Its 0 is true until then
  first_uses as (
    select export_source, record_key, min(export_date) as used_since
    from backup_slots_daily
    where storage_used > 0
    group by export_source, record_key
  ),
  -- grain: a day and a storage with a known use
  storage_days as (
    select
      storages.export_date,
      storages.export_source,
      storages.storage_id,
      max(storages.customer_name) as customer_name,
      coalesce(sum(cast(slots.storage_used as double)), 0e0) as used
    from backup_storages_daily as storages
    join compared on compared.export_source = storages.export_source and compared.export_date = storages.export_date
    join run_days on run_days.export_source = storages.export_source and run_days.export_date = storages.export_date
    left join backup_slots_daily as slots
      on slots.export_source = storages.export_source
      and slots.export_date = storages.export_date
      and slots.storage_id = storages.storage_id
    left join outcomes_daily as ended
      on ended.export_source = storages.export_source
      and ended.export_date = storages.export_date
      and ended.parent_id = storages.storage_id
      and ended.resource = 'backup_slots'
      and ended.outcome = 'empty'
    left join counting on counting.export_source = storages.export_source
    left join first_uses
      on first_uses.export_source = slots.export_source and first_uses.record_key = slots.record_key
    group by storages.export_date, storages.export_source, storages.storage_id
    having
      coalesce(min(slots.export_run_id) >= max(run_days.first_run_id), count(ended.parent_id) > 0)
      and count(case when slots.usage_last_check is not null or counting.since is null or slots.export_run_id < counting.since or slots.storage_used = 0 and (first_uses.used_since is null or slots.export_date < first_uses.used_since) then slots.storage_used end) = count(slots.record_key)
  ),
  -- grain: a day that is compared and a player or a screen
  states as (
    select 'player' as kind, player_states.*
    from player_states
    union all
    select 'screen', screen_states.*
    from screen_states
  ),
  -- grain: a span, a source and a player or a screen that is on one of its two days
  both_days as (
    select
      spans.days,
      spans.export_source,
      spans.then_date,
      states.kind,
      states.record_key,
      max(states.player_id) as player_id,
      coalesce(max(case when states.export_date = spans.now_date then states.name end), max(states.name)) as name,
      coalesce(max(case when states.export_date = spans.now_date then states.city end), max(states.city)) as city,
      max(case when states.export_date = spans.now_date then states.state end) as state_now,
      max(case when states.export_date = spans.then_date then states.state end) as state_then,
      max(case when states.export_date = spans.now_date then states.silence end) as silence_now,
      max(case when states.export_date = spans.then_date then states.silence end) as silence_then,
      max(case when states.export_date = spans.now_date and states.is_expected then 1 else 0 end) as is_expected,
      max(case when states.export_date = spans.then_date and states.is_expected then 1 else 0 end) as was_expected,
      max(case when states.export_date = spans.then_date and states.is_carried then 1 else 0 end) as was_carried
    from spans
    join states
      on states.export_source = spans.export_source and states.export_date in (spans.now_date, spans.then_date)
    group by spans.days, spans.export_source, spans.then_date, states.kind, states.record_key
  ),
  -- grain: a span, a source and a player or a screen that changed
  state_news as (
    select
      case
        when then_days.is_listed = 0 and (state_then is null or state_now is null) then null
        when state_then is null then concat(kind, ' added')
        when state_now is null and was_carried = 0 then concat(kind, ' removed')
        when is_expected = 0 then null
        when state_now = 'offline' and state_then in ('online', 'never seen') then 'player offline'
        when state_now = 'online' and state_then = 'offline' and was_expected = 1 then 'player recovered'
        when state_now = 'stale' and state_then in ('on', 'off') then 'screen stale'
        when state_now = 'off' and state_then in ('on', 'stale') then 'screen off'
        when state_now = 'on' and state_then in ('off', 'stale') and was_expected = 1 then 'screen recovered'
      end as news,
      both_days.*
    from both_days
    join run_days as then_days
      on then_days.export_source = both_days.export_source and then_days.export_date = both_days.then_date
  ),
  -- grain: a span of days and something that changed in it
  found as (
    select
      state_news.days,
      state_news.then_date as since_date,
      state_news.export_source,
      state_news.news,
      state_news.record_key,
      state_news.name,
      state_news.city,
      state_news.silence_now as "value",
      state_news.silence_then as "before"
    from state_news
    left join players_daily as earlier
      on earlier.export_source = state_news.export_source
      and earlier.export_date = state_news.then_date
      and earlier.player_id = state_news.player_id
    left join read_players
      on read_players.export_source = state_news.export_source
      and read_players.export_date = state_news.then_date
      and read_players.player_id = state_news.player_id
    where
      state_news.news is not null
      and (state_news.news <> 'screen added' or earlier.player_id is null or read_players.player_id is not null)
    union all
    select
      spans.days,
      spans.then_date,
      spans.export_source,
      'licences ran out',
      now.record_key,
      now.name,
      null,
      cast(now.available_count as double),
      cast(past.available_count as double)
    from spans
    join license_days as now on now.export_source = spans.export_source and now.export_date = spans.now_date
    join license_days as past
      on past.export_source = spans.export_source
      and past.export_date = spans.then_date
      and past.name = now.name
    where now.total_count > 0 and now.available_count <= 0 and past.available_count > 0
    union all
    select
      spans.days,
      spans.then_date,
      spans.export_source,
      'storage grew',
      now.storage_id,
      coalesce(nullif(now.customer_name, ''), now.storage_id),
      null,
      now.used,
      past.used
    from spans
    join storage_days as now on now.export_source = spans.export_source and now.export_date = spans.now_date
    join storage_days as past
      on past.export_source = spans.export_source
      and past.export_date = spans.then_date
      and past.storage_id = now.storage_id
    where now.used > past.used and now.used - past.used >= past.used / 10
  )
select *
from found
-- Without sources that have left the config.
where export_source in (select export_source from outcomes)
