import type { ListingsOfSource } from '../run/outcomes/set-aside.ts';
import type { DuckDb } from '../runtime/duckdb.ts';

/**
 * What the tables `answers` and `outcomes` say about a source's answers that count: their records, and whether all
 * answers with records count. Plan calls it again after listings fail.
 */
export async function countedAnswers(db: DuckDb) {
  const rows = await db.rows(COUNTED);
  return ({ source, resource }: ListingsOfSource) => {
    const row = rows.find((each) => each.source === source && each.resource === resource);
    return row && { records: Number(row.records ?? 0), allCount: row.all_count === true };
  };
}

const COUNTED = `
  -- grain: source, resource
  select
    answers.source,
    answers.resource,
    (sum(answers.records) filter (outcomes.pass is not null))::double as records,
    bool_and(outcomes.pass is not null) as all_count
  from answers
  left join outcomes
    on outcomes.source = answers.source
    and outcomes.resource = answers.resource
    and outcomes.parent_id is not distinct from answers.parent_id
    and outcomes.pass = answers.pass
    and outcomes.outcome = 'ok'
  where answers.records > 0
  group by all`;
