import type { Source } from './config/config.ts';

export type SourceKind = 'signage' | 'backup';

export const RESOURCE_NAMES = [
  'app_groups',
  'licenses',
  'players',
  'screens',
  'pending_file_transfers',
  'backup_pricing',
  'backup_storages',
  'backup_slots',
] as const;

/** A resource is named as the table that it feeds. */
export type ResourceName = (typeof RESOURCE_NAMES)[number];

export interface Resource {
  readonly name: ResourceName;
  readonly kind: SourceKind;
  /** The API's own word for one record; `<word>Id` is a name that its id may have. */
  readonly record: string;
  /** The API's own word for the listing; an envelope may hold the records below it. */
  readonly listing: string;
  /** The resource whose every record is asked for this one's listing. */
  readonly parent: ResourceName | null;
  /** The column that holds the parent's id as text, in the parent's own table too. */
  readonly parentColumn: 'player_id' | 'storage_id' | null;
  /** True where the whole answer may be one record (a price list). */
  readonly mayBeOneRecord: boolean;
  /** True where records come and go with every hour, so that a listing without them says nothing. */
  readonly isQueue: boolean;
  /** Where it is asked for below the source's baseUrl; the parent's id is encoded as one path segment. */
  readonly target: (source: Source, parentId: string) => Target;
}

export interface Target {
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
}

type Template = (source: Source) => Target;

const signage =
  (path: string): Template =>
  (source) => ({ path: `${source.basePath}/v${source.apiVersion}${path}`, query: {} });

const backup =
  (call: 'pricing' | 'storages' | 'slots', path: string): Template =>
  (source) => ({
    path: `/${source.versions[call]}/${source.product}${path}`,
    query: source.accountId === undefined ? {} : { account_id: source.accountId },
  });

const DEFINITIONS: readonly (Omit<Resource, 'target' | 'isQueue'> & { readonly template: Template })[] = [
  {
    name: 'app_groups',
    kind: 'signage',
    record: 'AppGroup',
    listing: 'AppGroups',
    parent: null,
    parentColumn: null,
    mayBeOneRecord: false,
    template: signage('/AppGroups'),
  },
  {
    name: 'licenses',
    kind: 'signage',
    record: 'License',
    listing: 'Licenses',
    parent: null,
    parentColumn: null,
    mayBeOneRecord: false,
    template: signage('/Licenses'),
  },
  {
    name: 'players',
    kind: 'signage',
    record: 'Player',
    listing: 'Players',
    parent: null,
    parentColumn: 'player_id',
    mayBeOneRecord: false,
    template: signage('/Players'),
  },
  {
    name: 'screens',
    kind: 'signage',
    record: 'Screen',
    listing: 'Screens',
    parent: 'players',
    parentColumn: 'player_id',
    mayBeOneRecord: false,
    template: signage('/Players/{id}/Screens'),
  },
  {
    name: 'pending_file_transfers',
    kind: 'signage',
    record: 'PendingFileTransfer',
    listing: 'PendingFileTransfers',
    parent: 'players',
    parentColumn: 'player_id',
    mayBeOneRecord: false,
    template: signage('/Players/{id}/PendingFileTransfers'),
  },
  {
    name: 'backup_pricing',
    kind: 'backup',
    record: 'Price',
    listing: 'Pricing',
    parent: null,
    parentColumn: null,
    mayBeOneRecord: true,
    template: backup('pricing', '/pricing'),
  },
  {
    name: 'backup_storages',
    kind: 'backup',
    record: 'Backup',
    listing: 'Backups',
    parent: null,
    parentColumn: 'storage_id',
    mayBeOneRecord: false,
    template: backup('storages', ''),
  },
  {
    name: 'backup_slots',
    kind: 'backup',
    record: 'Slot',
    listing: 'Slots',
    parent: 'backup_storages',
    parentColumn: 'storage_id',
    mayBeOneRecord: false,
    template: backup('slots', '/{id}/slot'),
  },
];

/** The eight listings of the two APIs, parents before their children; the config may give each another path. */
export const RESOURCES: readonly Resource[] = DEFINITIONS.map(({ template, ...resource }) => ({
  ...resource,
  isQueue: resource.name === 'pending_file_transfers',
  target: (source, parentId) => {
    const { path, query } = template(source);
    const wanted = source.resources[resource.name]?.path ?? path;
    return { path: wanted.replaceAll('{id}', () => segment(parentId)), query };
  },
}));

/** The resource of that name. */
export function resourceNamed(name: ResourceName): Resource {
  const found = RESOURCES.find((resource) => resource.name === name);
  if (found === undefined) throw new Error(`no resource ${name}`);
  return found;
}

/** The listings of a kind of source that need no parent, in order. */
export function topLevelResources(kind: SourceKind): readonly Resource[] {
  return RESOURCES.filter((resource) => resource.kind === kind && resource.parent === null);
}

/** The listings that are called once for each record of a listing. */
export function childrenOf(parent: ResourceName): readonly Resource[] {
  return RESOURCES.filter((resource) => resource.parent === parent);
}

/** One path segment: everything but unreserved characters is encoded; `.` and `..` too, which URL parsers would resolve. */
function segment(id: string): string {
  const encoded = encodeURIComponent(id);
  return /^\.{1,2}$/.test(encoded) ? encoded.replaceAll('.', '%2E') : encoded;
}
