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
-- differences between the days (fit). It is null if one day brought more than half of the growth: a step is no trend. And
-- it is null if the use grows by less than one in 1,000 days. The API has no expiry dates.
with
  -- grain: a licence type and a day on which it was read
  days as (
    select
      export_source,
      record_key,
      cast(total_count - available_count as double) as used,
      cast(date_diff('day', date '2000-01-01', cast(export_date as date)) as double) as day_number,
      row_number() over (partition by export_source, record_key, export_run_id order by export_date) as reading
    from licenses_daily
  ),
  -- grain: a licence type
  last_days as (
    select export_source, record_key, max(day_number) as day_number
    from days
    group by export_source, record_key
  ),
  -- grain: a licence type and one of its last 30 days, with the growth since the day before
  recent as (
    select
      days.*,
      days.day_number - last_days.day_number as day,
      days.used - lag(days.used) over (partition by days.export_source, days.record_key order by days.day_number) as grew
    from days
    join last_days
      on last_days.export_source = days.export_source
      and last_days.record_key = days.record_key
      and days.day_number > last_days.day_number - 30
    where days.reading = 1
  ),
  -- grain: a licence type; days are counted from the last one, because sums of large numbers would lose digits, and
  -- the slope is rounded, because its last digits depend on the order of the rows
  trends as (
    select
      export_source,
      record_key,
      count(used) as days,
      round(regr_slope(used, day), 9) as used_a_day,
      case when min(used) < max(used) then round(power(corr(used, day), 2), 9) end as fit,
      max(grew) > (max(used) - min(used)) / 2 as is_step
    from recent
    group by export_source, record_key
  )
select
  licenses.export_source,
  coalesce(licenses.type, licenses.record_key) as license_type,
  licenses.total_count as total,
  licenses.available_count as available,
  licenses.total_count - licenses.available_count as used,
  case
    when licenses.total_count > 0
      then cast(licenses.total_count - licenses.available_count as double) / licenses.total_count
  end as used_share,
  case when trends.days >= 14 then trends.used_a_day end as used_a_day,
  case
    when licenses.total_count > 0 and licenses.available_count <= 0 then 0e0
    when licenses.total_count > 0 and trends.days >= 14 and trends.fit >= 0.5e0 and not trends.is_step and trends.used_a_day > 0.001e0
      then cast(licenses.available_count as double) / trends.used_a_day
  end as days_to_exhaustion,
  nullif(trends.days, 0) as days_of_trend,
  trends.fit,
  licenses.export_run_id,
  licenses.exported_at
from licenses
left join trends on trends.export_source = licenses.export_source and trends.record_key = licenses.record_key
