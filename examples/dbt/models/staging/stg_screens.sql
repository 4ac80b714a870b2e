select screen_key, player_key, screen_number, display_name, state, since, is_carried
from {{ source('signage', 'screen_status') }}
where is_expected
