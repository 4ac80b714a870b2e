import type { HashRange } from '../parent-hash.ts';
import type { ResourceName } from '../resources.ts';

/** One part of a resource's table: what is collected of its sources, and what is carried over. */
export interface ResourceUnit {
  readonly kind: 'resource';
  readonly table: ResourceName;
  readonly part: number;
  /** Of the parents whose children these are; without one, all. */
  readonly range?: HashRange;
  /** Sources with answers in this run, and the keys of their raw files. */
  readonly collected: readonly { readonly source: string; readonly raw: readonly string[] }[];
  /** Sources all of whose committed rows stay: not called, or their listing failed. */
  readonly keepAll: readonly string[];
  /** Sources whose rows stay where the parent is not among the run's outcomes: the parents' listing failed. */
  readonly keepUnlisted: readonly string[];
}

/** The tables that plan itself knows: outcomes, runs, schema_columns, and the committed rows of the date's ledgers. */
export interface LedgerUnit {
  readonly kind: 'ledger';
}

/** A date of tables whose committed rows are written anew, because a column has another type: one type in all files. */
export interface RecastUnit {
  readonly kind: 'recast';
  readonly date: string;
  readonly tables: readonly ResourceName[];
}

export type Unit = ResourceUnit | LedgerUnit | RecastUnit;

/** What a unit put into the lake. */
export interface PublishedUnit {
  readonly parts: readonly {
    readonly table: string;
    /** YYYY-MM-DD */
    readonly date: string;
    readonly part: number;
    readonly rows: number;
  }[];
  readonly table?: ResourceName;
  readonly rows: number;
  readonly added: number;
  readonly removed: number;
  readonly changed: number;
  readonly rejected: number;
}
