-- grain: a day, with and without a run
-- key: export_date
-- question: Which days are there, when did each begin and end, and did an export run on it?
-- tells: export_date, runs, starts_at, ends_at
-- order: export_date desc
-- Every day from a year before the first run to the newest run. Days are by the clocks of the config's timeZone, like
-- export_date. A day has 23 or 25 hours if summer time begins or ends on it. Where clocks show a midnight
-- twice, the first begins the day. week_start is its Monday, month_start the
-- first of its month.
with
  -- grain: one row
  zones as (
    select zone
    from config_zone
  ),
  -- grain: a day with a run
  run_days as (
    select export_date, count(distinct export_run_id) as runs
    from runs
    group by export_date
  ),
  -- grain: one row
  bounds as (
    select
      cast(min(cast(export_date as date)) - interval '366' day as date) as first_day,
      max(cast(export_date as date)) as last_day
    from run_days
  ),
  -- grain: one row; a run may be answered on a later day than it was due on
  answered as (
    select max(cast(at_timezone(with_timezone(runs.observed_at, 'UTC'), zones.zone) as date)) as last_day
    from runs
    cross join zones
  ),
  -- grain: a digit
  digits as (
    select digit
    from (values (0), (1), (2), (3), (4), (5), (6), (7), (8), (9)) as ten (digit)
  ),
  -- grain: a day
  days as (
    select cast(bounds.first_day + (ones.digit + 10 * tens.digit + 100 * hundreds.digit + 1000 * thousands.digit) * interval '1' day as date) as day
    from bounds
    cross join digits as ones
    cross join digits as tens
    cross join digits as hundreds
    cross join digits as thousands
    cross join answered
    where
      bounds.first_day + (ones.digit + 10 * tens.digit + 100 * hundreds.digit + 1000 * thousands.digit) * interval '1' day
      <= case when answered.last_day > bounds.last_day then answered.last_day else bounds.last_day end
  ),
  -- grain: a day, with the midnights at both its ends, of two either one
  midnights as (
    select
      days.day,
      zones.zone,
      cast(at_timezone(with_timezone(cast(days.day as timestamp), zones.zone), 'UTC') as timestamp) as starts_at,
      cast(at_timezone(with_timezone(cast(days.day + interval '1' day as timestamp), zones.zone), 'UTC') as timestamp) as ends_at
    from days
    cross join zones
  )
select
  cast(days.day as varchar) as export_date,
  days.day as "date",
  cast(date_trunc('week', days.day) as date) as week_start,
  cast(date_trunc('month', days.day) as date) as month_start,
  case
    when cast(at_timezone(with_timezone(days.starts_at - interval '1' hour, 'UTC'), days.zone) as date) = days.day
      then days.starts_at - interval '1' hour
    else days.starts_at
  end as starts_at,
  case
    when cast(at_timezone(with_timezone(days.ends_at - interval '1' hour, 'UTC'), days.zone) as date) > days.day
      then days.ends_at - interval '1' hour
    else days.ends_at
  end as ends_at,
  coalesce(run_days.runs, 0) as runs
from midnights as days
left join run_days on run_days.export_date = cast(days.day as varchar)
