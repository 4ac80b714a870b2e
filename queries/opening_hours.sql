-- grain: a place with opening hours and a time in which it is open, cut at midnight
-- key: group_value, opens_at
-- question: When was each place open?
-- tells: group_value, export_date, opens_at, closes_at
-- order: group_value, opens_at
-- The lines of the config's `hours`, as times of each day of the view dates. export_date is the day by the clocks of
-- the config's timeZone; an opening past midnight has two rows. group_value is * for the hours of every player without
-- other hours. No hour is there twice: where lines of two zones overlap, the later one begins when the earlier one ends.
-- A line with `since` or `until` holds for the days from the one to the other. Every other line holds for all days.
with
  -- grain: a line of opening hours
  hour_lines as (
    select cast(group_value as varchar) as group_value, weekdays, opens, closes, zone, since, until
    from config_hours
  ),
  -- grain: a day, and some before it for what opens when it is another day by the clocks of another zone
  days as (
    select distinct cast(dates."date" - ago.days * interval '1' day as date) as day
    from dates
    cross join (values (-1), (0), (1), (2)) as ago (days)
  ),
  -- grain: a place and an opening, by the clocks of its zone
  written as (
    select
      hour_lines.group_value,
      days.day,
      cast(at_timezone(with_timezone(
        cast(days.day as timestamp) + hour_lines.opens * interval '1' minute,
        hour_lines.zone
      ), 'UTC') as timestamp) as opens_at,
      cast(at_timezone(with_timezone(
        cast(days.day as timestamp) + hour_lines.closes * interval '1' minute,
        hour_lines.zone
      ), 'UTC') as timestamp) as closes_at
    from days
    join hour_lines
      on strpos(hour_lines.weekdays, cast(date_diff('day', date '2001-01-01', days.day) % 7 + 1 as varchar)) > 0
      and cast(days.day as varchar) >= hour_lines.since
      and (hour_lines.until = '' or cast(days.day as varchar) <= hour_lines.until)
  ),
  -- grain: a place and an opening, without what is in those before it
  openings as (
    select
      group_value,
      day,
      case when closed_at > opens_at then closed_at else opens_at end as opens_at,
      closes_at
    from (
      select
        written.*,
        max(closes_at) over (
          partition by group_value
          order by opens_at, closes_at
          rows between unbounded preceding and 1 preceding
        ) as closed_at
      from written
      where closes_at > opens_at
    ) as in_order
    where closed_at is null or closes_at > closed_at
  ),
  -- grain: a place, an opening and a day that may have a part of it
  by_day as (
    select openings.*, cast(openings.day + later.days * interval '1' day as date) as on_day
    from openings
    cross join (values (-1), (0), (1), (2)) as later (days)
  )
select
  by_day.group_value,
  dates.export_date,
  cast(dates.export_date as date) as "date",
  case when by_day.opens_at < dates.starts_at then dates.starts_at else by_day.opens_at end as opens_at,
  case when by_day.closes_at > dates.ends_at then dates.ends_at else by_day.closes_at end as closes_at
from by_day
join dates on dates."date" = by_day.on_day
where dates.starts_at < by_day.closes_at and dates.ends_at > by_day.opens_at
