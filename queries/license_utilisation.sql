-- grain: a licence type of a source
-- key: export_source, license_type
-- question: How many licences are used, how many are left, and when do they run out?
-- tells: license_type, total, available, used, used_share, used_a_day, fewer_a_day, days_to_exhaustion, is_carried
-- order: used_share desc nulls last, export_source, license_type
-- lists: licenses
-- needs: licenses.total_count bigint, which says how many licences there are
-- needs: licenses.available_count bigint, which says how many licences are left
-- uses: licenses.type varchar
-- fewer_a_day: licences that expire count, as those that come into use. What was bought counts as if it always was
-- there, if one day brought more than half of it. days_to_exhaustion: the available licences divided by fewer_a_day. It
-- counts from the source's newest run: days since the licences were read last are over. It is null if fewer than 14 days
-- are known. It is also null if a straight line explains less than half of the differences between the days (fit). It is
-- null if one day, or a short time without a reading, took more than half of what was taken: a step is no trend. It is null
-- if the last week took nothing, though the trend takes one or more a week. And it is null if it takes less than one in
-- 1,000 days. The API has no expiry dates. Records of one type are summed; a figure is null if one of them
-- lacks it.
with
  -- grain: a licence type and a day
  days as (
    select
      export_source,
      export_date,
      coalesce(type, record_key) as license_type,
      max(export_run_id) as export_run_id,
      cast(sum(total_count) as double) as total,
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
  -- grain: a source, with the first run of its newest day
  newest as (
    select
      export_source,
      min(export_run_id) as export_run_id,
      cast(date_diff('day', date '2000-01-01', cast(max(export_date) as date)) as double) as day_number
    from (
      select export_source, export_run_id, export_date, export_date = max(export_date) over (partition by export_source) as is_newest_day
      from runs
    ) as run_days
    where is_newest_day
    group by export_source
  ),
  -- grain: a licence type and one of the source's last 30 days, that tells the use, with what was bought since the last such day
  recent as (
    select
      readings.*,
      readings.day_number - max(readings.day_number) over (partition by readings.export_source, readings.license_type) as day,
      newest.day_number - readings.day_number as days_ago,
      readings.total - lag(readings.total) over (partition by readings.export_source, readings.license_type order by readings.day_number) as bought,
      readings.day_number - lag(readings.day_number) over (partition by readings.export_source, readings.license_type order by readings.day_number) as gap
    from readings
    join newest on newest.export_source = readings.export_source and readings.day_number > newest.day_number - 30
    where readings.reading = 1 and readings.used is not null
  ),
  -- grain: a licence type, and whether one purchase is most of what was bought
  purchases as (
    select
      export_source,
      license_type,
      max(bought) > sum(case when bought > 0 then bought end) / 2
        and max(bought) * -min(day) > 1.5e0 * max_by(gap, bought) * sum(case when bought > 0 then bought end) as is_jump
    from recent
    group by export_source, license_type
  ),
  -- grain: as recent, with how many were taken by use or expiry
  counts as (
    select
      recent.*,
      recent.used - recent.total + case
        when purchases.is_jump then coalesce(
          sum(case when recent.bought > 0 then recent.bought end) over (partition by recent.export_source, recent.license_type order by recent.day rows between unbounded preceding and current row),
          0e0
        )
        else 0e0
      end as taken
    from recent
    join purchases on purchases.export_source = recent.export_source and purchases.license_type = recent.license_type
  ),
  -- grain: as counts, with what was taken since the day before it
  steps as (
    select
      counts.*,
      taken - lag(taken) over (partition by export_source, license_type order by day) as grew
    from counts
  ),
  -- grain: a licence type; days are counted from the last one, because sums of large numbers would lose digits, and
  -- the slope is rounded, because its last digits depend on the order of the rows
  trends as (
    select
      export_source,
      license_type,
      count(used) as days,
      round(regr_slope(used, day), 9) as used_a_day,
      round(regr_slope(taken, day), 9) as fewer_a_day,
      case when min(taken) < max(taken) then round(power(corr(taken, day), 2), 9) end as fit,
      min(days_ago) as days_ago,
      max(grew) > (max(taken) - min(taken)) / 2
        and max(grew) * -min(day) > 1.5e0 * max_by(gap, grew) * (max(taken) - min(taken)) as is_step,
      coalesce(sum(case when day > -7 then grew end), 0) <= 0 and 7 * regr_slope(taken, day) >= 1 as has_ended
    from steps
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
  case when trends.days >= 14 then trends.fewer_a_day end as fewer_a_day,
  case
    when types.total > 0 and types.available <= 0 then 0e0
    when types.total > 0 and types.available is not null and trends.days >= 14 and trends.fit >= 0.5e0 and not trends.is_step and not trends.has_ended and trends.fewer_a_day > 0.001e0
      then greatest(0e0, cast(types.available as double) / trends.fewer_a_day - trends.days_ago)
  end as days_to_exhaustion,
  nullif(trends.days, 0) as days_of_trend,
  trends.fit,
  newest.export_run_id is not null and types.export_run_id < newest.export_run_id as is_carried,
  types.export_run_id,
  types.exported_at
from types
left join newest on newest.export_source = types.export_source
left join trends on trends.export_source = types.export_source and trends.license_type = types.license_type
