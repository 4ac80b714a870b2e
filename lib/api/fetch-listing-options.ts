import type { Resource } from '../sources/resources.ts';
import type { Source } from '../sources/source.ts';
import type { ApiClient } from './client.ts';
import type { Contract } from './contract/contract.ts';
import type { GoneProof } from './contract/gone-proof.ts';
import type { Siblings } from './contract/siblings.ts';

export interface FetchListingOptions {
  readonly client: ApiClient;
  readonly source: Source;
  readonly resource: Resource;
  /** The id of the parent whose records are asked for; null for a listing without parent. */
  readonly parentId: string | null;
  /** What earlier runs have shown of this listing. */
  readonly contract?: Contract | undefined;
  /** Without a contract: what another parent's answer of this run proves of the form of the records. */
  readonly form?: Contract | undefined;
  /** Whether an earlier answer of this run has shown the contract: that of a listing of one page proves nothing more. */
  readonly isShown?: boolean;
  /** An earlier run found it empty, and has noted what it said. */
  readonly wasEmpty?: boolean;
  /** Tells whether a parent whose listing answers 404 is gone. @default it is */
  readonly goneProof?: GoneProof;
  /** What the listings of all parents have shown. */
  readonly siblings?: Siblings;
  /**
   * Gets the records of each slice before its row is yielded; `isMended` if DuckDB reads them in another form. Integers
   * beyond 2^53 are strings of their digits.
   */
  readonly onRecords?: (records: readonly unknown[], isMended: boolean) => void;
}
