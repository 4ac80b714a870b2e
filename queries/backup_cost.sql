-- grain: a price and a storage where the price is one per GB, else a price
-- key: export_source, price_key, record_key, storage_id or null
-- question: What would each backup storage cost at each price of the price list?
-- tells: price_name, storage_name, cost, currency, price, unit, periodicity
-- order: cost desc nulls last, export_source, price_key, record_key, storage_id
-- lists: backup_pricing
-- uses: backup_pricing.code varchar, backup_pricing.name varchar, backup_pricing.price double, backup_pricing.unit varchar, backup_pricing.currency varchar, backup_pricing.periodicity varchar, backup_pricing.valid_from timestamp, backup_pricing.from_gb bigint, backup_pricing.storage_standard_price_per_gb double, backup_pricing.storage_archive_price_per_gb double, backup_storages.customer_name varchar, backup_storages.storage_reserved bigint, backup_storages.is_free boolean, backup_storages.is_zero_price boolean, backup_slots.size bigint
-- This API has no published price list. Two forms are recognised. The first has one record for each price, with price
-- and unit = 'gb'. The second has one record with prices per GB for standard and archive storage. Steps by size are not
-- multiplied. Any other price has a row without a storage, and note says so. Costs are for the reserved GB (10^9 bytes)
-- and for the list's own billing period. They have no minimums and no tax: use them to compare, not to pay. A storage
-- that is free of charge costs 0. A sum over
-- all rows counts a storage once for each price: sum cost and reserved_gb of one price_key and record_key of one source.
-- A price_key may have prices in several currencies and for several periods. Of each of them it has the price with the
-- newest valid_from up to the source's newest run. Earlier and later ones are in backup_pricing alone.
with
  -- grain: a source
  newest as (
    select export_source, max(scheduled_at) as scheduled_at
    from runs
    group by export_source
  ),
  -- grain: a price of any time
  listed as (
    select
      export_source,
      record_key,
      exported_at,
      valid_from,
      coalesce(code, record_key) as price_key,
      coalesce(name, code, record_key) as price_name,
      price,
      unit,
      currency,
      periodicity,
      coalesce(lower(unit), '') = 'gb' and price is not null and from_gb is null as is_per_gb
    from backup_pricing
    where storage_standard_price_per_gb is null and storage_archive_price_per_gb is null
    union all
    select
      export_source, record_key, exported_at, valid_from, 'storage.standard', 'standard', storage_standard_price_per_gb, 'gb', currency, periodicity, true
    from backup_pricing
    where storage_standard_price_per_gb is not null
    union all
    select
      export_source, record_key, exported_at, valid_from, 'storage.archive', 'archive', storage_archive_price_per_gb, 'gb', currency, periodicity, true
    from backup_pricing
    where storage_archive_price_per_gb is not null
  ),
  -- grain: a price that began
  begun as (
    select
      listed.*,
      rank() over (
        partition by listed.export_source, listed.price_key, listed.currency, listed.periodicity
        order by listed.valid_from desc nulls last
      ) as age
    from listed
    left join newest on newest.export_source = listed.export_source
    where
      listed.valid_from is null
      or listed.valid_from <= listed.exported_at
      or listed.valid_from <= newest.scheduled_at
  ),
  -- grain: a price that is valid
  prices as (
    select *
    from begun
    where age = 1
  ),
  -- grain: a storage that has slots, or none in the newest run
  slots as (
    select export_source, storage_id, case when count(size) = count(*) then sum(cast(size as double)) end as size
    from backup_slots
    group by export_source, storage_id
    union all
    select outcomes.export_source, outcomes.parent_id, 0e0
    from outcomes
    left join backup_slots
      on backup_slots.export_source = outcomes.export_source and backup_slots.storage_id = outcomes.parent_id
    where outcomes.resource = 'backup_slots' and outcomes.outcome = 'empty' and backup_slots.storage_id is null
  ),
  -- grain: a storage
  sizes as (
    select
      storages.export_source,
      storages.storage_id,
      storages.customer_name as storage_name,
      coalesce(cast(storages.storage_reserved as double), slots.size) / 1e9 as reserved_gb,
      coalesce(storages.is_free, false) or coalesce(storages.is_zero_price, false) as is_free
    from backup_storages as storages
    left join slots
      on slots.export_source = storages.export_source and slots.storage_id = storages.storage_id
  )
select
  prices.export_source,
  prices.price_key,
  prices.record_key,
  prices.price_name,
  prices.price,
  prices.unit,
  prices.currency,
  prices.periodicity,
  sizes.storage_id,
  case when sizes.storage_id is not null then concat(prices.export_source, '/', sizes.storage_id) end as storage_key,
  sizes.storage_name,
  sizes.reserved_gb,
  case
    when prices.is_per_gb and sizes.is_free then 0e0
    when prices.is_per_gb then sizes.reserved_gb * prices.price
  end as cost,
  case
    when prices.is_per_gb and sizes.is_free then 'free of charge'
    when prices.is_per_gb and sizes.storage_id is not null then 'reserved GB × price, without minimums and tax'
    when prices.is_per_gb then 'price per GB, no storages'
    when prices.price is not null then 'price alone: not one per GB'
    else 'structure not recognised: see the table backup_pricing'
  end as note
from prices
left join sizes on sizes.export_source = prices.export_source and prices.is_per_gb
