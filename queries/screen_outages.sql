-- grain: a screen and an outage
-- key: screen_key, started_at
-- question: When was which screen off or silent, for how long, and for how long of its opening hours?
-- tells: screen_key, started_at, ended_at, hours, open_hours
-- order: started_at desc, export_source, screen_key
-- lists: screens
-- needs: screens.is_on boolean, which says whether a screen is on
-- needs: screens.last_update timestamp, which says when a screen last reported
-- A screen is out while it is off, and while it reports nothing for 8 hours. …_by: api if the API has the time
-- (last_status_change, last_update), otherwise observed, as in device_states. ended_at is null while the outage lasts.
-- For a screen that is removed or no longer expected, it ends when the screen was last seen. That is no repair: after
-- one device_states goes on. A screen that is back as dark as it was is in the same outage. hours: how long the screen
-- is known to be out, up to the last run that knew it. Days on which its player was not expected do not count. It may
-- be more than in device_days, which has no hours before the first listing and while the screen is away. open_hours:
-- the same while its place was open; null for a place without opening hours. sampling_error_hours: how many hours more
-- or less it may be, where a time is observed; null if it began before anybody saw the screen. unknown_hours: before,
-- within and after it, of which nobody knows; it may have lasted so much longer.
select
  export_source,
  player_id,
  concat(export_source, '/', player_id) as player_key,
  device_key as screen_key,
  started_at,
  started_by,
  ended_at,
  ended_by,
  hours,
  open_hours,
  sampling_error_hours,
  unknown_hours
from outages
where level = 'screen'
