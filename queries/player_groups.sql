-- grain: a player and a column that groups it
-- key: player_key, group_number
-- question: To which city, customer or other group of the config does each player belong?
-- tells: player_id, group_by, group_value
-- order: export_source, player_id, group_number
-- lists: players
-- group_by: a column of players that the config's `groups` names, in the order of group_number. group_value is null if
-- the player has none. A join with a view of now by export_source and player_id cuts it by place and by group.
with
  -- grain: a player and a column that groups it
  grouped as (
    select export_source, player_id, group_number, group_by, group_value
    from config_groups
  )
select
  players.export_source,
  players.player_id,
  concat(players.export_source, '/', players.player_id) as player_key,
  cast(grouped.group_number as bigint) as group_number,
  grouped.group_by,
  grouped.group_value,
  players.export_run_id,
  players.exported_at
from players
join grouped on grouped.export_source = players.export_source and grouped.player_id = players.player_id
