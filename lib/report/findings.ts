import type { CellKind, Finding } from './report-data.ts';
import { PLAYER, SCREEN } from './report-tables.ts';

/** Something that may need attention: the rows of a view that show it, and which of them are the worst. */
export interface FindingQuery extends Pick<Finding, 'id' | 'urgency' | 'why' | 'table'> {
  /** How the sentence goes on after the number 1, and after others. */
  readonly one: string;
  readonly many: string;
  readonly view: string;
  readonly where: string;
  readonly name: string;
  readonly value: string;
  readonly kind: CellKind;
  readonly order: string;
}

const STORAGE = "coalesce(nullif(storage_name, ''), storage_id)";
const SLOT = `concat(${STORAGE}, ' · ', coalesce(nullif(slot_name, ''), slot))`;

/** What needs attention, what harms most first. */
export const FINDINGS: readonly FindingQuery[] = [
  {
    id: 'incomplete-sources',
    urgency: 'now',
    view: 'export_health',
    where: "status <> 'complete'",
    one: 'source was not exported completely',
    many: 'sources were not exported completely',
    why: 'Their figures below are partly of earlier runs.',
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
    one: 'expected player is offline',
    many: 'expected players are offline',
    why: 'Not seen for at least 8 hours before the export.',
    table: 'players',
    name: PLAYER,
    value: 'offline_hours',
    kind: 'hours',
    order: 'offline_hours desc nulls last',
  },
  {
    id: 'stale-screens',
    urgency: 'now',
    view: 'screen_status',
    where: "state = 'stale' and is_expected",
    one: 'screen is stale',
    many: 'screens are stale',
    why: 'They have reported nothing for at least 8 hours, even if they last said on. Only players that are expected count.',
    table: 'screens',
    name: `${PLAYER} || ' · ' || ${SCREEN}`,
    value: 'hours_in_state',
    kind: 'hours',
    order: 'hours_in_state desc nulls last',
  },
  {
    id: 'stuck-transfers',
    urgency: 'now',
    view: 'stuck_transfers',
    where: 'is_stuck',
    one: 'player has stuck transfers',
    many: 'players have stuck transfers',
    why: 'Files wait for a day or longer, or are overdue.',
    table: 'transfers',
    name: PLAYER,
    value: 'oldest_age_hours',
    kind: 'hours',
    order: 'oldest_age_hours desc nulls last',
  },
  {
    id: 'licences-running-out',
    urgency: 'now',
    view: 'license_utilisation',
    where: 'total > 0 and (available = 0 or days_to_exhaustion <= 30)',
    one: 'licence type runs out within 30 days',
    many: 'licence types run out within 30 days',
    why: 'By the trend of the last 30 days, or none are left.',
    table: 'licenses',
    name: 'license_type',
    value: 'available',
    kind: 'number',
    order: 'days_to_exhaustion nulls last, available',
  },
  {
    id: 'full-slots',
    urgency: 'now',
    view: 'backup_usage',
    where: 'slot is not null and slot_used_share >= 0.9',
    one: 'backup slot is full to 90 % or more',
    many: 'backup slots are full to 90 % or more',
    why: 'The next backup may not fit.',
    table: 'slots',
    name: SLOT,
    value: 'slot_used_share',
    kind: 'share',
    order: 'slot_used_share desc',
  },
  {
    id: 'screens-off',
    urgency: 'soon',
    view: 'screen_status',
    where: "state = 'off' and hours_in_state >= 24 and is_expected",
    one: 'screen has been off for more than a day',
    many: 'screens have been off for more than a day',
    why: 'Longer than a night: switched off, or broken.',
    table: 'screens',
    name: `${PLAYER} || ' · ' || ${SCREEN}`,
    value: 'hours_in_state',
    kind: 'hours',
    order: 'hours_in_state desc nulls last',
  },
  {
    id: 'slots-never-backed-up',
    urgency: 'soon',
    view: 'backup_usage',
    where: 'is_never_backed_up',
    one: 'backup slot was never backed up',
    many: 'backup slots were never backed up',
    why: 'They are paid for and hold 0 bytes.',
    table: 'slots',
    name: SLOT,
    value: 'slot_size',
    kind: 'bytes',
    order: 'slot_size desc nulls last',
  },
  {
    id: 'players-never-seen',
    urgency: 'soon',
    view: 'player_health',
    where: "health = 'never seen' and is_expected",
    one: 'expected player was never seen',
    many: 'expected players were never seen',
    why: 'Set up in the system, but they never called home.',
    table: 'players',
    name: PLAYER,
    value: 'box_state',
    kind: 'text',
    order: 'player_name',
  },
  {
    id: 'data-quality',
    urgency: 'soon',
    view: 'data_quality',
    where: "finding in ('reject: type', 'new column') or finding like 'not collected%'",
    one: 'finding says that the API changed or was not read in full',
    many: 'findings say that the API changed or was not read in full',
    why: 'Look at them before trusting the figures that they touch.',
    table: 'quality',
    name: "concat(table_name, coalesce(concat('.', column_name), ''), ': ', finding)",
    value: 'records',
    kind: 'number',
    order: 'records desc',
  },
];
