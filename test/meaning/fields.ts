import type { Kind, Table } from '../healthy/truth.ts';

/** What a field of the API says, as far as a change of meaning cares. */
export type FieldKind =
  | 'time'
  | 'epoch'
  | 'epoch of today'
  | 'amount'
  | 'share'
  | 'yes'
  | 'words'
  | 'code'
  | 'text';

export interface Field {
  readonly source: Kind;
  readonly table: Table;
  readonly field: string;
  readonly kind: FieldKind;
}

function of(
  source: Kind,
  table: Table,
  kinds: Readonly<Partial<Record<FieldKind, string>>>,
): readonly Field[] {
  return Object.entries(kinds).flatMap(([kind, fields]) =>
    fields.split(' ').map((field) => ({ source, table, field, kind: kind as FieldKind })),
  );
}

/** The fields whose meaning a life may change; a queue is none of them, for all its records may be others. */
export const FIELDS: readonly Field[] = [
  ...of('signage', 'players', {
    time: 'last_access created',
    yes: 'is_installed is_licensed',
    words: 'license_type city',
    code: 'custom_id box_id post_code',
    text: 'name box_state transfer_status',
    amount: 'latitude timezone_id disk_bytes',
    share: 'disk_full',
  }),
  ...of('signage', 'screens', {
    time: 'last_update last_status_change',
    yes: 'is_on',
  }),
  ...of('backup', 'backup_storages', {
    epoch: 'created_at expired_at',
    amount: 'size storage_reserved',
    yes: 'maintenance locked',
    code: 'customer_name',
  }),
  ...of('backup', 'backup_slots', {
    epoch: 'created_at',
    // Its values are any time of the last day, so a shift by hours cannot be noticed.
    'epoch of today': 'usage_last_check',
    amount: 'size storage_used',
    words: 'customer_name',
    code: 'username',
  }),
];
