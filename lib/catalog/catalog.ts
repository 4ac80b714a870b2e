/** A column as a catalog has it. */
export interface CatalogColumn {
  readonly name: string;
  /** Glue's name for the type. */
  readonly type: string;
  /** At most 255 characters. */
  readonly comment: string;
}

/** A table, or a view where it has `view`. */
export interface CatalogTable {
  readonly name: string;
  readonly description: string;
  readonly columns: readonly CatalogColumn[];
  /** Where its files are, with a closing `/`; empty for a view. */
  readonly location: string;
  /** Whether it has a partition for each date. */
  readonly isDaily: boolean;
  /** The text that Athena keeps for a view. */
  readonly view?: string;
  /** Changes with everything above. */
  readonly fingerprint: string;
}

export interface CatalogPartition {
  /** YYYY-MM-DD, the partition's one value. */
  readonly date: string;
  readonly location: string;
  /** Includes the table's columns, which the partition has too. */
  readonly fingerprint: string;
}

/** What the catalog has about one of our tables. */
type KnownTable = Pick<CatalogTable, 'name' | 'location' | 'isDaily' | 'fingerprint'>;

/**
 * A database of a catalog. Every call may find its result already there: a second create or delete is not an
 * error. It does not see tables that others made in the database. Throws CATALOG_SYNC_FAILED.
 */
export interface Catalog {
  /** Its name for people. */
  readonly name: string;
  readonly database: string;
  tables(): Promise<readonly KnownTable[]>;
  putTable(table: CatalogTable, isKnown: boolean): Promise<void>;
  removeTables(names: readonly string[]): Promise<void>;
  partitions(table: string): Promise<readonly CatalogPartition[]>;
  putPartitions(table: CatalogTable, partitions: readonly CatalogPartition[]): Promise<void>;
  removePartitions(table: string, dates: readonly string[]): Promise<void>;
  /** Gives each reader with a row filter its rows of these tables. Undefined if somebody else does. */
  filterRows?(tables: readonly Pick<CatalogTable, 'name' | 'view'>[]): Promise<void>;
}
