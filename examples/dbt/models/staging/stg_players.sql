select player_key, export_source, player_id, player_name, city, license_type, health, last_access
from {{ source('signage', 'player_health') }}
where is_expected
