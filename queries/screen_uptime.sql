-- grain: a screen and a day
-- question: Which share of the time was each screen on, day by day?
-- tells: screen, export_date, on_share, on_hours, off_hours, unknown_hours
-- order: export_date desc, on_share nulls last, export_source, screen
-- lists: screens
-- needs: screens.is_on boolean, which says whether a screen is on
-- needs: screens.last_update timestamp, which says when a screen last reported, and so which are stale
-- A screen is on while it has no outage, as in screen_outages, between two runs in a row that knew its state; all other
-- hours are unknown. They belong to the day in which they lie, by the clocks of the config's timeZone. Days on which its
-- player was not expected are left out. Where the API does not tell when a screen switched, half-way between two runs
-- stands for it, and sampling_error_hours is how much that may be wrong.
select
  export_source,
  player_id,
  concat(export_source, '/', player_id) as player_key,
  device_key as screen_key,
  record_key as screen,
  export_date,
  case when known_hours > 0 then (known_hours - off_hours) / known_hours end as on_share,
  case when known_hours > 0 then sampling_error_hours / known_hours end as sampling_error,
  known_hours - off_hours as on_hours,
  off_hours,
  unknown_hours,
  sampling_error_hours
from device_days
where level = 'screen'
