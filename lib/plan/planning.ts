import type { Lake } from '../lake/lake.ts';
import type { NotedRaw } from '../run/answers.ts';
import type { Base } from '../run/base.ts';
import type { Dialects } from '../run/dialects.ts';
import type { RunRecord } from '../run/run-record.ts';
import type { DuckDb } from '../runtime/duckdb.ts';
import type { Source } from '../sources/source.ts';

/** What plan has of the whole run. */
export interface Planning {
  /** Has the table `outcomes`, once the outcomes are judged. */
  readonly db: DuckDb;
  readonly lake: Lake;
  readonly record: RunRecord;
  readonly base: Base;
  /** Those that the run calls. */
  readonly sources: readonly Source[];
  readonly raw: readonly NotedRaw[];
  /** By source of this run. */
  readonly dialects: ReadonlyMap<string, Dialects>;
}
