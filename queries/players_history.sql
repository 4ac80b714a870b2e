-- grain: a player and a time in which what it says stayed the same
-- key: player_key, valid_from
-- question: What did each player say in which time, since when is it there, and when was it removed?
-- tells: player_name, valid_from, valid_to, city, box_state, license_type, transfer_status, first_seen, removed_at
-- order: export_source, player_id, valid_from desc
-- lists: players
-- uses: players.name varchar, players.custom_id varchar, players.box_id varchar, players.box_state varchar, players.is_installed boolean, players.is_licensed boolean, players.license_type varchar, players.transfer_status varchar, players.address varchar, players.post_code varchar, players.city varchar, players.country varchar, players.location_id bigint, players.edition_id bigint, players.configuration_group_id bigint, players.timezone_id bigint
-- A player begins a new row if a shown column of the API says something else than on the day before. Its times, which
-- change with each report, are not shown. Each day shows its last run. A day without an answer changes and removes
-- nothing. valid_to is the first day on which the row is no longer true. If the player was not listed on that day, it is
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
  -- grain: a day and a player
  compared as (
    select
      dailies.export_source,
      dailies.player_id,
      dailies.record_key,
      dailies.name,
      dailies.custom_id,
      dailies.box_id,
      dailies.box_state,
      dailies.is_installed,
      dailies.is_licensed,
      dailies.license_type,
      dailies.transfer_status,
      dailies.address,
      dailies.post_code,
      dailies.city,
      dailies.country,
      dailies.location_id,
      dailies.edition_id,
      dailies.configuration_group_id,
      dailies.timezone_id,
      run_days.day_number,
      lag(run_days.day_number) over days as day_before,
      max(run_days.day_number) over (partition by dailies.export_source, dailies.record_key) as last_day,
      dailies.name is distinct from lag(dailies.name) over days
        or dailies.custom_id is distinct from lag(dailies.custom_id) over days
        or dailies.box_id is distinct from lag(dailies.box_id) over days
        or dailies.box_state is distinct from lag(dailies.box_state) over days
        or dailies.is_installed is distinct from lag(dailies.is_installed) over days
        or dailies.is_licensed is distinct from lag(dailies.is_licensed) over days
        or dailies.license_type is distinct from lag(dailies.license_type) over days
        or dailies.transfer_status is distinct from lag(dailies.transfer_status) over days
        or dailies.address is distinct from lag(dailies.address) over days
        or dailies.post_code is distinct from lag(dailies.post_code) over days
        or dailies.city is distinct from lag(dailies.city) over days
        or dailies.country is distinct from lag(dailies.country) over days
        or dailies.location_id is distinct from lag(dailies.location_id) over days
        or dailies.edition_id is distinct from lag(dailies.edition_id) over days
        or dailies.configuration_group_id is distinct from lag(dailies.configuration_group_id) over days
        or dailies.timezone_id is distinct from lag(dailies.timezone_id) over days as is_other
    from players_daily as dailies
    join run_days on run_days.export_date = dailies.export_date
    window days as (partition by dailies.export_source, dailies.record_key order by run_days.day_number)
  ),
  -- grain: a player and a time in which what it says stayed the same
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
  began.export_date as valid_from,
  ended.next_date as valid_to,
  ended.next_date is null as is_current,
  seen.export_date as first_seen,
  case when coalesce(again_on, 0) <> until_day + 1 then ended.next_date end as removed_at,
  periods.name as player_name,
  periods.custom_id,
  periods.box_id,
  periods.box_state,
  periods.is_installed,
  periods.is_licensed,
  periods.license_type,
  periods.transfer_status,
  periods.address,
  periods.post_code,
  periods.city,
  periods.country,
  periods.location_id,
  periods.edition_id,
  periods.configuration_group_id,
  periods.timezone_id
from periods
join run_days as began on began.day_number = periods.day_number
join run_days as ended on ended.day_number = periods.until_day
join run_days as seen on seen.day_number = periods.first_day
