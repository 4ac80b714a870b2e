import type { NotedRaw } from '../run/answers.ts';
import { notedQuestions } from '../run/noted.ts';
import type { DuckDb } from '../runtime/duckdb.ts';
import { type Question, saidWithCures } from '../sources/question.ts';
import { RESOURCE_NAMES } from '../sources/resources.ts';
import { quoteLiteral } from '../sql.ts';
import { judgedIn } from './plan-cures.ts';

/** The most questions of one listing. After an answer, the next check or run shows the rest. */
const MOST_OF_A_LISTING = 8;

/**
 * The questions of failed outcomes, first those of the parents' listings. Collect or plan found them. A listing that plan
 * itself calls failed gets its message: what plan saw, and the settings that may help.
 */
export async function failureQuestions(db: DuckDb, raw: readonly NotedRaw[]): Promise<readonly Question[]> {
  const rows = await db.rows(FAILED);
  const failed = new Set(
    rows.map(({ source, resource, error_code, pass }) => placeKey(source, resource, error_code, pass)),
  );
  const found: Question[] = [];
  for (const row of rows) {
    if (row.says === null) continue;
    const { code, resource, cures } = judgedIn(row);
    const [source, says] = [String(row.source), String(row.says)];
    found.push({ code, source, resource, says, cures });
    await db.run(`
      update outcomes
      set message = ${quoteLiteral(saidWithCures(says, cures))}
      where (source, resource, says) = (${[source, resource, says].map(quoteLiteral).join(', ')})`);
  }
  for (const each of raw) {
    if (!rows.some(({ source, resource }) => source === each.source && resource === each.resource)) continue;
    for (const { pass, question } of notedQuestions(each.notes))
      if (failed.has(placeKey(each.source, each.resource, question.code, pass))) found.push(question);
  }
  return RESOURCE_NAMES.flatMap((name) => ofListings(found.filter(({ resource }) => resource === name)));
}

function placeKey(...parts: readonly unknown[]): string {
  return parts.join(' ');
}

/** The different questions of each source. If several parents ask the same question, the first one stays. */
function ofListings(questions: readonly Question[]): readonly Question[] {
  const bySource = Map.groupBy(questions, ({ source }) => source);
  return [...bySource.values()].flatMap((same) => {
    const different = new Map(
      same.toReversed().map((each) => [JSON.stringify([each.code, each.cures]), each]),
    );
    return [...different.values()].toReversed().slice(0, MOST_OF_A_LISTING);
  });
}

/** `says` is null if the answer itself failed. Otherwise it is a text of plan's own judgement. */
const FAILED = `
  -- grain: source, resource, code, pass, what plan saw
  select distinct source, resource, error_code, pass, says, choices
  from outcomes
  where outcome in ('failed', 'ok', 'empty') and error_code is not null
  order by all`;
