-- grain: a finding of a kind in a table, column and value
-- key: export_source, finding, table_name, column_name or null, value or null
-- question: What in the newest export should be looked at before its figures are trusted?
-- tells: finding, table_name, column_name, value, records
-- order: records desc, finding, table_name, column_name, "value", export_source
-- uses: players.box_id varchar, players.box_state varchar, players.transfer_status varchar, players.license_type varchar, licenses.type varchar
-- Kinds: unmatched key, duplicate id, unknown value, reject, provisional column, new column, not collected, carried
-- rows. unmatched key: a child without its parent, or a player's licence type that is not on the licence list. unknown
-- value: of box_state and transfer_status. reject: values that are not in their cell as the API sent them. not
-- collected: listings that were denied or failed. carried rows: rows of an earlier run, because the newest run got no
-- answer for them.
with
  -- grain: a source, with its first run with an answer and its newest run
  newest as (
    select
      export_source,
      min(case when ok + empty + gone > 0 then export_run_id end) as first_run_id,
      max(export_run_id) as export_run_id
    from runs
    -- Without sources that have left the config.
    where export_source in (select export_source from outcomes)
    group by export_source
  ),
  -- grain: a column of a source, with the runs that first saw it and its table
  columns_of_tables as (
    select
      export_source,
      table_name,
      column_name,
      min(api_path) as api_path,
      min(first_seen) as first_seen,
      min(min(first_seen)) over (partition by export_source, table_name) as table_seen
    from schema_columns
    group by export_source, table_name, column_name
  ),
  -- grain: a record of a table
  records as (
    select 'app_groups' as table_name, export_source, record_key, export_run_id from app_groups
    union all
    select 'licenses', export_source, record_key, export_run_id from licenses
    union all
    select 'players', export_source, record_key, export_run_id from players
    union all
    select 'screens', export_source, record_key, export_run_id from screens
    union all
    select 'pending_file_transfers', export_source, record_key, export_run_id from pending_file_transfers
    union all
    select 'backup_pricing', export_source, record_key, export_run_id from backup_pricing
    union all
    select 'backup_storages', export_source, record_key, export_run_id from backup_storages
    union all
    select 'backup_slots', export_source, record_key, export_run_id from backup_slots
  ),
  -- grain: a child
  children as (
    select 'screens' as table_name, 'player_id' as column_name, export_source, player_id as parent_id from screens
    union all
    select 'pending_file_transfers', 'player_id', export_source, player_id from pending_file_transfers
    union all
    select 'backup_slots', 'storage_id', export_source, storage_id from backup_slots
  ),
  -- grain: a parent
  parents as (
    select 'player_id' as column_name, export_source, player_id as parent_id from players
    union all
    select 'storage_id', export_source, storage_id from backup_storages
  ),
  -- grain: a source that has licences
  licensed as (
    select distinct export_source from licenses where type is not null
  ),
  -- grain: a box id that several players have
  boxes as (
    select export_source, box_id, count(*) as players
    from players
    where box_id is not null and box_id <> ''
    group by export_source, box_id
    having count(*) > 1
  )
select
  children.export_source,
  'unmatched key' as finding,
  children.table_name,
  children.column_name,
  children.parent_id as "value",
  count(*) as records
from children
left join parents
  on parents.export_source = children.export_source
  and parents.column_name = children.column_name
  and parents.parent_id = children.parent_id
where parents.parent_id is null
group by children.export_source, children.table_name, children.column_name, children.parent_id
union all
select players.export_source, 'unmatched key', 'players', 'license_type', players.license_type, count(*)
from players
join licensed on licensed.export_source = players.export_source
left join licenses
  on licenses.export_source = players.export_source and licenses.type = players.license_type
where players.license_type is not null and licenses.record_key is null
group by players.export_source, players.license_type
union all
select export_source, 'duplicate id', table_name, 'record_key', cast(null as varchar), count(*)
from records
where regexp_like(record_key, '#[0-9]+$')
group by export_source, table_name
union all
select export_source, 'duplicate id', 'players', 'box_id', box_id, players
from boxes
union all
select export_source, 'unknown value', 'players', 'box_state', box_state, count(*)
from players
where lower(box_state) not in ('activated', 'deleted', 'new', 'reserved', 'undefined')
group by export_source, box_state
union all
select export_source, 'unknown value', 'players', 'transfer_status', transfer_status, count(*)
from players
where lower(transfer_status) not in ('complete', 'overdue', 'pending')
group by export_source, transfer_status
union all
select
  rejects.export_source,
  concat('reject: ', rejects.reason),
  rejects.table_name,
  rejects.column_name,
  min(rejects.raw_value),
  cast(sum(rejects."count") as bigint)
from rejects
join newest on newest.export_source = rejects.export_source and newest.export_run_id = rejects.export_run_id
group by rejects.export_source, rejects.reason, rejects.table_name, rejects.column_name
union all
select schema_columns.export_source, 'provisional column', table_name, column_name, min(api_path), cast(0 as bigint)
from schema_columns
join newest on newest.export_source = schema_columns.export_source
where provisional
group by schema_columns.export_source, table_name, column_name
union all
select columns_seen.export_source, 'new column', columns_seen.table_name, columns_seen.column_name, columns_seen.api_path, cast(0 as bigint)
from columns_of_tables as columns_seen
join newest
  on newest.export_source = columns_seen.export_source
  and newest.export_run_id = columns_seen.first_seen
  and newest.first_run_id < newest.export_run_id
where columns_seen.table_seen < columns_seen.first_seen
union all
select
  export_source,
  concat('not collected: ', outcome),
  resource,
  cast(null as varchar),
  min(error_code),
  count(*)
from outcomes
where outcome in ('denied', 'failed')
group by export_source, outcome, resource
union all
select
  records.export_source,
  'carried rows',
  records.table_name,
  'export_run_id',
  min(records.export_run_id),
  count(*)
from records
join newest on newest.export_source = records.export_source and newest.export_run_id > records.export_run_id
group by records.export_source, records.table_name
