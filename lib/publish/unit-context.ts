import type { Base } from '../run/base.ts';
import type { RunRecord } from '../run/run-record.ts';
import type { DuckDb } from '../runtime/duckdb.ts';
import type { Services } from '../runtime/services.ts';
import type { Schema } from '../schema/schema.ts';

/** Everything that publishing one unit needs: where it reads, where it writes, and what was decided for the run. */
export interface UnitContext {
  readonly db: DuckDb;
  readonly services: Services;
  readonly record: RunRecord;
  readonly base: Base;
  readonly schema: Schema;
  /** Number of the unit. */
  readonly unit: number;
  /** Folder for files in the making. */
  readonly scratch: string;
}
