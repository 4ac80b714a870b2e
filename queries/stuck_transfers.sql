-- grain: a player with pending transfers
-- key: player_key
-- question: Which players wait for files, how many and for how long?
-- tells: player_name, city, is_stuck, pending, scheduled, oldest_age_hours, idle_hours, oldest_since, transfer_status, is_expected
-- order: is_expected desc, is_stuck desc nulls last, idle_hours desc nulls last, pending desc, export_source, player_id
-- lists: pending_file_transfers
-- uses: pending_file_transfers.created timestamp, pending_file_transfers.scheduled_at timestamp, pending_file_transfers.transferred bigint, pending_file_transfers.transfers varchar
-- The newest day of transfer_days. scheduled: how many of the pending transfers start later; they do not wait yet. The
-- others wait since the API's own date, or since their start. A start that the API moves counts anew. Without a date, a
-- transfer waits since the last export of the first day that saw it, and may be older (age_from says which). One that
-- was removed and queued again is as old as its second time. idle_hours: the longest time without known progress; it may
-- be a day too long.
-- Progress is more bytes than all answers told before, since the file was queued. If the API tells no bytes, the whole
-- wait counts. is_stuck: idle for 24 hours, or overdue by the API's own word. It is null where nobody knows. So it is if
-- the first known bytes of an old transfer are some already, or if only earlier answers told bytes. So it is if it moved
-- within 36 hours or more without known bytes. And so it is without a date, if it came with its player or after 36 hours
-- without a run. If a record holds a list of transfers, or their number, each of them counts.
select
  days.export_source,
  days.player_id,
  days.player_key,
  days.player_name,
  days.city,
  days.transfer_status,
  days.pending,
  days.scheduled,
  days.oldest_since,
  days.oldest_age_hours,
  days.age_from,
  days.idle_hours,
  days.is_stuck,
  days.is_expected,
  days.is_carried,
  days.export_run_id,
  days.exported_at
from transfer_days as days
join (
  select export_source, max(export_date) as export_date
  from runs
  -- Without sources that have left the config.
  where export_source in (select export_source from outcomes)
  group by export_source
) as newest
  on newest.export_source = days.export_source and newest.export_date = days.export_date
