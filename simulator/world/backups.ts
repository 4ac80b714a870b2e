import { dice, hash } from '../dice.ts';
import type { JsonObject } from '../json.ts';
import { days, hours, nowOf, unixSeconds } from './clock.ts';
import { ACCOUNT_ID, SALT, type WorldSettings } from './settings.ts';
import { TAGS } from './words.ts';

export const FIRST_STORAGE_ID = 26_001;
const GB = 1_000_000_000;

export function storageCount(settings: WorldSettings): number {
  return settings.storages ?? Math.max(3, Math.ceil(settings.players / 25));
}

/** A record of the storage overview; keys as recorded from real installations before 2023. Dates are unix seconds. */
export function storageRecord(settings: WorldSettings, index: number, day: number): JsonObject {
  const roll = dice(hash(settings.seed, SALT.storage, index));
  const start = nowOf(settings.startDate, 0);
  const slots = slotSizes(settings, index);
  const reserved = slots.reduce((sum, size) => sum + size, 0);
  const unallocated = roll.below(3);
  const tags = Array.from({ length: roll.below(3) }, () => tag(roll.below(TAGS.length)));
  const today = hash(settings.seed, SALT.storageDay, index, day) % 100;
  return {
    id: FIRST_STORAGE_ID + index,
    customer_name: `BK-${ACCOUNT_ID}-${index + 1}`,
    max_slots: slots.length + unallocated,
    max_slots_mobile_workstation: roll.below(2),
    nb_unallocated_slots: unallocated,
    size: reserved + unallocated * 50 * GB,
    storage_reserved: reserved,
    nb_slots: slots.length,
    nb_slots_mobile_workstation: 0,
    expired_at: unixSeconds(start + days(roll.below(700) - 10)),
    is_demo: roll.chance(0.05),
    is_migrated: roll.chance(0.1),
    account_id: ACCOUNT_ID,
    service_id: 37,
    service_name: 'swiss_backup',
    internal_name: null,
    created_at: unixSeconds(start - days(30 + roll.below(1200))),
    version: 1,
    maintenance: today < 3,
    locked: roll.chance(0.04),
    operation_in_progress: today >= 97,
    tags,
    unique_id: 9_995_000 + index,
    description: roll.chance(0.3) ? 'Sicherung "Büro", nachts' : '',
    is_free: roll.chance(0.05),
    is_zero_price: false,
    is_trial: roll.chance(0.1),
    is_in_app_subscription: false,
    rights: { technical: true, statistic: roll.chance(0.8) },
    account_name: roll.pick(['Example.com', 'Müller & Söhne AG', 'Verein "Süd", e.V.']),
    bill_reference: roll.chance(0.2) ? `2026/${roll.below(900)}` : '',
  };
}

/** The records of one storage's slots. */
export function slotRecords(settings: WorldSettings, index: number, day: number): JsonObject[] {
  return slotSizes(settings, index).map((size, slot) => slotRecord(settings, index, slot, size, day));
}

function slotRecord(
  settings: WorldSettings,
  index: number,
  slot: number,
  size: number,
  day: number,
): JsonObject {
  const roll = dice(hash(settings.seed, SALT.slot, index, slot));
  const now = nowOf(settings.startDate, day);
  const locked = roll.chance(0.04);
  const neverUsed = roll.chance(0.08);
  const used = Math.floor(size * (0.2 + 0.75 * roll.next()) * (1 + day / 400));
  const today = hash(settings.seed, SALT.slotDay, index * 8 + slot, day) % 100;
  // While the provider compiles its statistics, a slot seems to hold less, and the time of the check is missing.
  const compiling = today < 3;
  return {
    id: 99_001 + index * 8 + slot,
    customer_name: roll.pick(['bucket', 'prod', 'test', 'Büro "Nord"', 'NAS, Keller']),
    type: 'other',
    subtype: 'swift',
    connection_type: 'swift',
    size,
    storage_used: neverUsed ? 0 : Math.min(size, compiling ? Math.floor(used / 3) : used),
    usage_last_check: neverUsed || compiling ? null : unixSeconds(now - hours(roll.next() * 20)),
    created_at: unixSeconds(nowOf(settings.startDate, 0) - days(20 + roll.below(900))),
    locked_at: locked ? unixSeconds(nowOf(settings.startDate, 0) - days(roll.below(9))) : null,
    locked,
    tags: roll.chance(0.2) ? [tag(roll.below(TAGS.length))] : [],
    lang: 1 + roll.below(5),
    activate_notifications: roll.chance(0.5),
    unit_admin: roll.chance(0.1),
    username: `SBI-AB${100_000 + index * 8 + slot}`,
  };
}

/** Bytes of each of the 1 to 8 slots, in decimal multiples, up to 10 TB. */
function slotSizes(settings: WorldSettings, index: number): number[] {
  const roll = dice(hash(settings.seed, SALT.slot, index, 1000));
  return Array.from({ length: 1 + roll.below(8) }, () => roll.pick([50, 100, 150, 500, 10_000]) * GB);
}

function tag(index: number): JsonObject {
  return { id: 555_741 + index, name: TAGS[index] ?? '', color: 1 + (index % 9) };
}
