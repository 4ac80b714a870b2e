import type { ServedResource } from '../kind.ts';

/**
 * What a value means, which decides how a dialect writes it. `id`: the record's own id. `parent`: the id of another
 * record of the same listing. `time`: an instant, ISO or unix seconds. `json`: an array, which no dialect touches.
 */
export type FieldKind =
  | 'id'
  | 'parent'
  | 'time'
  | 'boolean'
  | 'integer'
  | 'decimal'
  | 'text'
  | 'json'
  | Fields;

/** Every key that a record may have, in the order of the wire. */
export interface Fields {
  readonly [key: string]: FieldKind;
}

const RIGHTS: Fields = { technical: 'boolean', statistic: 'boolean' };

export const FIELDS: Readonly<Record<ServedResource, Fields>> = {
  app_groups: {
    Id: 'id',
    Name: 'text',
    ParentId: 'parent',
    Description: 'text',
    IsDefault: 'boolean',
    AppCount: 'integer',
    Created: 'time',
    Modified: 'time',
  },
  licenses: { Type: 'text', TotalCount: 'integer', AvailableCount: 'integer' },
  players: {
    Id: 'id',
    Name: 'text',
    CustomId: 'text',
    LocationId: 'integer',
    EditionId: 'integer',
    ConfigurationGroupId: 'integer',
    BoxId: 'text',
    LastAccess: 'time',
    LicenseType: 'text',
    TransferStatus: 'text',
    IsInstalled: 'boolean',
    IsLicensed: 'boolean',
    Address: 'text',
    PostCode: 'text',
    City: 'text',
    Country: 'text',
    TemperatureUnit: 'text',
    BoxState: 'text',
    TimezoneId: 'integer',
    RootPasswordSet: 'boolean',
    Created: 'time',
    Modified: 'time',
    Email: 'text',
    FaxNumber: 'text',
    Latitude: 'decimal',
    Longitude: 'decimal',
    PendingTimezoneId: 'integer',
    PhoneNumber: 'text',
    ProvisioningState: 'text',
  },
  screens: {
    Id: 'id',
    Number: 'integer',
    IsOn: 'boolean',
    LastStatusChange: 'time',
    LastUpdate: 'time',
    DisplayName: 'text',
    Status: 'integer',
    Orientation: 'text',
    PendingOrientation: 'text',
  },
  pending_file_transfers: {
    Id: 'id',
    FileName: 'text',
    FileSize: 'integer',
    Transferred: 'integer',
    Priority: 'text',
    Attempts: 'integer',
    Created: 'time',
    LastAttempt: 'time',
    ScheduledAt: 'time',
  },
  backup_pricing: {
    currency: 'text',
    is_vat_included: 'boolean',
    vat_rate: 'decimal',
    valid_from: 'time',
    plans: 'json',
    storage: {
      standard: { price_per_gb: 'decimal', minimum_gb: 'integer' },
      archive: { price_per_gb: 'decimal', minimum_gb: 'integer' },
    },
    tiers: 'json',
    options: { mobile_workstation: { price: 'decimal', trial_days: 'integer' } },
    currencies: 'json',
  },
  backup_storages: {
    id: 'id',
    customer_name: 'text',
    max_slots: 'integer',
    max_slots_mobile_workstation: 'integer',
    nb_unallocated_slots: 'integer',
    size: 'integer',
    storage_reserved: 'integer',
    nb_slots: 'integer',
    nb_slots_mobile_workstation: 'integer',
    expired_at: 'time',
    is_demo: 'boolean',
    is_migrated: 'boolean',
    account_id: 'integer',
    service_id: 'integer',
    service_name: 'text',
    internal_name: 'text',
    created_at: 'time',
    version: 'integer',
    maintenance: 'boolean',
    locked: 'boolean',
    operation_in_progress: 'boolean',
    tags: 'json',
    unique_id: 'integer',
    description: 'text',
    is_free: 'boolean',
    is_zero_price: 'boolean',
    is_trial: 'boolean',
    is_in_app_subscription: 'boolean',
    rights: RIGHTS,
    account_name: 'text',
    bill_reference: 'text',
  },
  backup_slots: {
    id: 'id',
    customer_name: 'text',
    type: 'text',
    subtype: 'text',
    connection_type: 'text',
    size: 'integer',
    storage_used: 'integer',
    usage_last_check: 'time',
    created_at: 'time',
    locked_at: 'time',
    locked: 'boolean',
    tags: 'json',
    lang: 'integer',
    activate_notifications: 'boolean',
    unit_admin: 'boolean',
    username: 'text',
  },
};

/** A group with other groups below it. */
export const GROUP_NODE: Fields = { ...FIELDS.app_groups, Children: 'json' };

/** The transfers of one priority. */
export const TRANSFERS_NODE: Fields = { Priority: 'text', Count: 'integer', Transfers: 'json' };

/** A row of a price list that is a list. */
export const PRICE_ROW: Fields = {
  code: 'text',
  name: 'text',
  price: 'decimal',
  currency: 'text',
  unit: 'text',
  periodicity: 'text',
  from_gb: 'integer',
  to_gb: 'integer',
  is_vat_included: 'boolean',
  valid_from: 'time',
};
