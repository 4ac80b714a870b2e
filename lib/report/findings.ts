import { HAS_PERHAPS_MISSED, HAS_SURELY_MISSED, SURELY_MISSED } from './opening-hours.ts';
import type { CellKind, Finding } from './report-data.ts';
import { PLAYER, SCREEN } from './report-tables.ts';
import { screensWithHoursOff } from './screens-off.ts';

/** Something that may need attention: the rows of a view that show it, and the worst of them. */
export interface FindingQuery extends Pick<Finding, 'id' | 'urgency' | 'why' | 'table'> {
  /** The rest of the sentence after the number 1, and after others. */
  readonly one: string;
  readonly many: string;
  readonly view: string;
  /** The rows, with more than the view has; `since` is the first date of the opened tables. @default the view */
  readonly from?: (since: string) => string;
  readonly where: string;
  /** Which rows may belong to it too, so that there are at least as many as are counted. */
  readonly perhaps?: string;
  readonly name: string;
  /** A word of the view, which follows the name. */
  readonly says?: string;
  readonly value: string;
  readonly kind: CellKind;
  readonly order: string;
  /** The columns with an id that the config's `mute` may name; none = it cannot be muted. */
  readonly keys?: readonly string[];
  /** What is out, which counts only if its place was open meanwhile. */
  readonly out?: 'player' | 'screen';
  /** SQL of what is new in it without news. */
  readonly alsoNew?: string;
  /** The kinds of news that say which of them came since the day before, and the column that is their `record_key`. */
  readonly news?: { readonly kinds: readonly [string, string]; readonly key: string };
}

const STORAGE = "coalesce(nullif(storage_name, ''), storage_id)";
const SLOT = `concat(${STORAGE}, ' · ', coalesce(nullif(slot_name, ''), slot))`;

/** One row of `backup_usage` for each storage. */
const IS_FIRST_SLOT =
  "concat(storage_key, '/', slot) in (select concat(storage_key, '/', min(slot)) from backup_usage group by storage_key)";

/** What needs attention, the most harmful first. */
export const FINDINGS: readonly FindingQuery[] = [
  {
    id: 'incomplete-sources',
    urgency: 'now',
    view: 'export_health',
    where: "status <> 'complete'",
    one: 'source was not exported completely',
    many: 'sources were not exported completely',
    why: 'Some of their figures below come from earlier runs.',
    table: 'freshness',
    name: 'export_source',
    value: 'coverage',
    kind: 'share',
    order: 'coverage',
  },
  {
    id: 'offline-players',
    urgency: 'now',
    view: 'player_health',
    where: "health = 'offline' and is_expected",
    out: 'player',
    one: 'expected player is offline',
    many: 'expected players are offline',
    why: 'The system last saw them 8 hours or longer before the export.',
    table: 'players',
    name: PLAYER,
    value: 'offline_hours',
    kind: 'hours',
    order: 'offline_hours desc nulls last',
    keys: ['player_key'],
    news: { kinds: ['player offline', 'player added'], key: 'player_id' },
  },
  {
    id: 'stale-screens',
    urgency: 'now',
    view: 'screen_status',
    where: `state = 'stale' and is_expected
      and player_key not in (select player_key from player_health where health in ('offline', 'never seen'))`,
    out: 'screen',
    one: 'screen is stale although its player is not offline',
    many: 'screens are stale although their players are not offline',
    why: 'These screens have reported nothing for 8 hours or longer, even if their last report says on.',
    table: 'screens',
    name: `${PLAYER} || ' · ' || ${SCREEN}`,
    value: 'hours_in_state',
    kind: 'hours',
    order: 'hours_in_state desc nulls last',
    keys: ['player_key', 'screen_key'],
    news: { kinds: ['screen stale', 'screen added'], key: 'screen' },
  },
  {
    id: 'off-in-hours',
    urgency: 'now',
    view: 'off_in_hours',
    where: `${HAS_SURELY_MISSED} and is_expected`,
    perhaps: `coalesce(${HAS_PERHAPS_MISSED}, true) and not coalesce(${HAS_SURELY_MISSED}, false) and is_expected`,
    one: 'screen was off while its place was open',
    many: 'screens were off while their place was open',
    why: 'This was in the 24 hours before the export, by the opening hours in the config. Up to a quarter of an hour does not count. Each screen missed at least these hours.',
    table: 'hours',
    name: `${PLAYER} || ' · ' || ${SCREEN}`,
    value: SURELY_MISSED,
    kind: 'hours',
    order: `${SURELY_MISSED} desc, missed_hours_day desc, missed_hours_week desc`,
    keys: ['player_key', 'screen_key'],
  },
  {
    id: 'stuck-transfers',
    urgency: 'now',
    view: 'stuck_transfers',
    where: 'is_stuck and is_expected and not is_carried',
    one: 'player has stuck transfers',
    many: 'players have stuck transfers',
    why: 'A file has waited for a day without known progress, or is overdue.',
    table: 'transfers',
    name: PLAYER,
    value: 'idle_hours',
    kind: 'hours',
    order: 'idle_hours desc nulls last',
    keys: ['player_key'],
  },
  {
    id: 'licences-running-out',
    urgency: 'now',
    view: 'license_utilisation',
    where: 'total > 0 and (available <= 0 or days_to_exhaustion <= 30)',
    one: 'licence type runs out within 30 days',
    many: 'licence types run out within 30 days',
    why: 'The trend of the last 30 days says so, or no licence is left.',
    table: 'licenses',
    name: 'license_type',
    value: 'available',
    kind: 'number',
    order: 'days_to_exhaustion nulls last, available',
  },
  {
    id: 'storages-locked',
    urgency: 'now',
    view: 'backup_usage',
    where: `(storage_locked or in_maintenance) and ${IS_FIRST_SLOT}`,
    one: 'backup storage is locked or in maintenance',
    many: 'backup storages are locked or in maintenance',
    why: 'Until that ends, backups there may fail.',
    table: 'storages',
    name: STORAGE,
    says: "case when storage_locked then 'locked' else 'in maintenance' end",
    value: 'storage_size',
    kind: 'bytes',
    order: 'storage_size desc nulls last',
    keys: ['storage_key'],
  },
  {
    id: 'full-slots',
    urgency: 'now',
    view: 'backup_usage',
    where: 'slot is not null and slot_used_share >= 0.9 and not is_carried',
    one: 'backup slot is full to 90 % or more',
    many: 'backup slots are full to 90 % or more',
    why: 'The next backup may not fit.',
    table: 'slots',
    name: SLOT,
    value: 'slot_used_share',
    kind: 'share',
    order: 'slot_used_share desc',
    keys: ['storage_key'],
  },
  {
    id: 'screens-off',
    urgency: 'soon',
    view: 'screen_status',
    from: screensWithHoursOff,
    where: "state = 'off' and hours_off >= 24 and is_expected",
    out: 'screen',
    one: 'screen has been off for more than a day',
    many: 'screens have been off for more than a day',
    why: 'That is longer than a night: somebody switched it off, or it is broken. If the API does not say when, the first run that saw it off counts, and unknown days after it count too.',
    table: 'screens',
    name: `${PLAYER} || ' · ' || ${SCREEN}`,
    value: 'hours_off',
    kind: 'hours',
    order: 'hours_off desc nulls last',
    keys: ['player_key', 'screen_key'],
  },
  {
    id: 'storages-expiring',
    urgency: 'soon',
    view: 'backup_usage',
    where: `days_to_expiry <= 30 and ${IS_FIRST_SLOT}`,
    one: 'backup storage has expired, or expires within 30 days',
    many: 'backup storages have expired, or expire within 30 days',
    why: 'Renew them, or nothing is backed up there any more.',
    table: 'storages',
    name: STORAGE,
    value: 'expired_at',
    kind: 'time',
    order: 'expired_at',
    keys: ['storage_key'],
  },
  {
    id: 'slots-never-backed-up',
    urgency: 'soon',
    view: 'backup_usage',
    where: 'is_never_backed_up and not is_carried',
    one: 'backup slot was never backed up',
    many: 'backup slots were never backed up',
    why: 'These slots reserve space, but they hold 0 bytes.',
    table: 'slots',
    name: SLOT,
    value: 'slot_size',
    kind: 'bytes',
    order: 'slot_size desc nulls last',
    keys: ['storage_key'],
  },
  {
    id: 'players-never-seen',
    urgency: 'soon',
    view: 'player_health',
    where: "health = 'never seen' and is_expected",
    one: 'expected player was never seen',
    many: 'expected players were never seen',
    why: 'These players are set up in the system, but it names no time at which they reported.',
    table: 'players',
    name: PLAYER,
    value: 'city',
    kind: 'text',
    order: 'player_name',
    keys: ['player_key'],
  },
  {
    id: 'data-quality',
    urgency: 'soon',
    view: 'data_quality',
    where: "finding in ('reject: type', 'new column') or finding like 'not collected%'",
    one: 'finding says that the API changed or was not read in full',
    many: 'findings say that the API changed or was not read in full',
    why: 'Some figures may be wrong: read these findings first.',
    table: 'quality',
    name: "concat(table_name, coalesce('.' || nullif(column_name, ''), ''))",
    says: 'finding',
    value: 'records',
    kind: 'number',
    order: 'records desc',
  },
];
