-- A day of an earlier version does not say what is a heartbeat.
select export_source, changed_at, table_name, record_key, change, column_name, old_value, new_value, reason
from {{ source('signage', 'changes') }}
where is_heartbeat is not true
