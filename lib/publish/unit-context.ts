import type { Base } from '../run/base.ts';
import type { RunRecord } from '../run/run-record.ts';
import type { DuckDb } from '../runtime/duckdb.ts';
import type { Services } from '../runtime/services.ts';
import type { Schema } from '../schema/schema.ts';

/** What the publishing of one unit needs: where it reads and writes, and what plan decided for the run. */
export interface UnitContext {
  readonly db: DuckDb;
  readonly services: Services;
  readonly record: RunRecord;
  readonly base: Base;
  readonly schema: Schema;
  /** The number of the unit. */
  readonly unit: number;
  /** False while other units share the memory: whoever fails then is tried again alone, before anybody is set aside. */
  readonly isAlone: boolean;
  /** The folder for unfinished files. */
  readonly scratch: string;
}
