-- grain: a source
-- key: export_source
-- question: How fresh and how complete is what the other views say, and did the API change?
-- tells: export_source, status, coverage, observed_at, hours_since_run, denied, failed, new_columns, misfits, questions
-- order: case status when 'failed' then 1 when 'partial' then 2 else 3 end, export_source
-- Coverage: (ok + empty + gone) ÷ all listings of the newest run. observed_at is the time of the last answer (ok,
-- empty or gone); if the newest run got none, that of an earlier run. hours_since_run counts from observed_at to now.
-- Drift: new_columns were first seen in the newest run, in a table of which an earlier run saw some; misfits are its
-- values that did not fit their column's type.
with
  -- grain: a source
  histories as (
    select
      export_source,
      count(*) as runs,
      min(case when runs.ok + runs.empty + runs.gone > 0 then export_run_id end) as first_run_id,
      max(export_run_id) as export_run_id,
      max(case when runs.ok + runs.empty + runs.gone > 0 then observed_at end) as observed_at,
      max(case when status = 'complete' then scheduled_at end) as last_complete_at
    from runs
    -- Without sources that have left the config.
    where export_source in (select export_source from outcomes)
    group by export_source
  ),
  -- grain: a source
  columns_seen as (
    select
      schema_columns.export_source,
      count(distinct case
        when column_seen = histories.export_run_id and histories.first_run_id < histories.export_run_id and table_seen < column_seen
          then concat(table_name, '.', column_name)
      end) as new_columns,
      count(distinct case when provisional then concat(table_name, '.', column_name) end) as provisional_columns,
      count(distinct question) as questions
    from (
      select
        schema_columns.*,
        min(first_seen) over (partition by export_source, table_name, column_name) as column_seen,
        min(first_seen) over (partition by export_source, table_name) as table_seen
      from schema_columns
    ) as schema_columns
    join histories on histories.export_source = schema_columns.export_source
    group by schema_columns.export_source
  ),
  -- grain: a source and a run
  misfits as (
    select export_source, export_run_id, sum("count") as misfits
    from rejects
    where reason = 'type'
    group by export_source, export_run_id
  )
select
  runs.export_source,
  runs.export_run_id,
  runs.scheduled_at,
  histories.observed_at,
  runs.status,
  runs.coverage,
  runs.listed,
  runs.ok,
  runs.empty,
  runs.gone,
  runs.denied,
  runs.failed,
  cast(
    date_diff(
      'millisecond',
      histories.observed_at,
      cast(current_timestamp at time zone 'UTC' as timestamp)
    ) as double
  ) / 3600000 as hours_since_run,
  histories.last_complete_at,
  histories.runs,
  coalesce(columns_seen.new_columns, 0) as new_columns,
  coalesce(misfits.misfits, 0) as misfits,
  coalesce(columns_seen.provisional_columns, 0) as provisional_columns,
  coalesce(columns_seen.questions, 0) as questions,
  runs.requests,
  runs.retries,
  runs.duration_seconds,
  runs.error_code,
  runs.message
from runs
join histories
  on histories.export_source = runs.export_source and histories.export_run_id = runs.export_run_id
left join columns_seen on columns_seen.export_source = runs.export_source
left join misfits
  on misfits.export_source = runs.export_source and misfits.export_run_id = runs.export_run_id
