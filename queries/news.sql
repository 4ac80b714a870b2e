-- grain: a span of days and something that changed in it
-- question: What changed since 1, 7 and 30 days ago: offline, recovered, stale, added, removed, licences, storages?
-- tells: days, news, name, city, value, before, since_date
-- order: days, case news when 'player offline' then 1 when 'screen stale' then 2 when 'licences ran out' then 3 when 'storage grew' then 4 when 'player recovered' then 5 when 'screen recovered' then 6 else 7 end, name, record_key, export_source
-- lists: players, screens, licenses, backup_slots
-- needs: players.last_access timestamp, which says which players went offline or came back
-- needs: screens.last_update timestamp, which says which screens fell silent
-- needs: licenses.available_count bigint, which says which licences ran out
-- needs: backup_slots.storage_used bigint, which says which storages grew
-- uses: players.name varchar, players.city varchar, players.box_state varchar, players.is_installed boolean, players.is_licensed boolean, screens.is_on boolean, screens.number bigint, screens.display_name varchar, licenses.type varchar, licenses.total_count bigint, backup_storages.customer_name varchar
-- The newest day of a source is compared with its last day that is at least 1, 7 or 30 days earlier; a source without
-- such a day has no news of that span. States as in player_health and screen_status, of players that are expected on the
-- newest day and of their screens. What could not be asked on one of the two days is no news. A storage grew if a tenth
-- or more is used beyond what was. value and before: hours of silence, licences left, bytes used.
with
  -- grain: a day and a source
  run_days as (
    select export_date, export_source, min(export_run_id) as first_run_id
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
  -- grain: a source whose API says when a player was last seen
  seeing as (
    select distinct export_source
    from schema_columns
    where table_name = 'players' and column_name = 'last_access' and (provisional or type in ('timestamp', 'date'))
  ),
  -- grain: a day and a player
  player_days as (
    select
      dailies.export_date,
      dailies.export_source,
      dailies.player_id,
      coalesce(nullif(dailies.name, ''), dailies.player_id) as name,
      dailies.city,
      coalesce(lower(dailies.box_state), 'activated') = 'activated' and coalesce(dailies.is_installed, true) and coalesce(dailies.is_licensed, true) as is_expected,
      cast(date_diff('millisecond', dailies.last_access, dailies.exported_at) as double) / 3600000 as silence,
      case
        when dailies.export_run_id < run_days.first_run_id or seeing.export_source is null then 'unknown'
        when dailies.last_access is null then 'never seen'
        when dailies.last_access < dailies.exported_at - interval '8' hour then 'offline'
        else 'online'
      end as state
    from players_daily as dailies
    join compared on compared.export_source = dailies.export_source and compared.export_date = dailies.export_date
    join run_days on run_days.export_source = dailies.export_source and run_days.export_date = dailies.export_date
    left join seeing on seeing.export_source = dailies.export_source
  ),
  -- grain: a source whose API says when a screen last reported
  reporting as (
    select distinct export_source
    from schema_columns
    where table_name = 'screens' and column_name = 'last_update' and (provisional or type in ('timestamp', 'date'))
  ),
  -- grain: a day and a screen
  screen_days as (
    select
      dailies.export_date,
      dailies.export_source,
      dailies.record_key,
      concat(
        coalesce(players.name, dailies.player_id),
        ' · ',
        coalesce(cast(dailies.number as varchar), dailies.record_key),
        coalesce(' ' || nullif(dailies.display_name, ''), '')
      ) as name,
      players.city,
      coalesce(players.is_expected, true) as is_expected,
      cast(date_diff('millisecond', dailies.last_update, dailies.exported_at) as double) / 3600000 as silence,
      case
        when dailies.export_run_id < run_days.first_run_id then 'unknown'
        when dailies.last_update is null and reporting.export_source is not null then 'unknown'
        when dailies.last_update < dailies.exported_at - interval '8' hour then 'stale'
        when dailies.is_on then 'on'
        when not dailies.is_on then 'off'
        else 'unknown'
      end as state
    from screens_daily as dailies
    join compared on compared.export_source = dailies.export_source and compared.export_date = dailies.export_date
    join run_days on run_days.export_source = dailies.export_source and run_days.export_date = dailies.export_date
    left join reporting on reporting.export_source = dailies.export_source
    left join player_days as players
      on players.export_source = dailies.export_source
      and players.export_date = dailies.export_date
      and players.player_id = dailies.player_id
  ),
  -- grain: a day and a licence type
  license_days as (
    select
      dailies.export_date,
      dailies.export_source,
      dailies.record_key,
      coalesce(dailies.type, dailies.record_key) as name,
      dailies.total_count,
      dailies.available_count
    from licenses_daily as dailies
    join compared on compared.export_source = dailies.export_source and compared.export_date = dailies.export_date
  ),
  -- grain: a day and a storage whose use is known
  storage_days as (
    select
      slots.export_date,
      slots.export_source,
      slots.storage_id,
      max(storages.customer_name) as customer_name,
      sum(cast(slots.storage_used as double)) as used
    from backup_slots_daily as slots
    join compared on compared.export_source = slots.export_source and compared.export_date = slots.export_date
    left join backup_storages_daily as storages
      on storages.export_source = slots.export_source
      and storages.export_date = slots.export_date
      and storages.storage_id = slots.storage_id
    group by slots.export_date, slots.export_source, slots.storage_id
    having count(slots.storage_used) = count(*)
  ),
  -- grain: a span, a source and a player that is on one of its two days
  players_compared as (
    select
      spans.days,
      spans.export_source,
      spans.then_date,
      states.player_id,
      coalesce(max(case when states.export_date = spans.now_date then states.name end), max(states.name)) as name,
      coalesce(max(case when states.export_date = spans.now_date then states.city end), max(states.city)) as city,
      max(case when states.export_date = spans.now_date then states.state end) as state_now,
      max(case when states.export_date = spans.then_date then states.state end) as state_then,
      max(case when states.export_date = spans.now_date then states.silence end) as silence_now,
      max(case when states.export_date = spans.then_date then states.silence end) as silence_then,
      max(case when states.export_date = spans.now_date and states.is_expected then 1 else 0 end) as is_expected
    from spans
    join player_days as states
      on states.export_source = spans.export_source and states.export_date in (spans.now_date, spans.then_date)
    group by spans.days, spans.export_source, spans.then_date, states.player_id
  ),
  -- grain: a span, a source and a screen that is on one of its two days
  screens_compared as (
    select
      spans.days,
      spans.export_source,
      spans.then_date,
      states.record_key,
      coalesce(max(case when states.export_date = spans.now_date then states.name end), max(states.name)) as name,
      coalesce(max(case when states.export_date = spans.now_date then states.city end), max(states.city)) as city,
      max(case when states.export_date = spans.now_date then states.state end) as state_now,
      max(case when states.export_date = spans.then_date then states.state end) as state_then,
      max(case when states.export_date = spans.now_date then states.silence end) as silence_now,
      max(case when states.export_date = spans.then_date then states.silence end) as silence_then,
      max(case when states.export_date = spans.now_date and states.is_expected then 1 else 0 end) as is_expected
    from spans
    join screen_days as states
      on states.export_source = spans.export_source and states.export_date in (spans.now_date, spans.then_date)
    group by spans.days, spans.export_source, spans.then_date, states.record_key
  ),
  -- grain: a span, a source and a player that changed
  player_news as (
    select
      case
        when state_then is null then 'player added'
        when state_now is null then 'player removed'
        when state_now = 'offline' and state_then = 'online' then 'player offline'
        when state_now = 'online' and state_then in ('offline', 'never seen') then 'player recovered'
      end as news,
      players_compared.*
    from players_compared
  ),
  -- grain: a span, a source and a screen that changed
  screen_news as (
    select
      case
        when state_then is null then 'screen added'
        when state_now is null then 'screen removed'
        when state_now = 'stale' and state_then in ('on', 'off') then 'screen stale'
        when state_now in ('on', 'off') and state_then = 'stale' then 'screen recovered'
      end as news,
      screens_compared.*
    from screens_compared
  )
select
  days,
  then_date as since_date,
  export_source,
  news,
  player_id as record_key,
  name,
  city,
  silence_now as "value",
  silence_then as "before"
from player_news
where news in ('player added', 'player removed') or (news is not null and is_expected = 1)
union all
select days, then_date, export_source, news, record_key, name, city, silence_now, silence_then
from screen_news
where news in ('screen added', 'screen removed') or (news is not null and is_expected = 1)
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
  and past.record_key = now.record_key
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
