import type { TableQuery } from './table-query.ts';

/* Tables with a section of the page for each. */

export const NEWS: TableQuery = {
  id: 'news-list',
  title: 'News since the day before',
  note: 'Silent for: the hours without a report on the newest day.',
  view: 'news',
  from: 'news where days = 1',
  columns: [
    ['name', 'Name', 'text'],
    ['news', 'News', 'word'],
    ['city', 'City', 'text', 'telling'],
    [
      "case when news like 'player %' or news like 'screen %' then \"value\" end",
      'Silent for',
      'hours',
      'minor',
    ],
    ['export_source', 'Source', 'text', 'telling'],
  ],
};

export const FRESHNESS: TableQuery = {
  id: 'freshness',
  title: 'Freshness and coverage',
  note: 'Coverage: listings answered, of all that the newest run had to request. Misfits: values that did not fit the type of their column.',
  view: 'export_health',
  from: 'export_health',
  columns: [
    ['export_source', 'Source', 'text'],
    ['observed_at', 'Last answer', 'age'],
    ['status', 'Status', 'state'],
    ['coverage', 'Coverage', 'share'],
    // A narrow screen must not cut the cure.
    ['message', 'What happened', 'text', 'telling'],
    ['case when listed > 0 or denied + failed = 0 then listed end', 'Listed', 'number', 'minor'],
    ['denied + failed', 'Not answered', 'number', 'minor'],
    ['new_columns', 'New columns', 'number', 'minor'],
    ['misfits', 'Misfits', 'number', 'minor'],
  ],
};

export const COMPARISON: TableQuery = {
  id: 'comparison',
  title: 'Sources compared',
  note: 'The newest day of each source.',
  view: 'daily_trend',
  from: `(
    select * from daily_trend
    where (export_source, export_date) in (select (export_source, max(export_date)) from daily_trend where runs > 0 group by export_source)
      and export_source in (select export_source from outcomes)
  ) as newest`,
  columns: [
    ['export_source', 'Source', 'text'],
    ['expected_players', 'Players expected', 'number'],
    ['cast(expected_players_online as double) / nullif(expected_players, 0)', 'Online', 'share'],
    ['expected_players_unknown', 'Players not known', 'number', 'minor'],
    ['expected_screens', 'Screens expected', 'number', 'minor'],
    ['cast(expected_screens_on as double) / nullif(expected_screens, 0)', 'On', 'share'],
    ['cast(expected_screens_stale as double) / nullif(expected_screens, 0)', 'Stale', 'share', 'minor'],
    ['expected_screens_unknown', 'Screens not known', 'number', 'minor'],
    ['pending_transfers', 'Pending transfers', 'number', 'minor'],
    ['cast(licenses_used as double) / nullif(licenses_total, 0)', 'Licences used', 'share', 'minor'],
    ['backup_used / nullif(backup_slots_size, 0)', 'Backup used', 'share', 'minor'],
  ],
  order: 'expected_players desc nulls last, export_source',
};
