import type { ResourceName, SourceKind } from '../resources.ts';

export interface ColumnSetting {
  readonly type?: string;
  readonly format?: string;
}

/** What the user says about one listing where the answers do not decide. */
export interface ResourceSettings {
  /** Path below the origin in place of the default, `{id}` for the parent's id, for installations that renamed it. */
  readonly path?: string;
  /** Where the records are: `$` (bare array), a key path such as `data.items`, or `{}` for a map of objects. */
  readonly items?: string;
  /** The field that identifies a record. */
  readonly id?: string;
  readonly paging?: string;
  readonly columns: Readonly<Record<string, ColumnSetting>>;
  /** API paths that become no column. */
  readonly drop: readonly string[];
  /** API paths whose values are replaced by a keyed hash. */
  readonly mask: readonly string[];
}

export interface Source {
  readonly name: string;
  readonly kind: SourceKind;
  /** Origin without a trailing slash. */
  readonly baseUrl: string;
  /** Name of the secret. */
  readonly secret: string;
  readonly accountId?: string;
  /** @default /gv2/webservices/API */
  readonly basePath: string;
  /** @default 1.12 */
  readonly apiVersion: string;
  /** @default backup */
  readonly product: string;
  /** @default 1, 1 and 0 */
  readonly versions: { readonly pricing: number; readonly storages: number; readonly slots: number };
  /** Calls in flight. @default 8, a backup source 2 */
  readonly concurrency: number;
  /** Calls a second; null = unlimited. @default 20, a backup source 1 */
  readonly requestsPerSecond: number | null;
  /** IANA zone of timestamps that carry none. */
  readonly timeZone?: string;
  /** Absolute path of the certificates to trust besides the system's. */
  readonly caFile?: string;
  /** Whether http:// is allowed outside loopback. @default false */
  readonly allowHttp: boolean;
  /** @default 2 GiB */
  readonly maxListingBytes: number;
  readonly resources: Readonly<Partial<Record<ResourceName, ResourceSettings>>>;
}

export interface Config {
  /** Glue database, workgroup and stack. */
  readonly name: string;
  /** cron(...) or rate(...) as EventBridge Scheduler has them. @default cron(0 3 * * ? *) */
  readonly schedule: string;
  /** IANA zone of the schedule and of export_date. @default UTC */
  readonly timeZone: string;
  /** Share of a source's outcomes that must be ok, empty or gone. @default 0.95 */
  readonly minCoverage: number;
  /** Share by which a listing may shrink. @default 0.3 */
  readonly maxShrink: number;
  /** Days; 0 = gone after the commit. @default 30 */
  readonly rawRetentionDays: number;
  /** Days; null = for ever. @default null */
  readonly dailyRetentionDays: number | null;
  /** Name of the secret that keys the hashes of masked values. */
  readonly maskSecret?: string;
  readonly alarmEmail?: string;
  readonly kmsKeyArn?: string;
  readonly vpc?: unknown;
  readonly sources: readonly Source[];
}
