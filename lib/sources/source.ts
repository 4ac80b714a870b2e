import type * as z from 'zod';
import type { KINDS, ResourceName } from './kinds.ts';
import type { ResourceSettings } from './resource-settings.ts';

/** What every source has, whatever its kind; the kind has the defaults that differ. */
export interface CommonSettings {
  readonly name: string;
  /** Its former name: the history of that name is its own. */
  readonly was?: string;
  /** Origin without a trailing slash. */
  readonly baseUrl: string;
  /** Comes before the path of every listing; empty, or from a slash to the last segment. */
  readonly basePath: string;
  /** Name of the secret. */
  readonly secret: string;
  /** Calls in flight. */
  readonly concurrency: number;
  /** Calls a second; null = unlimited. */
  readonly requestsPerSecond: number | null;
  /** IANA zone of timestamps without one. */
  readonly timeZone?: string;
  /** Absolute path of the certificates to trust in addition to the system's. */
  readonly caFile?: string;
  /** Whether http:// is allowed outside loopback. @default false */
  readonly allowHttp: boolean;
  /** Whether notes count as doubts. @default false */
  readonly strict: boolean;
  /** @default 2 GiB */
  readonly maxListingBytes: number;
  /** In a record, including the objects in it. @default 1000 */
  readonly maxFields: number;
  /** Lists and objects within each other in one answer. @default 64 */
  readonly maxDepth: number;
  /** Members of the records of one listing, over the whole run. @default 300 */
  readonly maxColumns: number;
  readonly resources: Readonly<Partial<Record<ResourceName, ResourceSettings>>>;
}

type Own<Kind> = Kind extends (typeof KINDS)[number]
  ? { readonly kind: Kind['kind'] } & Readonly<z.output<z.ZodObject<Kind['settings']>>>
  : never;

/** A source of the config: what every source has, and what only its kind has. */
export type Source = CommonSettings & Own<(typeof KINDS)[number]>;
