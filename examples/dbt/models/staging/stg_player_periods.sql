-- To join a fact of a day: day >= valid_from and (day < valid_to or valid_to is null).
select
  player_key,
  cast(valid_from as date) as valid_from,
  cast(valid_to as date) as valid_to,
  is_current,
  cast(first_seen as date) as first_seen,
  cast(removed_at as date) as removed_at,
  player_name,
  city,
  box_state,
  license_type
from {{ source('signage', 'players_history') }}
