select cast(export_date as date) as day, screen_key, player_key, city, state, silent_hours
from {{ source('signage', 'screen_days') }}
where is_expected
