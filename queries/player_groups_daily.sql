-- grain: a day, a player and a column that groups it
-- key: player_key, export_date, group_number
-- question: To which city, customer or other group of the config did each player belong on each day?
-- tells: export_date, player_id, group_by, group_value
-- order: export_date desc, export_source, player_id, group_number
-- lists: players
-- player_groups of each day. A join with a view of days by player_key and export_date cuts it by the group
-- of that day. A player that was removed later keeps its groups. A day without an answer has those of the day before.
with
  -- grain: a day, a player and a column that groups it
  grouped as (
    select export_date, export_source, player_id, group_number, group_by, group_value
    from config_groups_daily
  )
select
  grouped.export_date,
  cast(grouped.export_date as date) as "date",
  grouped.export_source,
  grouped.player_id,
  concat(grouped.export_source, '/', grouped.player_id) as player_key,
  cast(grouped.group_number as bigint) as group_number,
  grouped.group_by,
  grouped.group_value
from grouped
