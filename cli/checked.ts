import type { Config } from '#lib/config/config.ts';
import { lakeKey } from '#lib/lake/keys.ts';
import { MAP_KEY } from '#lib/lake/raw/marks.ts';
import { locksOf } from '#lib/run/dialects.ts';
import type { ExecutionInput } from '#lib/run/payloads.ts';
import { readPlanIfAny } from '#lib/run/plan-file.ts';
import type { DuckDb } from '#lib/runtime/duckdb.ts';
import type { Services } from '#lib/runtime/services.ts';
import { openStageDb } from '#lib/runtime/stage-duckdb.ts';
import { readingText } from '#lib/schema/cells/formats.ts';
import { NO_ID, type RecordKey } from '#lib/schema/record-key.ts';
import { readSchema } from '#lib/schema/schema.ts';
import type { Question } from '#lib/sources/question.ts';
import { RESOURCES, type Resource, type ResourceName, type Target } from '#lib/sources/resources.ts';
import type { Source } from '#lib/sources/source.ts';
import { readParquet } from '#lib/sql.ts';
import { counted } from '#lib/text.ts';
import { QUERIES } from '#lib/views/queries.ts';
import { readViews } from '#lib/views/view-file.ts';
import { type ColumnFacts, columnFacts } from './column-facts.ts';
import { type NestedLists, nestedLists } from './nested-lists.ts';
import { roleQuestions } from './role-questions.ts';

/** What `check` found out about one listing. */
export interface Checked {
  readonly source: string;
  readonly resource: ResourceName;
  readonly ok: boolean;
  readonly outcome: string;
  readonly status: number | null;
  readonly message: string | null;
  /** Items that were asked: one, or a few parents. */
  readonly asked: number;
  /** How many of them are ok or empty. */
  readonly answered: number;
  readonly records: number;
  /** Of the slowest answer; null if none came. */
  readonly latencyMs: number | null;
  readonly envelope: string | null;
  readonly paging: string | null;
  readonly evidence: readonly string[];
  /** What tells its records apart. */
  readonly key: string | null;
  /** The columns that are read as times, each with its format. */
  readonly timestamps: Readonly<Record<string, string>>;
  /** The open questions; that of its failure comes first. */
  readonly asks: readonly Question[];
  /** Columns that views ask for and none of its fields is called like: which of its fields may be meant. */
  readonly roles: readonly Question[];
  /** Facts that need no decision. */
  readonly notes: readonly string[];
}

/** A call that was made. */
export interface Called extends Target {
  readonly source: string;
  /** Null if no answer came. */
  readonly status: number | null;
  readonly latencyMs: number;
}

export interface ReadCheckedOptions {
  readonly services: Services;
  readonly input: ExecutionInput;
  readonly config: Config;
  readonly calls: readonly Called[];
}

/** What the stages of a check left in its lake, one entry for each listing. */
export async function readChecked({
  services,
  input,
  config,
  calls,
}: ReadCheckedOptions): Promise<readonly Checked[]> {
  const { lake } = services;
  await using scratch = await lake.scratch();
  using db = await openStageDb(services, scratch);
  const schema = await readSchema(lake, lakeKey('schema', input));
  await readOutcomes(db, await lake.localPaths([lakeKey('outcomes', input)]));
  const outcomes = await worstOutcomes(db);
  const checked: Checked[] = [];
  const plan = await readPlanIfAny(lake, input);
  const questions = plan?.sources.flatMap(({ asksOfFailed, asks }) => [...asksOfFailed, ...asks]) ?? [];
  const nested = await nestedLists({ db, lake, input, schema });
  const facts = await columnFacts({ db, lake, input, schema });
  const views = await readViews(QUERIES);
  for (const configured of config.sources) {
    const { name: source, kind } = configured;
    const found = locksOf(plan, source);
    for (const called of RESOURCES.filter((each) => each.kind === kind)) {
      const resource = called.name;
      const outcome = outcomes.find((row) => row.source === source && row.resource === resource);
      const table = schema.tables[resource];
      const dialect = found[resource]?.dialect;
      const isOf = isCallOf(called, configured);
      const answers = calls.filter((each) => each.source === source && isOf(each.path));
      const columns = (table?.columns ?? []).filter(({ paths }) =>
        paths.some((path) => path.source === source),
      );
      checked.push({
        source,
        resource,
        ok: GOOD.has(String(outcome?.outcome)),
        outcome: String(outcome?.outcome ?? 'not asked'),
        status: outcome?.http_status == null ? null : Number(outcome.http_status),
        message: outcome === undefined ? unaskedText(called) : textOrNull(outcome.message),
        asked: Number(outcome?.asked ?? 0),
        answered: Number(outcome?.answered ?? 0),
        records: Number(outcome?.records ?? 0),
        latencyMs: answers.length === 0 ? null : Math.max(...answers.map(({ latencyMs }) => latencyMs)),
        envelope: dialect?.envelope ?? null,
        paging: dialect?.paging ?? null,
        evidence: dialect?.evidence ?? [],
        key: keyText(table?.keys[source]),
        timestamps: Object.fromEntries(
          columns
            .filter(({ type }) => type === 'timestamp' || type === 'date')
            .map(({ name, readings }) => [name, readingText(readings[source] ?? { formats: [] }) ?? '']),
        ),
        asks: [
          ...questions.filter((each) => each.source === source && each.resource === resource),
          ...(table?.keys[source]?.kind === 'hash' && configured.resources[resource]?.id !== NO_ID
            ? [keyQuestion(source, resource)]
            : []),
        ],
        roles: roleQuestions({
          source,
          resource,
          columns: facts.filter(
            (each) =>
              each.source === source && each.resource === resource && !isKey(each, table?.keys[source]),
          ),
          names: new Set(columns.map(({ name }) => name)),
          views,
          settings: configured.resources[resource]?.columns ?? {},
        }),
        notes: nested.filter((each) => each.source === source && each.resource === resource).map(nestedText),
      });
    }
  }
  return checked;
}

function isKey({ field }: ColumnFacts, key: RecordKey | undefined): boolean {
  return key?.kind === 'field' && key.field === field;
}

/** A gone parent was removed meanwhile; if too many are gone, plan calls them failed. */
const GOOD = new Set(['ok', 'empty', 'gone']);

function textOrNull(value: unknown): string | null {
  return value === null || value === undefined ? null : String(value);
}

function unaskedText({ parent }: Resource): string {
  return `It was not called: ${parent ?? 'the source'} gave no record whose id it could be called with.`;
}

function keyQuestion(source: string, resource: ResourceName): Question {
  return {
    code: 'KEY_UNKNOWN',
    source,
    resource,
    says: 'None of the usual fields tells the records apart, so a changed record counts as one removed and one added',
    cures: [
      {
        setting: `resources.${resource}.id`,
        choices: [],
        open: 'a field that tells them apart',
        when: 'there is one',
      },
      { setting: `resources.${resource}.id`, choices: [NO_ID], when: 'there is none' },
    ],
  };
}

function nestedText({ resource, column, areAlike, lists, records }: NestedLists): string {
  const whose = areAlike ? `records like those of ${resource} itself` : 'records of their own';
  const depth = areAlike ? ', and what is below them' : '';
  return `${resource}.${column} holds ${counted(lists, 'list')} of ${whose} (${records} in all${depth}). They do not become rows but stay in that column as JSON text; docs/tables.md says how to query it.`;
}

/** Gives a test of paths: true for a call of this resource, of any parent. */
export function isCallOf(resource: Resource, source: Source): (path: string) => boolean {
  const [before = '', after] = resource.target(source, PARENT).path.split(PARENT);
  if (after === undefined) return (path) => path === before;
  return (path) =>
    path.startsWith(before) && path.endsWith(after) && path.length > before.length + after.length;
}

const PARENT = 'PARENT';

function keyText(key: RecordKey | undefined): string | null {
  if (key === undefined) return null;
  return key.kind === 'field'
    ? key.field === MAP_KEY
      ? "the map's key"
      : key.field
    : key.kind === 'hash'
      ? 'all that they say'
      : 'it is one record';
}

/** Fills the table `outcomes` with what plan says of each item. */
async function readOutcomes(db: DuckDb, paths: readonly string[]): Promise<void> {
  await db.run(`create temp table outcomes as select * from ${readParquet(paths)}`);
}

/** The outcome of each listing; if several parents were asked, the worst of them. */
async function worstOutcomes(db: DuckDb) {
  const worst = "list_position(['failed', 'denied', 'gone', 'ok', 'empty'], outcome)";
  return await db.rows(`
    -- grain: source, resource; of the items that were asked
    select
      source,
      resource,
      min_by(outcome, ${worst}) as outcome,
      min_by(http_status, ${worst}) as http_status,
      min_by(coalesce(message, ''), ${worst}) as message,
      count(*) as asked,
      count(*) filter (outcome in ('ok', 'empty')) as answered,
      sum(records) as records
    from outcomes
    group by all`);
}
