-- grain: a screen and a day
-- key: screen_key, export_date
-- question: Which share of the time was each screen on, day by day?
-- tells: screen, export_date, on_share, on_hours, off_hours, unknown_hours
-- order: export_date desc, on_share nulls last, export_source, screen
-- lists: screens
-- needs: screens.is_on boolean, which says whether a screen is on
-- needs: screens.last_update timestamp, which says when a screen last reported
-- A screen is on while it has no outage, as in screen_outages, and its state is not unknown, as in device_states. All
-- other hours are unknown. They belong to their day by the clocks of the config's timeZone. Days on which its player
-- was not expected are left out. If the API does not show when a screen switched, the middle between two runs counts.
-- sampling_error_hours is the possible error of this.
select
  export_source,
  player_id,
  concat(export_source, '/', player_id) as player_key,
  device_key as screen_key,
  record_key as screen,
  export_date,
  cast(export_date as date) as "date",
  case when known_hours > 0 then (known_hours - off_hours) / known_hours end as on_share,
  case when known_hours > 0 then sampling_error_hours / known_hours end as sampling_error,
  known_hours - off_hours as on_hours,
  off_hours,
  unknown_hours,
  sampling_error_hours
from device_days
where level = 'screen'
