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
  /** The parent's id; null for a listing without parent. */
  readonly parentId: string | null;
  /** What earlier runs have shown of this listing. */
  readonly contract?: Contract | undefined;
  /** Without a contract: the form of the records that another parent's answer of this run proves. */
  readonly form?: Contract | undefined;
  /** True where an earlier answer of this run showed the contract: one page then proves nothing new. */
  readonly isShown?: boolean;
  /** True where the last committed run found it empty. If it is empty again, nothing is noted again. */
  readonly wasEmpty?: boolean;
  /** Decides whether a parent with a listing that answers 404 is gone. @default it is */
  readonly goneProof?: GoneProof;
  /** What the listings of all parents have shown. */
  readonly siblings?: Siblings;
  /**
   * Receives the records of each slice before its row is yielded; `isMended` if DuckDB reads them in another
   * form. Integers beyond 2^53 are strings of their digits.
   */
  readonly onRecords?: (records: readonly unknown[], isMended: boolean) => void;
}
