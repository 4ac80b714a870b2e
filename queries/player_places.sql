-- grain: a player of a place with opening hours, and the days in which it was there by that group
-- key: player_key, valid_from or null
-- question: By which opening hours was each player open, from when to when?
-- tells: player_key, group_by, group_value, valid_from, valid_until
-- order: export_source, player_id, valid_from
-- lists: players
-- The place is the first of the config's `groups` with `hours` for the player's value, otherwise * if it has any. Before
-- the `since` of its first line a place has no hours.
-- valid_from is the first day on which a run saw the player there. valid_until is the day on which it was elsewhere,
-- or there by another group; null without one. Days before its first day count as that day.
with
  -- grain: a place with opening hours, and the first day for which it has them; empty for every day
  places as (
    select cast(group_value as varchar) as group_value, min(since) as since
    from config_hours
    group by group_value
  ),
  -- grain: a day, a player and a column that groups it by a place with opening hours
  grouped as (
    select own.export_date, own.export_source, own.player_id, own.group_number, own.group_by, own.group_value, places.since
    from config_groups_daily as own
    join places on places.group_value = own.group_value and places.since <= own.export_date
  ),
  -- grain: a day and a player
  own_places as (
    select
      export_date,
      export_source,
      player_id,
      min(group_number) as group_number,
      min_by(group_by, group_number) as group_by,
      min_by(group_value, group_number) as group_value,
      min_by(since, group_number) as since
    from grouped
    group by export_date, export_source, player_id
  ),
  -- grain: a day and a player, of a config with opening hours
  placed as (
    select
      players_daily.export_date,
      players_daily.export_source,
      players_daily.player_id,
      own_places.group_number,
      own_places.group_by,
      cast(coalesce(own_places.group_value, everywhere.group_value, '') as varchar) as group_value,
      coalesce(own_places.since, everywhere.since, '') as since
    from players_daily
    cross join (select count(*) as lines from places) as counted
    left join own_places
      on own_places.export_date = players_daily.export_date
      and own_places.export_source = players_daily.export_source
      and own_places.player_id = players_daily.player_id
    left join places as everywhere on everywhere.group_value = '*' and everywhere.since <= players_daily.export_date
    where counted.lines > 0
  ),
  -- grain: a day and a player
  compared as (
    select
      placed.*,
      lag(export_date) over (partition by export_source, player_id order by export_date) as date_before,
      lag(group_value) over (partition by export_source, player_id order by export_date) as group_before,
      lag(coalesce(group_number, 0)) over (partition by export_source, player_id order by export_date) as number_before
    from placed
  ),
  -- grain: a player and a place, and the days in which it was there
  periods as (
    select
      turns.*,
      lead(turned_on) over (partition by export_source, player_id order by export_date) as next_date
    from (select *, case when since > date_before then since else export_date end as turned_on from compared) as turns
    where group_before is null or group_before <> group_value or number_before <> coalesce(group_number, 0)
  )
select
  export_source,
  player_id,
  concat(export_source, '/', player_id) as player_key,
  cast(group_number as bigint) as group_number,
  group_by,
  group_value,
  case when date_before is not null then turned_on end as valid_from,
  next_date as valid_until
from periods
where group_value <> ''
