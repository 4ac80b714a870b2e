-- grain: a player and an outage
-- key: player_key, started_at
-- question: When was which player offline, for how long, and for how long of its opening hours?
-- tells: player_key, started_at, ended_at, hours, open_hours
-- order: started_at desc, export_source, player_key
-- lists: players
-- needs: players.last_access timestamp, which says when a player was last seen
-- A player is out while nobody has seen it for 8 hours, counted from its last access in the API. Nobody says when it
-- came back, so ended_by is observed, as in device_states. ended_at is null while the outage lasts. For a player that
-- is removed or no longer expected, it ends when the player was last seen, which is no repair. hours, open_hours,
-- sampling_error_hours and unknown_hours: as in screen_outages.
select
  export_source,
  player_id,
  device_key as player_key,
  started_at,
  started_by,
  ended_at,
  ended_by,
  hours,
  open_hours,
  sampling_error_hours,
  unknown_hours
from outages
where level = 'player'
