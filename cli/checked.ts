import type { Contract } from '#lib/api/contract/contract.ts';
import type { Config } from '#lib/config/config.ts';
import { lakeKey } from '#lib/lake/keys.ts';
import { MAP_KEY } from '#lib/lake/raw/marks.ts';
import { locksOf } from '#lib/run/dialects.ts';
import type { ExecutionInput } from '#lib/run/payloads.ts';
import { readPlanIfAny } from '#lib/run/plan-file.ts';
import type { Services } from '#lib/runtime/services.ts';
import { openStageDb } from '#lib/runtime/stage-duckdb.ts';
import { readingText } from '#lib/schema/cells/formats.ts';
import { NO_ID, type RecordKey } from '#lib/schema/record-key.ts';
import { readSchema } from '#lib/schema/schema.ts';
import type { Note } from '#lib/sources/note.ts';
import type { Question } from '#lib/sources/question.ts';
import { RESOURCES, type Resource, type ResourceName, resourceNamed } from '#lib/sources/resources.ts';
import type { Source } from '#lib/sources/source.ts';
import { readParquet } from '#lib/sql.ts';
import { QUERIES } from '#lib/views/queries.ts';
import { readViews } from '#lib/views/view-file.ts';
import { columnFacts } from './column-facts.ts';
import type { Called } from './replayed-calls.ts';
import { roleQuestions } from './role-questions.ts';

/** What `check` found out about one listing. */
export interface Checked {
  readonly source: string;
  readonly resource: ResourceName;
  readonly ok: boolean;
  /** It answers, and may not be whole: a run publishes it, and removes nothing for it. */
  readonly isInDoubt: boolean;
  readonly outcome: string;
  readonly status: number | null;
  readonly message: string | null;
  /** Items that were asked: one, or a few parents. */
  readonly asked: number;
  /** How many of them are ok or empty. */
  readonly answered: number;
  readonly records: number;
  readonly calls: number;
  /** Of the slowest answer; null if none came. */
  readonly latencyMs: number | null;
  /** What the answers show; null if none could be understood. */
  readonly contract: Contract | null;
  readonly envelope: string | null;
  readonly paging: string | null;
  /** The field whose value is the id that children are asked by. */
  readonly idField: string | null;
  /** What tells its records apart. */
  readonly key: string | null;
  /** The columns that are read as times, each with its format. */
  readonly timestamps: Readonly<Record<string, string>>;
  /** The open questions; that of its failure comes first. */
  readonly questions: readonly Question[];
  /** Columns that views ask for and no field fills as it is: which of its fields may be meant. */
  readonly roles: readonly Question[];
  /** What was seen and needs no answer. */
  readonly notes: readonly Note[];
}

/** One look at the sources, and the calls up to then. */
export interface Round {
  readonly config: Config;
  readonly listings: readonly Checked[];
  /** The parents of each source whose children were asked for. */
  readonly sampled: ReadonlyMap<string, readonly string[]>;
  readonly calls: readonly Called[];
}

export interface ReadCheckedOptions extends Pick<Round, 'config' | 'calls'> {
  readonly services: Services;
  readonly input: ExecutionInput;
}

/** A gone parent was removed meanwhile; if too many are gone, plan calls them failed. */
const GOOD = new Set(['ok', 'empty', 'gone']);

/** What the stages of a check left in its lake, one entry for each listing. */
export async function readChecked(options: ReadCheckedOptions): Promise<readonly Checked[]> {
  const { services, input, config, calls } = options;
  const { lake } = services;
  await using scratch = await lake.scratch();
  using db = await openStageDb(services, scratch);
  const schema = await readSchema(lake, lakeKey('schema', input));
  const paths = await lake.localPaths([lakeKey('outcomes', input)]);
  await db.run(`create temp table outcomes as select * from ${readParquet(paths)}`);
  const outcomes = await db.rows(WORST_OUTCOMES);
  const plan = await readPlanIfAny(lake, input);
  const questions = plan?.sources.flatMap(({ asksOfFailed, asks }) => [...asksOfFailed, ...asks]) ?? [];
  const ofPlan = plan?.sources.flatMap(({ notes }) => notes) ?? [];
  const facts = await columnFacts({ db, lake, input, schema });
  const notes = [...ofPlan, ...facts.flatMap(({ note = [] }) => note)];
  const views = await readViews(QUERIES);

  const checkedOf = (source: Source, { name: resource, parent }: Resource): Checked => {
    const isOwn = (each: { readonly source: unknown; readonly resource: unknown }) =>
      each.source === source.name && each.resource === resource;
    const outcome = outcomes.find((row) => row.source === source.name && row.resource === resource);
    const { dialect: contract = null, idField = null } = locksOf(plan, source.name)[resource] ?? {};
    const { columns = [], keys = {} } = schema.tables[resource] ?? {};
    const key = keys[source.name];
    const own = columns.filter((column) => column.paths.some((path) => path.source === source.name));
    const called = callsOf({ source: source.name, resource }, config, calls);
    const settings = source.resources[resource];
    return {
      source: source.name,
      resource,
      ok: GOOD.has(String(outcome?.outcome)),
      isInDoubt: GOOD.has(String(outcome?.outcome)) && Number(outcome?.doubts ?? 0) > 0,
      outcome: String(outcome?.outcome ?? 'not asked'),
      status: outcome?.http_status == null ? null : Number(outcome.http_status),
      message:
        outcome === undefined
          ? `It was not called: ${parent ?? 'the source'} gave no record whose id it could be called with.`
          : String(outcome.message),
      asked: Number(outcome?.asked ?? 0),
      answered: Number(outcome?.answered ?? 0),
      records: Number(outcome?.records ?? 0),
      calls: called.length,
      latencyMs: called.length === 0 ? null : Math.max(...called.map(({ latencyMs }) => latencyMs)),
      contract,
      envelope: contract?.envelope ?? null,
      paging: contract?.paging ?? null,
      idField,
      key: key === undefined ? null : keyText(key),
      timestamps: Object.fromEntries(
        own
          .filter(({ type }) => type === 'timestamp' || type === 'date')
          .map(({ name, readings }) => [name, readingText(readings[source.name] ?? { formats: [] }) ?? '']),
      ),
      questions: [
        ...questions.filter(isOwn),
        ...(key?.kind === 'hash' && settings?.id !== NO_ID ? [keyQuestion(source.name, resource)] : []),
      ],
      roles: roleQuestions({
        source: source.name,
        resource,
        columns: facts.filter(
          (each) =>
            isOwn(each) && each.isPlain && !(key?.kind === 'field' && key.field === each.path.join('.')),
        ),
        names: new Set(own.map(({ name }) => name)),
        views,
        settings: settings?.columns ?? {},
      }),
      notes: notes.filter(isOwn),
    };
  };
  return config.sources.flatMap((source) =>
    RESOURCES.filter(({ kind }) => kind === source.kind).map((resource) => checkedOf(source, resource)),
  );
}

function keyText(key: RecordKey): string {
  if (key.kind === 'field') return key.field === MAP_KEY ? "the map's key" : key.field;
  return key.kind === 'hash' ? 'all that they say' : 'it is one record';
}

function keyQuestion(source: string, resource: ResourceName): Question {
  const setting = `resources.${resource}.id`;
  return {
    code: 'KEY_UNKNOWN',
    source,
    resource,
    says: 'None of the usual fields tells the records apart, so a changed record counts as one removed and one added',
    cures: [
      { setting, choices: [], open: 'a field that tells them apart', when: 'there is one' },
      { setting, choices: [NO_ID], when: 'there is none' },
    ],
  };
}

const PARENT = 'PARENT';

/** The calls of a listing, of any parent, with the settings of the config. */
export function callsOf(
  { source: name, resource }: Pick<Checked, 'source' | 'resource'>,
  { sources }: Config,
  calls: readonly Called[],
): readonly Called[] {
  const source = sources.find((each) => each.name === name);
  if (source === undefined) return [];
  const [before = '', after] = resourceNamed(resource).target(source, PARENT).path.split(PARENT);
  const isOf = (path: string): boolean =>
    after === undefined
      ? path === before
      : path.startsWith(before) && path.endsWith(after) && path.length > before.length + after.length;
  return calls.filter((call) => call.source === name && isOf(call.path));
}

/** The outcome of each listing; if several parents were asked, the worst of them. */
const WORST = "list_position(['failed', 'denied', 'gone', 'ok', 'empty'], outcome)";
const WORST_OUTCOMES = `
  -- grain: source, resource; of the items that were asked
  select
    source,
    resource,
    min_by(outcome, ${WORST}) as outcome,
    min_by(http_status, ${WORST}) as http_status,
    min_by(coalesce(message, ''), ${WORST}) as message,
    count(*) as asked,
    count(*) filter (outcome in ('ok', 'empty')) as answered,
    count(*) filter (outcome in ('ok', 'empty') and error_code is not null) as doubts,
    sum(records) as records
  from outcomes
  group by all`;
