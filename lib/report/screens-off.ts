/**
 * SQL of the screens with the hours since they went off. If the API does not say when, the first run that saw it off
 * counts. A time without a state or without the screen, between two times off, is part of it, as in `screen_outages`.
 */
export function screensWithHoursOff(since: string): string {
  return `(
      select
        screen_status.*,
        coalesce(case when since <= exported_at then hours_in_state end, date_diff('second', coalesce(seen_off.changed_at, days_off.first_at, first_runs.first_at), exported_at) / 3600.0) as hours_off
      from screen_status
      left join (
        select
          export_source,
          record_key as screen,
          coalesce(
            min(changed_at) filter (changed_at = next_at and new_value = 'false'),
            max(on_at)
          ) as changed_at
        from (
          select *, min(changed_at) filter (on_at is null or changed_at > on_at) over screen_rows as next_at
          from (
            select
              *,
              max(changed_at) filter (change = 'added' and not was_off or 'true' in (old_value, new_value)) over screen_rows as on_at
            from (
              select
                changes.*,
                coalesce(
                  max_by(new_value, case when new_value is not null then changed_at end) over (partition by export_source, record_key order by changed_at),
                  last_shown.state,
                  ''
                ) in ('false', 'off') as was_off
              from changes
              left join (
                select added.export_source, added.record_key, added.changed_at, max_by(screen_days.state, screen_days.export_date) as state
                from changes as added
                join screen_days on screen_days.export_source = added.export_source and screen_days.screen = added.record_key
                where
                  added.table_name = 'screens' and added.change = 'added'
                  and screen_days.state in ('on', 'off') and screen_days.export_date < added.export_date
                group by added.export_source, added.record_key, added.changed_at
              ) as last_shown using (export_source, record_key, changed_at)
              where table_name = 'screens' and (change = 'added' or column_name = 'is_on')
            ) as with_state
            window screen_rows as (partition by export_source, record_key)
          ) as last_on
          window screen_rows as (partition by export_source, record_key)
        ) as next_change
        group by export_source, record_key
      ) as seen_off using (export_source, screen)
      left join (
        -- Changes from before the config named the column have another name.
        select export_source, screen, min(exported_at) filter (state = 'off' and exported_at > on_at) as first_at
        from (
          select *, max(exported_at) filter (state = 'on') over (partition by export_source, screen) as on_at
          from screen_days
          semi join (select export_source, screen from screen_status where state = 'off') using (export_source, screen)
        ) as shown_days
        group by export_source, screen
      ) as days_off using (export_source, screen)
      left join (
        select export_source, min(scheduled_at) as first_at
        from runs
        where export_date >= '${since}'
        group by export_source
      ) as first_runs using (export_source)
    )`;
}
