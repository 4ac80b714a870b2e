import * as z from 'zod';
import { completeOrPaged } from '../api/contract/cures.ts';
import type { NotedRaw } from '../run/answers.ts';
import { notedQuestions } from '../run/noted.ts';
import type { DuckDb } from '../runtime/duckdb.ts';
import { kindNamed } from '../sources/kinds.ts';
import { type Cure, type Question, saidWithCures } from '../sources/question.ts';
import { RESOURCE_NAMES, type ResourceName, resourceNamed } from '../sources/resources.ts';
import { quoteLiteral } from '../sql.ts';

/** Code → the settings that may help if plan itself calls a listing failed. */
const CURES = {
  CAP_SUSPECTED: (resource) => completeOrPaged(resourceNamed(resource), 'no parent has more'),
  CHILDREN_ALIKE: (resource, choices) => [
    {
      setting: `resources.${resource}.path`,
      choices,
      open: 'the path to the records of one parent',
      ...(choices.length > 0 && { isLikely: true as const }),
    },
    { setting: `resources.${resource}.complete`, choices: [true], when: 'these numbers are right' },
  ],
  // No setting helps: only the API can add ids to the records.
  ID_MISSING: () => [],
  ID_UNKNOWN: (resource, choices) =>
    idCures(resourceNamed(resource).parent ?? resource, { choices, open: 'a field that tells them apart' }),
  RESOURCE_MISSING: (resource) => {
    const { kind, pathSettings } = resourceNamed(resource);
    const { variants } = kindNamed(kind);
    return [
      { setting: 'basePath', choices: [], open: 'where the API begins' },
      ...pathSettings.map((setting) => ({
        setting,
        choices: variants[setting] ?? [],
        open: 'what the server has',
      })),
      { setting: `resources.${resource}.path`, choices: [], open: 'where the listing is' },
    ];
  },
  SHAPE_CHANGED: (resource) => idCures(resource, { choices: [], open: 'the field that replaced it' }),
} as const satisfies Readonly<
  Record<string, (resource: ResourceName, choices: readonly string[]) => readonly Cure[]>
>;

export type PlanCode = keyof typeof CURES;

/** A listing that plan itself has judged, in the table `outcomes`. */
const judgedRow = z.object({
  source: z.string(),
  resource: z.enum(RESOURCE_NAMES),
  error_code: z.enum(Object.keys(CURES) as PlanCode[]),
  says: z.string(),
  /** A JSON array of values that the setting may have, as far as the answers show them; null for none. */
  choices: z.string().nullable(),
});

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
    const { source, resource, error_code: code, says, choices } = judgedRow.parse(row);
    const cures = CURES[code](resource, z.array(z.string()).parse(JSON.parse(choices ?? '[]')));
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

function idCures(
  resource: ResourceName,
  may: { readonly choices: readonly string[]; readonly open: string },
): readonly Cure[] {
  return [{ setting: `resources.${resource}.id`, ...may }];
}
