-- grain: a backup slot; a storage without slots has one row
-- key: storage_key, slot or null
-- question: How full are slots and storages, what is reserved and idle, and what was never backed up?
-- tells: storage_name, slot_name, slot_used_share, is_never_backed_up, storage_used_share, storage_idle, slot_used, slot_size, days_to_expiry
-- order: coalesce(slot_used_share >= 0.9e0, false) desc, coalesce(is_never_backed_up, false) desc, slot_used_share desc nulls last, storage_used_share desc nulls last, export_source, storage_id, slot
-- lists: backup_storages, backup_slots
-- needs: backup_slots.size bigint, which says how large a slot is
-- needs: backup_slots.storage_used bigint, which says how much of a slot is used
-- uses: backup_slots.customer_name varchar, backup_slots.usage_last_check timestamp, backup_slots.locked boolean, backup_slots.is_locked boolean, backup_storages.customer_name varchar, backup_storages.size bigint, backup_storages.storage_reserved bigint, backup_storages.nb_unallocated_slots bigint, backup_storages.expired_at timestamp, backup_storages.locked boolean, backup_storages.is_locked boolean, backup_storages.maintenance boolean, backup_storages.has_maintenance boolean
-- Sizes are bytes. While the provider counts a slot again, usage_last_check is null. Its figure may then be far too
-- low, so it is unknown. Only a slot that never held a byte has 0 then, and was never backed up. If the first days are
-- no longer kept, nobody knows that of a slot of the first kept day. A slot without a figure is
-- unknown. Figures of the storage are null if the use of one of its slots is unknown, or if no run could list its slots. storage_idle is
-- null if the slots are of an earlier run than what the storage reserves. days_to_expiry counts from the source's
-- newest run. A missing flag is null, not false.
with
  -- grain: a source that says since some run when it counted the use of a slot last, even if no slot has a time so far
  counting as (
    select export_source, min(first_seen) as since
    from schema_columns
    where table_name = 'backup_slots' and column_name = 'usage_last_check'
    group by export_source
  ),
  -- grain: a source, with its first kept day; is_cut: the lake had days before, which are no longer kept
  kept as (
    select told.export_source, min(runs.export_date) as first_date, min(told.first_seen) < min(lake.first_run_id) as is_cut
    from schema_columns as told
    join runs on runs.export_source = told.export_source
    cross join (select min(export_run_id) as first_run_id from runs) as lake
    where told.table_name = 'backup_slots' and told.column_name = 'storage_used'
    group by told.export_source
  ),
  -- grain: a slot; is_never_used is null where days that were not kept may have used it
  ever as (
    select
      slots.export_source,
      slots.record_key,
      case
        when max(slots.storage_used) > 0 then false
        when bool_or(kept.is_cut) and min(slots.export_date) <= min(kept.first_date) then null
        else true
      end as is_never_used
    from backup_slots_daily as slots
    join kept on kept.export_source = slots.export_source
    group by slots.export_source, slots.record_key
  ),
  -- grain: a backup slot
  measured as (
    select
      backup_slots.export_source,
      backup_slots.storage_id,
      backup_slots.record_key,
      backup_slots.export_run_id,
      backup_slots.size,
      ever.is_never_used,
      case
        when
          backup_slots.usage_last_check is not null
          or counting.since is null
          or backup_slots.export_run_id < counting.since
          or backup_slots.storage_used = 0 and ever.is_never_used
          then backup_slots.storage_used
      end as used
    from backup_slots
    left join counting on counting.export_source = backup_slots.export_source
    left join ever on ever.export_source = backup_slots.export_source and ever.record_key = backup_slots.record_key
  ),
  -- grain: a source, with the first and the last run of its newest day
  newest as (
    select export_source, min(export_run_id) as export_run_id, max(scheduled_at) as scheduled_at
    from (
      select export_source, export_run_id, scheduled_at, export_date = max(export_date) over (partition by export_source) as is_newest_day
      from runs
    ) as run_days
    where is_newest_day
    group by export_source
  ),
  -- grain: a storage that has slots, or none in the newest run
  sums as (
    select
      export_source,
      storage_id,
      count(*) as slots,
      case when count(size) = count(*) then sum(cast(size as double)) end as slots_size,
      case when count(used) = count(*) then sum(cast(used as double)) end as slots_used,
      min(export_run_id) as export_run_id
    from measured
    group by export_source, storage_id
    union all
    select outcomes.export_source, outcomes.parent_id, 0, 0e0, 0e0, outcomes.export_run_id
    from outcomes
    left join measured
      on measured.export_source = outcomes.export_source and measured.storage_id = outcomes.parent_id
    where outcomes.resource = 'backup_slots' and outcomes.outcome = 'empty' and measured.storage_id is null
  )
select
  coalesce(slots.export_source, storages.export_source) as export_source,
  coalesce(slots.storage_id, storages.storage_id) as storage_id,
  concat(coalesce(slots.export_source, storages.export_source), '/', coalesce(slots.storage_id, storages.storage_id)) as storage_key,
  storages.customer_name as storage_name,
  slots.record_key as slot,
  slots.customer_name as slot_name,
  slots.size as slot_size,
  measured.used as slot_used,
  case when slots.size > 0 then cast(measured.used as double) / slots.size end as slot_used_share,
  slots.size - measured.used as slot_idle,
  measured.used = 0 and measured.is_never_used as is_never_backed_up,
  slots.usage_last_check,
  coalesce(slots.is_locked, slots.locked) as slot_locked,
  storages.size as storage_size,
  coalesce(cast(storages.storage_reserved as double), sums.slots_size) as storage_reserved,
  sums.slots_used as storage_used,
  case when storages.size > 0 then sums.slots_used / storages.size end as storage_used_share,
  case
    when storages.storage_reserved is null or sums.export_run_id >= storages.export_run_id
      then coalesce(cast(storages.storage_reserved as double), sums.slots_size) - sums.slots_used
  end as storage_idle,
  sums.slots as storage_slots,
  storages.nb_unallocated_slots as unallocated_slots,
  storages.expired_at,
  cast(date_diff(
    'millisecond',
    case when newest.scheduled_at > storages.exported_at then newest.scheduled_at else storages.exported_at end,
    storages.expired_at
  ) as double) / 86400000 as days_to_expiry,
  coalesce(storages.is_locked, storages.locked) as storage_locked,
  coalesce(storages.has_maintenance, storages.maintenance) as in_maintenance,
  newest.export_run_id is not null
    and coalesce(slots.export_run_id, storages.export_run_id) < newest.export_run_id as is_carried,
  coalesce(slots.exported_at, storages.exported_at) as exported_at
from backup_storages as storages
full join backup_slots as slots
  on slots.export_source = storages.export_source and slots.storage_id = storages.storage_id
left join measured
  on measured.export_source = slots.export_source and measured.record_key = slots.record_key
left join sums
  on sums.export_source = coalesce(slots.export_source, storages.export_source)
  and sums.storage_id = coalesce(slots.storage_id, storages.storage_id)
left join newest on newest.export_source = coalesce(slots.export_source, storages.export_source)
