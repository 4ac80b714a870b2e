import type { ServedResource } from '../kind.ts';

/**
 * What a value means, which decides how a dialect writes it. `id`: the record's own id. `parent`: the id of another
 * record of the same listing. `time`: an instant, ISO or unix seconds. `json`: an array, which no dialect touches.
 */
type FieldWord = 'id' | 'parent' | 'time' | 'boolean' | 'integer' | 'decimal' | 'text' | 'json';
export type FieldKind = FieldWord | Fields;

/** Every key that a record may have, in the order in which a dialect writes them. */
export interface Fields {
  readonly [key: string]: FieldKind;
}

/** The fields of a record: for each kind their keys, then the objects in the record. */
function fields(kinds: Partial<Record<FieldWord, string>>, objects: Fields = {}): Fields {
  const entries = Object.entries(kinds).flatMap(([kind, keys]) => keys.split(' ').map((key) => [key, kind]));
  return { ...Object.fromEntries(entries), ...objects };
}

export const FIELDS: Readonly<Record<ServedResource, Fields>> = {
  app_groups: fields({
    id: 'Id',
    parent: 'ParentId',
    time: 'Created Modified',
    boolean: 'IsDefault',
    integer: 'AppCount',
    text: 'Name Description',
  }),
  licenses: fields({ integer: 'TotalCount AvailableCount', text: 'Type' }),
  players: fields({
    id: 'Id',
    time: 'LastAccess Created Modified',
    boolean: 'IsInstalled IsLicensed RootPasswordSet',
    integer: 'LocationId EditionId ConfigurationGroupId TimezoneId PendingTimezoneId',
    decimal: 'Latitude Longitude',
    text:
      'Name CustomId BoxId LicenseType TransferStatus Address PostCode City Country TemperatureUnit BoxState ' +
      'Email FaxNumber PhoneNumber ProvisioningState',
  }),
  screens: fields({
    id: 'Id',
    time: 'LastStatusChange LastUpdate',
    boolean: 'IsOn',
    integer: 'Number Status',
    text: 'DisplayName Orientation PendingOrientation',
  }),
  pending_file_transfers: fields({
    id: 'Id',
    time: 'Created LastAttempt ScheduledAt',
    integer: 'FileSize Transferred Attempts',
    text: 'FileName Priority',
  }),
  backup_pricing: fields(
    {
      time: 'valid_from',
      boolean: 'is_vat_included',
      decimal: 'vat_rate',
      text: 'currency',
      json: 'plans tiers currencies',
    },
    {
      storage: {
        standard: { price_per_gb: 'decimal', minimum_gb: 'integer' },
        archive: { price_per_gb: 'decimal', minimum_gb: 'integer' },
      },
      options: { mobile_workstation: { price: 'decimal', trial_days: 'integer' } },
    },
  ),
  backup_storages: fields(
    {
      id: 'id',
      time: 'expired_at created_at',
      boolean:
        'is_demo is_migrated maintenance locked operation_in_progress is_free is_zero_price is_trial ' +
        'is_in_app_subscription',
      integer:
        'max_slots max_slots_mobile_workstation nb_unallocated_slots size storage_reserved nb_slots ' +
        'nb_slots_mobile_workstation account_id service_id version unique_id',
      text: 'customer_name service_name internal_name description account_name bill_reference',
      json: 'tags',
    },
    { rights: fields({ boolean: 'technical statistic' }) },
  ),
  backup_slots: fields({
    id: 'id',
    time: 'usage_last_check created_at locked_at',
    boolean: 'locked activate_notifications unit_admin',
    integer: 'size storage_used lang',
    text: 'customer_name type subtype connection_type username',
    json: 'tags',
  }),
};

/** A group with other groups below it. */
export const GROUP_NODE: Fields = { ...FIELDS.app_groups, Children: 'json' };

/** The transfers of one priority. */
export const TRANSFERS_NODE: Fields = { Priority: 'text', Count: 'integer', Transfers: 'json' };

/** A row of a price list that is a list. */
export const PRICE_ROW: Fields = fields({
  time: 'valid_from',
  boolean: 'is_vat_included',
  integer: 'from_gb to_gb',
  decimal: 'price',
  text: 'code name currency unit periodicity',
});
