import { NO_HOURS } from './opening-hours.ts';
import type { TableQuery } from './table-query.ts';

export const PLAYER = "coalesce(nullif(player_name, ''), player_id)";
/** A player's screens differ by their number: most have no name. */
export const SCREEN =
  "coalesce(cast(screen_number as varchar), screen) || coalesce(' ' || nullif(display_name, ''), '')";

const SCREEN_NAMES: TableQuery['columns'] = [
  [PLAYER, 'Player', 'text'],
  [SCREEN, 'Screen', 'text', 'telling'],
  ['city', 'City', 'text', 'telling'],
];
/** The last column of each table. */
const SOURCE: TableQuery['columns'][number] = ['export_source', 'Source', 'text', 'telling'];

const TABLES: readonly TableQuery[] = [
  {
    id: 'screens',
    title: 'Screens off or stale',
    note: 'Stale: nothing reported for 8 hours before the export, whatever the screen last said. Screens of players that are not expected are left out.',
    view: 'screen_status',
    from: "screen_status where state in ('off', 'stale') and is_expected",
    columns: [
      ...SCREEN_NAMES,
      ['state', 'State', 'state'],
      ['hours_in_state', 'For', 'hours'],
      ['since', 'Since', 'time', 'minor'],
      ['player_id', 'Player id', 'text', 'key'],
    ],
  },
  {
    id: 'screens-since',
    title: 'Screens by their last change',
    note: 'When each last switched on or off. Whether it is on now, this API does not say. Screens of players that are not expected are left out.',
    view: 'screen_status',
    from: "screen_status where state = 'unknown' and since is not null and is_expected",
    columns: [
      ...SCREEN_NAMES,
      ['hours_in_state', 'For', 'hours'],
      ['since', 'Since', 'time', 'minor'],
      ['player_id', 'Player id', 'text', 'key'],
    ],
  },
  {
    id: 'hours',
    title: 'Screens off while their place was open',
    note: 'In the 24 hours before the export, by the opening hours of the config. Up to a quarter of an hour does not count. Sampling error: how many more or fewer hours it may be, where a screen switched between two runs. Screens of players that are not expected are left out.',
    view: 'off_in_hours',
    from: `off_in_hours where missed_hours_day > ${NO_HOURS} and is_expected`,
    columns: [
      ...SCREEN_NAMES,
      ['state', 'State', 'state'],
      ['missed_hours_day', 'Missed in a day', 'hours'],
      ['sampling_error_hours_day', 'Sampling error', 'hoursError', 'telling'],
      ['missed_hours_week', 'Missed in a week', 'hours', 'minor'],
      ['since', 'Since', 'time', 'minor'],
      ['group_value', 'Hours of', 'text', 'minor'],
      ['player_id', 'Player id', 'text', 'key'],
    ],
  },
  {
    id: 'players',
    title: 'Players offline or never seen',
    note: 'Offline: not seen for 8 hours before the export. Players that are not expected, such as new or deleted ones, are left out.',
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
    ],
  },
  {
    id: 'transfers',
    title: 'Pending transfers by player',
    note: 'Stuck: no progress for 24 hours, or overdue in the API’s own words. Scheduled: nothing is to start yet. Unknown: no run of the newest day could read the queue. If the API has no date, the age counts from the first export that saw the transfer. Players that are not expected are left out.',
    view: 'stuck_transfers',
    from: 'stuck_transfers where is_expected',
    columns: [
      [PLAYER, 'Player', 'text'],
      ['city', 'City', 'text', 'telling'],
      [
        "case when is_carried then 'unknown' when is_stuck then 'stuck' when pending > scheduled then 'waiting' else 'scheduled' end",
        'State',
        'state',
      ],
      ['pending', 'Pending', 'number'],
      ['idle_hours', 'No progress for', 'hours'],
      ['oldest_age_hours', 'Oldest', 'hours', 'minor'],
      ['oldest_since', 'Since', 'time', 'minor'],
      ['transfer_status', 'Transfer status', 'text', 'minor'],
      ['player_id', 'Player id', 'text', 'key'],
    ],
  },
  {
    id: 'places',
    title: 'The ten worst places',
    note: 'On: the share of the known hours of 28 days in which screens were on. Of players with opening hours only those count. Possible error: how much more or less it may be, where a screen switched between two runs or nobody knew its state. Places that were always on are left out. If some players have no opening hours of their own, the values of the first group that a source has are listed instead of places. Players without a place or a group count in none of them.',
    view: 'availability',
    from: `(
      select export_source, key, sum(availability * judged_hours) / sum(judged_hours) as share, (sum(sampling_error * judged_hours) + sum(unjudged_hours) * greatest(share, 1 - share)) / sum(judged_hours + unjudged_hours) as error, sum(judged_hours) as judged, max(target) as target
      from (
        select
          export_source, key, level, period_start, target, availability, judged_hours, unjudged_hours, sampling_error,
          max(period_start) over (partition by period) as newest,
          case
            when (
              select count(*) from player_groups
              where group_value is not null and player_key not in (
                select player_key from player_places where valid_until is null and group_value <> '*'
              )
            ) > 0 then 'group'
            else max(level) over (partition by period)
          end as best
        from availability
        where period = 'day' and (
          level = 'place'
          or level = 'group' and starts_with(
            key,
            (
              select concat(min_by(group_by, group_number), '=')
              from player_groups_daily as days
              where group_value is not null and days.export_source = availability.export_source
            )
          )
        )
      ) as days
      where level = best and period_start > newest - interval '28' day
      group by export_source, key
      having sum(judged_hours) > 0 and sum(availability * judged_hours) < sum(judged_hours) * 0.999999
      order by share, judged desc, export_source, key
      limit 10
    ) as worst`,
    columns: [
      ['key', 'Place', 'text'],
      ['share', 'On', 'share'],
      ['error', 'Possible error', 'shareError', 'telling'],
      ['target', 'Target', 'share', 'telling'],
      ['judged', 'Counted hours', 'number', 'minor'],
    ],
    order: 'share, judged desc, export_source, key',
  },
  {
    id: 'licenses',
    title: 'Licences',
    note: 'Lasts: the licences left, divided by how many fewer they become a day, by the trend of the last 30 days. The API says no expiry date.',
    view: 'license_utilisation',
    from: 'license_utilisation',
    columns: [
      ['license_type', 'Type', 'text'],
      ['total', 'Total', 'number', 'minor'],
      ['used', 'Used', 'number', 'minor'],
      ['available', 'Left', 'number'],
      ['used_share', 'Used share', 'share'],
      ['days_to_exhaustion', 'Lasts', 'days'],
    ],
  },
  {
    id: 'storages',
    title: 'Backup storages',
    note: 'Idle: reserved and not used. Reserved is what the storage reserves, which may be more than the size of all its slots; where the API does not say it, it is that size. Figures are missing where the use of a slot is not known.',
    view: 'backup_usage',
    from: `(
      select
        export_source, storage_id, max(storage_name) as storage_name, max(storage_size) as storage_size,
        max(storage_reserved) as storage_reserved, max(storage_used) as storage_used,
        max(storage_used_share) as storage_used_share, max(storage_idle) as storage_idle, max(storage_slots) as storage_slots,
        case when max(storage_slots) is not null then count(case when is_never_backed_up then 1 end) end as never_backed_up,
        max(expired_at) as expired_at, bool_or(storage_locked) as is_locked, bool_or(in_maintenance) as in_maintenance
      from backup_usage
      group by export_source, storage_id
    ) as storages`,
    columns: [
      ["coalesce(nullif(storage_name, ''), storage_id)", 'Storage', 'text'],
      ["case when is_locked then 'locked' when in_maintenance then 'in maintenance' end", 'State', 'state'],
      ['storage_used_share', 'Used share', 'share'],
      ['storage_used', 'Used', 'bytes'],
      ['storage_size', 'Size', 'bytes', 'minor'],
      ['storage_idle', 'Reserved and idle', 'bytes', 'minor'],
      ['storage_slots', 'Slots', 'number', 'minor'],
      ['never_backed_up', 'Never backed up', 'number'],
      ['expired_at', 'Expires', 'time', 'telling'],
    ],
    order: 'storage_used_share desc nulls last, export_source, storage_id',
  },
  {
    id: 'slots',
    title: 'Backup slots that are full or were never backed up',
    note: 'Full: 90 % of the slot. A slot that never held a byte was never backed up.',
    view: 'backup_usage',
    from: 'backup_usage where slot is not null and (is_never_backed_up or slot_used_share >= 0.9)',
    columns: [
      ["coalesce(nullif(storage_name, ''), storage_id)", 'Storage', 'text'],
      ["coalesce(nullif(slot_name, ''), slot)", 'Slot', 'text'],
      ["case when is_never_backed_up then 'never backed up' else 'full' end", 'State', 'state'],
      ['slot_used_share', 'Used share', 'share'],
      ['slot_size', 'Size', 'bytes', 'minor'],
    ],
  },
  {
    id: 'cost',
    title: 'Backup prices',
    note: 'Costs are the reserved GB of all storages times a price per GB. They are for the period next to them; without one, the API does not say it. What is free of charge costs 0. They have no minimums and no tax: use them to compare, not to pay. Each price counts all storages, so costs of two prices do not add up.',
    view: 'backup_cost',
    from: `(
      select
        export_source, price_key, record_key, max(price_name) as price_name, max(price) as price, max(unit) as unit,
        max(currency) as currency, max(periodicity) as periodicity, count(storage_id) as storages, sum(reserved_gb) as reserved_gb,
        case when count(cost) = count(storage_id) then sum(cost) end as cost, max(note) as note
      from backup_cost
      group by export_source, price_key, record_key
    ) as prices`,
    columns: [
      ['price_name', 'Price', 'text'],
      ['price', 'Amount', 'money'],
      ['unit', 'Per', 'text', 'minor'],
      ['currency', 'Currency', 'text'],
      ['storages', 'Storages', 'number', 'minor'],
      ['cost', 'Cost', 'money'],
      ['periodicity', 'Period', 'text'],
      ['note', 'How', 'word', 'minor'],
    ],
    order: 'cost desc nulls last, export_source, price_key, record_key',
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
    ],
  },
];

export const REPORT_TABLES: readonly TableQuery[] = TABLES.map((table) => ({
  ...table,
  columns: [...table.columns, SOURCE],
}));
