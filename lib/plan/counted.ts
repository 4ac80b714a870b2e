import type { ListingsOfSource } from '../run/outcomes/set-aside.ts';
import type { DuckDb } from '../runtime/duckdb.ts';

/** What the tables `answers` and `outcomes` say about a source's answers with records. */
export interface Counted extends ListingsOfSource {
  /** The number of records in the answers that count, without those that were purged since. */
  readonly records: number;
  /** Whether all of them count. */
  readonly allCount: boolean;
}

/** The answers that count, for all sources in one statement. Plan calls it again after listings fail. */
export async function countedAnswers(db: DuckDb): Promise<(of: ListingsOfSource) => Counted | undefined> {
  const rows = await db.rows(COUNTED);
  return ({ source, resource }) => {
    const row = rows.find((each) => each.source === source && each.resource === resource);
    return row && { source, resource, records: Number(row.records ?? 0), allCount: row.all_count === true };
  };
}

const COUNTED = `
  -- grain: source, resource
  select
    answers.source,
    answers.resource,
    (sum(answers.kept) filter (outcomes.pass is not null))::double as records,
    bool_and(outcomes.pass is not null) as all_count
  from answers
  left join outcomes
    on outcomes.source = answers.source
    and outcomes.resource = answers.resource
    and outcomes.parent_id is not distinct from answers.parent_id
    and outcomes.pass = answers.pass
    and outcomes.outcome = 'ok'
  where answers.kept > 0
  group by all`;
