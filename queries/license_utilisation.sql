-- grain: a licence type of a source
-- key: export_source, license_type
-- question: How many licences are used, how many are left, and when do they run out?
-- tells: license_type, total, available, used, used_share, used_a_day, days_to_exhaustion
-- order: used_share desc nulls last, export_source, license_type
-- lists: licenses
-- needs: licenses.total_count bigint, which says how many licences there are
-- needs: licenses.available_count bigint, which says how many licences are left
-- uses: licenses.type varchar
-- days_to_exhaustion: the available licences divided by the licences a day that the trend of the last 30 days uses up.
-- It is null if fewer than 14 days are known. It is also null if a straight line explains less than half of the
-- differences between the days (fit). It is null if one day brought more than half of the growth: a step is no trend. It
-- is null if the last week brought nothing, though the trend brings one or more a week. And it is null if the use grows
-- by less than one in 1,000 days. The API has no expiry dates. Records of one type are summed; a figure is null if one
-- of them lacks it.
with
  -- grain: a licence type and a day
  days as (
    select
      export_source,
      export_date,
      coalesce(type, record_key) as license_type,
      max(export_run_id) as export_run_id,
      case when count(total_count - available_count) = count(*) then cast(sum(total_count - available_count) as double) end as used
    from licenses_daily
    group by export_source, export_date, coalesce(type, record_key)
  ),
  -- grain: a licence type and a day on which it was read
  readings as (
    select
      days.*,
      cast(date_diff('day', date '2000-01-01', cast(export_date as date)) as double) as day_number,
      row_number() over (partition by export_source, license_type, export_run_id order by export_date) as reading
    from days
  ),
  -- grain: a licence type
  last_days as (
    select export_source, license_type, max(day_number) as day_number
    from readings
    group by export_source, license_type
  ),
  -- grain: a licence type and one of its last 30 days, that tells the use, with the growth since the last such day
  recent as (
    select
      readings.*,
      readings.day_number - last_days.day_number as day,
      readings.used - lag(readings.used) over (partition by readings.export_source, readings.license_type order by readings.day_number) as grew
    from readings
    join last_days
      on last_days.export_source = readings.export_source
      and last_days.license_type = readings.license_type
      and readings.day_number > last_days.day_number - 30
    where readings.reading = 1 and readings.used is not null
  ),
  -- grain: a licence type; days are counted from the last one, because sums of large numbers would lose digits, and
  -- the slope is rounded, because its last digits depend on the order of the rows
  trends as (
    select
      export_source,
      license_type,
      count(used) as days,
      round(regr_slope(used, day), 9) as used_a_day,
      case when min(used) < max(used) then round(power(corr(used, day), 2), 9) end as fit,
      max(grew) > (max(used) - min(used)) / 2 as is_step,
      coalesce(sum(case when day > -7 then grew end), 0) <= 0 and 7 * regr_slope(used, day) >= 1 as has_ended
    from recent
    group by export_source, license_type
  ),
  -- grain: a licence type
  types as (
    select
      export_source,
      coalesce(type, record_key) as license_type,
      case when count(total_count) = count(*) then cast(sum(total_count) as bigint) end as total,
      case when count(available_count) = count(*) then cast(sum(available_count) as bigint) end as available,
      case when count(total_count - available_count) = count(*) then cast(sum(total_count - available_count) as bigint) end as used,
      min(export_run_id) as export_run_id,
      min(exported_at) as exported_at
    from licenses
    group by export_source, coalesce(type, record_key)
  )
select
  types.export_source,
  types.license_type,
  types.total,
  types.available,
  types.used,
  case when types.total > 0 then cast(types.used as double) / types.total end as used_share,
  case when trends.days >= 14 then trends.used_a_day end as used_a_day,
  case
    when types.total > 0 and types.available <= 0 then 0e0
    when types.total > 0 and trends.days >= 14 and trends.fit >= 0.5e0 and not trends.is_step and not trends.has_ended and trends.used_a_day > 0.001e0
      then cast(types.available as double) / trends.used_a_day
  end as days_to_exhaustion,
  nullif(trends.days, 0) as days_of_trend,
  trends.fit,
  types.export_run_id,
  types.exported_at
from types
left join trends on trends.export_source = types.export_source and trends.license_type = types.license_type
