-- grain: a screen and a time in which what it says stayed the same
-- key: screen_key, valid_from
-- question: What did each screen say in which time, since when is it there, and when was it removed?
-- tells: screen, valid_from, valid_to, display_name, is_on, status, orientation, first_seen, removed_at
-- order: export_source, screen, valid_from desc
-- lists: screens
-- uses: screens.number bigint, screens.display_name varchar, screens.is_on boolean, screens.status bigint, screens.orientation varchar, screens.pending_orientation varchar
-- A screen begins a new row if a shown column of the API says something else than on the day before. Its times, which
-- change with each report, are not shown. Each day shows its last run. A day without an answer changes and removes
-- nothing. valid_to is the first day on which the row is no longer true. If the screen was not listed on that day, it is
-- removed_at too. Columns of days are text, as export_date.
with
  -- grain: a day with a run
  run_days as (
    select
      export_date,
      row_number() over (order by export_date) as day_number,
      lead(export_date) over (order by export_date) as next_date
    from (select distinct export_date from runs) as days
  ),
  -- grain: a day and a screen
  compared as (
    select
      dailies.export_source,
      dailies.player_id,
      dailies.record_key,
      dailies.number,
      dailies.display_name,
      dailies.is_on,
      dailies.status,
      dailies.orientation,
      dailies.pending_orientation,
      run_days.day_number,
      lag(run_days.day_number) over days as day_before,
      max(run_days.day_number) over (partition by dailies.export_source, dailies.record_key) as last_day,
      dailies.number is distinct from lag(dailies.number) over days
        or dailies.display_name is distinct from lag(dailies.display_name) over days
        or dailies.is_on is distinct from lag(dailies.is_on) over days
        or dailies.status is distinct from lag(dailies.status) over days
        or dailies.orientation is distinct from lag(dailies.orientation) over days
        or dailies.pending_orientation is distinct from lag(dailies.pending_orientation) over days as is_other
    from screens_daily as dailies
    join run_days on run_days.export_date = dailies.export_date
    window days as (partition by dailies.export_source, dailies.record_key order by run_days.day_number)
  ),
  -- grain: a screen and a time in which what it says stayed the same
  periods as (
    select
      compared.*,
      min(day_number) over (partition by export_source, record_key) as first_day,
      coalesce(lead(day_before) over days, last_day) as until_day,
      lead(day_number) over days as again_on
    from compared
    where is_other or day_before is null or day_before < day_number - 1
    window days as (partition by export_source, record_key order by day_number)
  )
select
  periods.export_source,
  periods.player_id,
  concat(periods.export_source, '/', periods.player_id) as player_key,
  periods.record_key as screen,
  concat(periods.export_source, '/', periods.record_key) as screen_key,
  began.export_date as valid_from,
  ended.next_date as valid_to,
  ended.next_date is null as is_current,
  seen.export_date as first_seen,
  case when coalesce(again_on, 0) <> until_day + 1 then ended.next_date end as removed_at,
  periods.number as screen_number,
  periods.display_name,
  periods.is_on,
  periods.status,
  periods.orientation,
  periods.pending_orientation
from periods
join run_days as began on began.day_number = periods.day_number
join run_days as ended on ended.day_number = periods.until_day
join run_days as seen on seen.day_number = periods.first_day
