import { hash } from '#simulator/dice.ts';
import type { Truth } from './truth.ts';

/** The first day of every life; all its days are in one month. */
export const FIRST_DAY = Date.UTC(2026, 10, 10, 3);
const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;

export interface Player {
  readonly id: number;
  readonly screens: number;
  readonly since: number;
  readonly transfers: readonly Transfer[];
}

export interface Transfer {
  readonly id: number;
  readonly since: number;
}

export interface Storage {
  readonly id: number;
  readonly slots: number;
}

interface Moment {
  readonly seed: number;
  readonly day: number;
}

export const momentOf = (day: number): number => FIRST_DAY + day * DAY_MS;
const iso = (ms: number): string => `${new Date(ms).toISOString().slice(0, 19)}Z`;
const unix = (ms: number): number => Math.floor(ms / 1000);
const pick = <Item>(items: readonly [Item, ...Item[]], roll: number): Item =>
  items[roll % items.length] ?? items[0];

const TOWNS = ['Berlin', 'München', "L'Aquila", 'Łódź', 'Zürich', 'Sankt Pölten'] as const;
const TYPES = ['DsPlayerEntry', 'DsPlayerAdvanced', 'DsPlayerPro', 'Player', 'EntryPlayer'] as const;
const FILES = ['Herbst "2026".mp4', 'menü_täglich.png', 'loop-4k.mov', 'Preise, neu.pdf'] as const;
const GROUPS = ['Kassen', 'Schaufenster', 'Menüboards', 'Wegweiser', 'Türschilder', 'Videowall'] as const;

/** A player as the recorded answers have it; `moved` counts how often values came and went. */
export function playerRecord({ seed, day }: Moment, player: Player, moved: number): Truth {
  const roll = hash(seed, 11, player.id);
  const hasValue = (field: number, share: number) =>
    (hash(seed, field, player.id, moved) % 100) / 100 < share;
  return {
    id: player.id,
    name: `${pick(TOWNS, roll)} ${player.id}`,
    custom_id: hasValue(12, 0.7) ? `GP${player.id}` : null,
    location_id: 1 + (roll % 40),
    box_id: `GP${player.id}-${roll % 900}`,
    last_access: iso(momentOf(day) - (hash(seed, 13, player.id, day) % 900) * 1000),
    license_type: pick(TYPES, roll >>> 4),
    transfer_status: player.transfers.length === 0 ? 'Complete' : 'Pending',
    is_installed: roll % 9 > 0,
    is_licensed: roll % 20 > 0,
    post_code: String(1000 + (roll % 9000)).padStart(5, '0'),
    city: pick(TOWNS, roll),
    latitude: hasValue(14, 0.6) ? 47 + ((roll % 9) * 1000 + 1 + (roll % 7) * 2) / 10_000 : null,
    phone_number: hasValue(15, 0.3) ? `030/${100_000 + (roll % 900_000)}` : null,
    box_state: roll % 30 === 0 ? 'New' : 'Activated',
    timezone_id: 290 + (roll % 8),
    created: iso(momentOf(player.since) - (20 + (roll % 900)) * HOUR_MS),
  };
}

interface ScreenOf {
  readonly player: number;
  readonly number: number;
  readonly isOff: boolean;
}

/** One screen in five is switched on a day. */
export function screenRecord({ seed, day }: Moment, { player, number, isOff }: ScreenOf): Truth {
  const id = player * 10 + number;
  const switches = Array.from({ length: day + 1 }, (_, index) => index).filter(
    (each) => hash(seed, 21, id, each) % 5 === 0,
  );
  const last = switches.at(-1) ?? -1;
  return {
    id,
    number,
    is_on: !isOff && switches.length % 2 === 0,
    last_status_change: iso(momentOf(last) - (hash(seed, 22, id, last + 1) % 20) * HOUR_MS),
    last_update: iso(momentOf(day) - (hash(seed, 23, id, day) % 900) * 1000),
    display_name: pick(['', 'HDMI-1', 'Links außen'], hash(seed, 24, id)),
    status: 0,
    orientation: hash(seed, 25, id) % 2 === 0 ? 'Landscape' : null,
  };
}

export function transferRecord(seed: number, { id, since }: Transfer): Truth {
  const roll = hash(seed, 31, id);
  return {
    id,
    file_name: pick(FILES, roll),
    file_size: 1000 + (roll % 900_000_000),
    priority: roll % 3 === 0 ? 'High' : 'Normal',
    created: iso(momentOf(since) - (roll % 20) * HOUR_MS),
    scheduled_at: roll % 4 === 0 ? iso(momentOf(since) + 2 * DAY_MS) : null,
  };
}

export function groupRecord({ id, name }: { readonly id: number; readonly name: number }): Truth {
  return { id, name: `${pick(GROUPS, name)} ${name}`, description: name % 3 === 0 ? null : 'Erdgeschoss' };
}

/** A licence has no id: its type is its key. */
export function licenseRecord(
  seed: number,
  { type, total }: { readonly type: number; readonly total: number },
  day: number,
): Truth {
  const name = pick(TYPES, type);
  return {
    type: type < TYPES.length ? name : `${name}Saas${type}`,
    total_count: total,
    available_count: hash(seed, 41, type, day) % 50,
  };
}

/** Invented: no sample of a price list is public. */
export function priceRecords(day: number): readonly Truth[] {
  const price = (id: number, name: string, amount: number): Truth => ({
    id,
    name,
    price: amount,
    currency: 'CHF',
    periodicity: id === 1 ? 'monthly' : 'yearly',
  });
  return [price(1, 'Starter', 4.99), price(2, 'Büro', 53.95), price(3, 'Fleet, "XL"', 1199.05 + day)];
}

/** A price list that is one object. */
export function priceObject(day: number): Truth {
  return { currency: 'CHF', vat_rate: 8.1, price_per_gb: 0.0125, minimum_gb: 50, yearly_price: 53.95 + day };
}

export function storageRecord({ seed, day }: Moment, { id, slots }: Storage): Truth {
  const roll = hash(seed, 51, id);
  return {
    id,
    customer_name: `BK-1042-${id}`,
    max_slots: slots + (roll % 3),
    nb_slots: slots,
    size: 10_000_000_000_000,
    storage_reserved: slots * 150_000_000_000,
    expired_at: unix(FIRST_DAY + (30 + (roll % 600)) * DAY_MS),
    is_demo: roll % 20 === 0,
    created_at: unix(FIRST_DAY - (30 + (roll % 900)) * DAY_MS),
    maintenance: false,
    locked: roll % 25 === 0,
    operation_in_progress: hash(seed, 52, id, day) % 30 === 0,
    description: roll % 3 === 0 ? 'Sicherung "Büro", nachts' : '',
  };
}

export function slotRecord(
  { seed, day }: Moment,
  { storage, number }: { readonly storage: number; readonly number: number },
): Truth {
  const id = storage * 10 + number;
  const roll = hash(seed, 61, id);
  return {
    id,
    customer_name: pick(['bucket', 'prod', 'NAS, Keller'], roll),
    type: 'other',
    size: 150_000_000_000,
    storage_used: 20_000_000_000 + (roll % 50) * 1_000_000_000 + day * (1 + (roll % 90)) * 10_000_000,
    usage_last_check: unix(momentOf(day) - (hash(seed, 62, id, day) % 20) * HOUR_MS),
    created_at: unix(FIRST_DAY - (20 + (roll % 900)) * DAY_MS),
    locked: roll % 25 === 0,
    username: `SBI-AB${id}`,
  };
}
