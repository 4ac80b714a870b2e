import type { Base } from '../run/base.ts';
import type { RunRecord } from '../run/run-record.ts';
import type { DuckDb } from '../runtime/duckdb.ts';
import type { Services } from '../runtime/services.ts';
import type { Schema } from '../schema/schema.ts';

/** What a unit needs to publish: where it reads and writes, and what plan decided for the run. */
export interface UnitContext {
  readonly db: DuckDb;
  readonly services: Services;
  readonly record: RunRecord;
  readonly base: Base;
  readonly schema: Schema;
  readonly unit: number;
  /** False while other units share the memory: a failed unit is tried again alone before it sets a source aside. */
  readonly isAlone: boolean;
  /** The folder for unfinished files. */
  readonly scratch: string;
}
