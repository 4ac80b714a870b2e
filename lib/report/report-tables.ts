import type { CellKind, Prominence, ReportColumn } from './report-data.ts';

/**
 * The query of a list of players, with what groups them: the column that it has already, or one more from `player_groups`
 * for the choice of a group and the download.
 */
export function withGroups(
  query: TableQuery,
  groups: readonly { readonly name: string; readonly column: string }[],
): TableQuery {
  if (!query.columns.some(([sql]) => sql === 'player_id')) return query;
  const own = query.columns.map(([sql, label, kind, place]): TableQuery['columns'][number] =>
    groups.some(({ column }) => column === sql) ? [sql, label, kind, place, sql] : [sql, label, kind, place],
  );
  const more = groups.filter(({ column }) => !query.columns.some(([sql]) => sql === column));
  if (more.length === 0) return { ...query, columns: own };
  const joins = more.map(
    ({ column }, index) =>
      `left join (select export_source, player_id, group_value as group__${index} from player_groups where group_by = '${column}') as group__table_${index} using (export_source, player_id)`,
  );
  return {
    ...query,
    from: `(select * from (select * from ${query.from}) as listed ${joins.join(' ')}) as grouped`,
    columns: [
      ...own,
      ...more.map(({ name, column }, index): TableQuery['columns'][number] => [
        `group__${index}`,
        name,
        'text',
        'key',
        column,
      ]),
    ],
  };
}

/** A table of the page: which rows of a view it shows. */
export interface TableQuery {
  readonly id: string;
  readonly title: string;
  readonly note: string;
  readonly view: string;
  /** FROM and what follows it, without ORDER BY. */
  readonly from: string;
  readonly columns: readonly (readonly [
    sql: string,
    label: string,
    kind: CellKind,
    place?: Prominence | undefined,
    /** The column of players that it shows, where that is a group. */
    group?: string,
  ])[];
  /** Where the rows are not those of the view; otherwise they stand in the view's own order. */
  readonly order?: string;
}

/**
 * Rows that a table of the page has at most; the views have them all. 100,000 rows of 9 cells are about 1.5 MB in the
 * page and 30 MB in a browser.
 */
export const ROWS_A_TABLE = 250_000;

export const PLAYER = "coalesce(nullif(player_name, ''), player_id)";
/** A player's screens are told apart by their number: most have no name. */
export const SCREEN =
  "coalesce(cast(screen_number as varchar), screen) || coalesce(' ' || nullif(display_name, ''), '')";

export const REPORT_TABLES: readonly TableQuery[] = [
  {
    id: 'screens',
    title: 'Screens off or stale',
    note: 'Stale: nothing reported for 8 hours before the export, whatever the screen last said. Screens of players that are not expected are left out.',
    view: 'screen_status',
    from: "screen_status where state in ('off', 'stale') and is_expected",
    columns: [
      [PLAYER, 'Player', 'text'],
      [SCREEN, 'Screen', 'text', 'telling'],
      ['city', 'City', 'text', 'telling'],
      ['state', 'State', 'state'],
      ['hours_in_state', 'For', 'hours'],
      ['since', 'Since', 'time', 'minor'],
      ['player_id', 'Player id', 'text', 'key'],
      ['export_source', 'Source', 'text', 'telling'],
    ],
  },
  {
    id: 'screens-since',
    title: 'Screens by their last change',
    note: 'When each last switched on or off. Whether it is on now, this API does not say. Screens of players that are not expected are left out.',
    view: 'screen_status',
    from: "screen_status where state = 'unknown' and since is not null and is_expected",
    columns: [
      [PLAYER, 'Player', 'text'],
      [SCREEN, 'Screen', 'text', 'telling'],
      ['city', 'City', 'text', 'telling'],
      ['hours_in_state', 'For', 'hours'],
      ['since', 'Since', 'time', 'minor'],
      ['player_id', 'Player id', 'text', 'key'],
      ['export_source', 'Source', 'text', 'telling'],
    ],
  },
  {
    id: 'hours',
    title: 'Screens off while their place was open',
    note: 'In the 24 hours before the export, by the opening hours of the config. Screens of players that are not expected are left out.',
    view: 'off_in_hours',
    from: 'off_in_hours where missed_hours_day > 0 and is_expected',
    columns: [
      [PLAYER, 'Player', 'text'],
      [SCREEN, 'Screen', 'text', 'telling'],
      ['city', 'City', 'text', 'telling'],
      ['state', 'State', 'state'],
      ['missed_hours_day', 'Missed in a day', 'hours'],
      ['missed_hours_week', 'Missed in a week', 'hours', 'minor'],
      ['since', 'Since', 'time', 'minor'],
      ['group_value', 'Hours of', 'text', 'minor'],
      ['player_id', 'Player id', 'text', 'key'],
      ['export_source', 'Source', 'text', 'telling'],
    ],
  },
  {
    id: 'players',
    title: 'Players offline or never seen',
    note: 'Offline: not seen for 8 hours before the export. Players that are not expected, for they are not activated, installed or licensed, are left out.',
    view: 'player_health',
    from: "player_health where health in ('offline', 'never seen') and is_expected",
    columns: [
      [PLAYER, 'Player', 'text'],
      ['city', 'City', 'text', 'telling'],
      ['health', 'Health', 'state'],
      ['offline_hours', 'Not seen for', 'hours'],
      ['last_access', 'Last seen', 'time', 'minor'],
      ['license_type', 'Licence', 'text', 'minor'],
      ['pending_transfers', 'Transfers', 'number', 'minor'],
      ['player_id', 'Player id', 'text', 'key'],
      ['export_source', 'Source', 'text', 'telling'],
    ],
  },
  {
    id: 'transfers',
    title: 'Pending transfers by player',
    note: 'Stuck: waiting for 24 hours, or overdue in the API’s own words. Where the API gives no date, the age counts from the first export that saw the transfer.',
    view: 'stuck_transfers',
    from: 'stuck_transfers',
    columns: [
      [PLAYER, 'Player', 'text'],
      ['city', 'City', 'text', 'telling'],
      ["case when is_stuck then 'stuck' else 'waiting' end", 'State', 'state'],
      ['pending', 'Pending', 'number'],
      ['oldest_age_hours', 'Oldest', 'hours'],
      ['oldest_since', 'Since', 'time', 'minor'],
      ['transfer_status', 'Transfer status', 'text', 'minor'],
      ['player_id', 'Player id', 'text', 'key'],
      ['export_source', 'Source', 'text', 'telling'],
    ],
  },
  {
    id: 'licenses',
    title: 'Licences',
    note: 'Lasts: the licences left, divided by what the trend of the last 30 days uses up a day. The API says no expiry date.',
    view: 'license_utilisation',
    from: 'license_utilisation',
    columns: [
      ['license_type', 'Type', 'text'],
      ['total', 'Total', 'number', 'minor'],
      ['used', 'Used', 'number', 'minor'],
      ['available', 'Left', 'number'],
      ['used_share', 'Used share', 'share'],
      ['days_to_exhaustion', 'Lasts', 'days'],
      ['export_source', 'Source', 'text', 'telling'],
    ],
  },
  {
    id: 'storages',
    title: 'Backup storages',
    note: 'Idle: reserved by slots and not used. Figures are missing where the use of a slot is not known.',
    view: 'backup_usage',
    from: `(
      select
        export_source, storage_id, max(storage_name) as storage_name, max(storage_size) as storage_size,
        max(storage_reserved) as storage_reserved, max(storage_used) as storage_used,
        max(storage_used_share) as storage_used_share, max(storage_idle) as storage_idle,
        max(storage_slots) as storage_slots, count_if(is_never_backed_up) as never_backed_up,
        max(expired_at) as expired_at
      from backup_usage
      group by export_source, storage_id
    ) as storages`,
    columns: [
      ["coalesce(nullif(storage_name, ''), storage_id)", 'Storage', 'text'],
      ['storage_used_share', 'Used share', 'share'],
      ['storage_used', 'Used', 'bytes'],
      ['storage_size', 'Size', 'bytes', 'minor'],
      ['storage_idle', 'Reserved and idle', 'bytes', 'minor'],
      ['storage_slots', 'Slots', 'number', 'minor'],
      ['never_backed_up', 'Never backed up', 'number'],
      ['expired_at', 'Expires', 'time', 'minor'],
      ['export_source', 'Source', 'text', 'telling'],
    ],
    order: 'storage_used_share desc nulls last, export_source, storage_id',
  },
  {
    id: 'slots',
    title: 'Backup slots that are full or were never backed up',
    note: 'Full: 90 % of the slot. A slot with 0 bytes is paid for and was never backed up.',
    view: 'backup_usage',
    from: 'backup_usage where slot is not null and (is_never_backed_up or slot_used_share >= 0.9)',
    columns: [
      ["coalesce(nullif(storage_name, ''), storage_id)", 'Storage', 'text'],
      ["coalesce(nullif(slot_name, ''), slot)", 'Slot', 'text'],
      ["case when is_never_backed_up then 'never backed up' else 'full' end", 'State', 'state'],
      ['slot_used_share', 'Used share', 'share'],
      ['slot_size', 'Size', 'bytes', 'minor'],
      ['export_source', 'Source', 'text', 'telling'],
    ],
  },
  {
    id: 'cost',
    title: 'Backup prices',
    note: 'Costs are the reserved GB of all storages times a price per GB, for the list’s own billing period, without minimums and tax: use them to compare, not to pay.',
    view: 'backup_cost',
    from: `(
      select
        export_source, price_key, max(price_name) as price_name, max(price) as price, max(unit) as unit,
        max(currency) as currency, count(storage_id) as storages, sum(reserved_gb) as reserved_gb,
        sum(cost) as cost, max(note) as note
      from backup_cost
      group by export_source, price_key
    ) as prices`,
    columns: [
      ['price_name', 'Price', 'text'],
      ['price', 'Amount', 'money'],
      ['unit', 'Per', 'text', 'minor'],
      ['currency', 'Currency', 'text'],
      ['storages', 'Storages', 'number', 'minor'],
      ['cost', 'Cost', 'money'],
      ['note', 'How', 'word', 'minor'],
      ['export_source', 'Source', 'text', 'telling'],
    ],
    order: 'cost desc nulls last, export_source, price_key',
  },
  {
    id: 'quality',
    title: 'Data quality',
    note: 'What to look at before these figures are trusted.',
    view: 'data_quality',
    from: 'data_quality',
    columns: [
      ['finding', 'Finding', 'word'],
      ['table_name', 'Table', 'text'],
      ['column_name', 'Column', 'text', 'telling'],
      ['"value"', 'Value', 'text', 'telling'],
      ['records', 'Records', 'number'],
      ['export_source', 'Source', 'text', 'telling'],
    ],
  },
];

export const NEWS: TableQuery = {
  id: 'news-list',
  title: 'News since the day before',
  note: 'Silence and use are those of the newest day, and of the day before it.',
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
  note: 'Coverage: listings answered, of all that the newest run had to ask for. Misfits: values that did not fit the type of their column.',
  view: 'export_health',
  from: 'export_health',
  columns: [
    ['export_source', 'Source', 'text'],
    ['observed_at', 'Last answer', 'age'],
    ['status', 'Status', 'state'],
    ['coverage', 'Coverage', 'share'],
    // What to do about it is not cut off where the screen is narrow.
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
    where (export_source, export_date) in (select (export_source, max(export_date)) from daily_trend group by export_source)
  ) as newest`,
  columns: [
    ['export_source', 'Source', 'text'],
    ['expected_players', 'Players expected', 'number'],
    ['cast(expected_players_online as double) / nullif(expected_players, 0)', 'Online', 'share'],
    ['expected_screens', 'Screens expected', 'number', 'minor'],
    ['cast(expected_screens_on as double) / nullif(expected_screens, 0)', 'On', 'share'],
    ['cast(expected_screens_stale as double) / nullif(expected_screens, 0)', 'Stale', 'share', 'minor'],
    ['pending_transfers', 'Pending transfers', 'number', 'minor'],
    ['cast(licenses_used as double) / nullif(licenses_total, 0)', 'Licences used', 'share', 'minor'],
    ['backup_used / nullif(backup_reserved, 0)', 'Backup used', 'share', 'minor'],
  ],
  order: 'expected_players desc nulls last, export_source',
};

export const reportColumns = (query: TableQuery): readonly ReportColumn[] =>
  query.columns.map(([sql, label, kind, place, group]) => ({
    label,
    kind,
    ...(place && { place }),
    ...(group !== undefined && { group }),
    ...(sql === 'player_id' && { is: 'player' as const }),
    ...(sql === 'export_source' && { is: 'source' as const }),
  }));
