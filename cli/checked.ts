import type { Config } from '#lib/config/config.ts';
import { lakeKey } from '#lib/lake/keys.ts';
import { MAP_KEY } from '#lib/lake/raw/marks.ts';
import { emptiedQuestions } from '#lib/plan/meaning/emptied-columns.ts';
import { locksOf } from '#lib/run/dialects.ts';
import type { ExecutionInput } from '#lib/run/payloads.ts';
import { readPlan } from '#lib/run/plan-file.ts';
import type { Row } from '#lib/runtime/duckdb.ts';
import type { Services } from '#lib/runtime/services.ts';
import { openStageDb } from '#lib/runtime/stage-duckdb.ts';
import { readingText } from '#lib/schema/cells/formats.ts';
import { NO_ID, type RecordKey } from '#lib/schema/record-key.ts';
import { readSchema, type Schema } from '#lib/schema/schema.ts';
import type { Question } from '#lib/sources/question.ts';
import { RESOURCES, type Resource, type ResourceName } from '#lib/sources/resources.ts';
import type { Source } from '#lib/sources/source.ts';
import { readParquet } from '#lib/sql.ts';
import { givenColumn } from '#lib/views/given-column.ts';
import { QUERIES } from '#lib/views/queries.ts';
import { readViews } from '#lib/views/view-file.ts';
import { columnFacts } from './column-facts.ts';
import type { ReplayedCalls } from './replayed-calls.ts';
import { roleQuestions } from './role-questions.ts';

export type Checked = Awaited<ReturnType<typeof readChecked>>[number];

/** The worst first. A gone parent was removed meanwhile; if too many are gone, plan calls them failed. */
const OUTCOMES: readonly unknown[] = ['failed', 'denied', 'gone', 'ok', 'empty'];
const rankOf = ({ outcome }: Row): number => OUTCOMES.indexOf(outcome);
const isAnswer = ({ outcome }: Row): boolean => outcome === 'ok' || outcome === 'empty';

interface CheckedRun {
  readonly services: Services;
  readonly input: ExecutionInput;
  readonly calls: ReplayedCalls['calls'];
  readonly known: Schema | undefined;
}

/** The results of the check's stages in its lake, one entry for each listing. */
export async function readChecked(config: Config, { services, input, calls, known }: CheckedRun) {
  const { lake } = services;
  await using scratch = await lake.scratch();
  using db = await openStageDb(services, scratch);
  const schema = await readSchema(lake, lakeKey('schema', input));
  const plan = await readPlan(lake, input);
  const paths = await lake.localPaths([lakeKey('outcomes', input)]);
  await db.run(`create temp table outcomes as select * from ${readParquet(paths)}`);
  const outcomes = await db.rows('select * from outcomes');
  const facts = await columnFacts(db, { lake, input, schema });
  const views = await readViews(QUERIES);
  const asks = plan.sources.flatMap((each) => [
    ...each.asksOfFailed,
    ...each.asks,
    ...each.drift.filter(isMisfit),
  ]);
  const notes = [...plan.sources.flatMap((each) => each.notes), ...facts.flatMap((each) => each.notes)];

  const checkedOf = (source: Source, { name: resource, parent }: Resource) => {
    const isOwn = (each: { readonly source?: unknown; readonly resource?: unknown }) =>
      each.source === source.name && each.resource === resource;
    const asked = outcomes.filter(isOwn).toSorted((a, b) => rankOf(a) - rankOf(b));
    const answered = asked.filter(isAnswer);
    const [worst] = asked;
    const ofParent = outcomes.find((each) => each.source === source.name && each.resource === parent);
    // Where there is no parent, there is nothing to request.
    const isOfNone = ofParent?.outcome === 'empty';
    const ok = worst === undefined ? isOfNone : isAnswer(worst) || worst.outcome === 'gone';
    const { dialect: contract = null, idField = null } = locksOf(plan, source.name)[resource] ?? {};
    const latencies = calls.filter(isOwn).map(({ latencyMs }) => latencyMs);
    const ownFacts = facts.filter(isOwn);
    const table = schema.tables[resource];
    const columns = (table?.columns ?? []).filter((each) =>
      each.paths.some((path) => path.source === source.name),
    );
    const times = columns
      .filter(({ type }) => type === 'timestamp' || type === 'date')
      .map(({ name, readings }) => [name, readingText(readings[source.name] ?? { formats: [] }) ?? '']);
    const ownSchema = { ...schema, tables: table === undefined ? {} : { [resource]: { ...table, columns } } };
    const key = table?.keys[source.name];
    const keyField = key?.kind === 'field' ? key.field : undefined;
    const isKeyUnknown = key?.kind === 'hash' && source.resources[resource]?.id !== NO_ID;
    const hasRecords = answered.some(({ records }) => Number(records ?? 0) > 0);
    const emptied =
      hasRecords && known ? emptiedQuestions(known, { source: source.name, record: { config } }) : [];
    return {
      source: source.name,
      resource,
      ok,
      /** It answers, but may be incomplete: a run publishes it, and removes nothing for it. */
      isInDoubt: ok && answered.some(({ error_code }) => error_code !== null),
      /** For more than one parent, the worst. */
      outcome: String(worst?.outcome ?? 'not asked'),
      status: worst?.http_status == null ? null : Number(worst.http_status),
      message: worst === undefined ? notRequested(parent, ofParent) : String(worst.message ?? ''),
      /** Requested items, one or a few parents, and how many of them are ok or empty. */
      asked: asked.length,
      answered: answered.length,
      records: asked.reduce((sum, { records }) => sum + Number(records ?? 0), 0),
      calls: latencies.length,
      /** Of the slowest answer; null if none came. */
      latencyMs: latencies.length === 0 ? null : Math.max(...latencies),
      contract,
      envelope: contract?.envelope ?? null,
      paging: contract?.paging ?? null,
      idField,
      key: key === undefined ? null : keyText(key),
      timestamps: Object.fromEntries(times) as Readonly<Record<string, string>>,
      /** The open questions; that of its failure comes first. */
      questions: [
        ...asks.filter(isOwn),
        ...(isKeyUnknown ? [keyQuestion(source.name, resource)] : []),
        ...emptied
          .filter((each) => isOwn(each) && !ownFacts.some(({ name }) => name === each.column))
          .map(withLikelyGone),
      ],
      /** Columns that views want and no field fills as it is: the fields that may fit. */
      roles: roleQuestions({
        ...{ source, resource, views },
        columns: ownFacts.filter((each) => each.isPlain && keyField !== each.path.join('.')),
        isGiven: (role) => givenColumn(ownSchema, role).reason === undefined,
      }),
      notes: notes.filter(isOwn),
    };
  };
  return config.sources.flatMap((source) =>
    RESOURCES.filter(({ kind }) => kind === source.kind).map((resource) => checkedOf(source, resource)),
  );
}

/** Why a listing was not requested: the outcome of the one that has its parents. */
function notRequested(parent: string | null, found: Row | undefined): string {
  return found !== undefined && isAnswer(found)
    ? `This listing was not requested: ${parent} returned no record with an id for it.`
    : `This listing was not requested: it needs ${parent ?? 'the source'}, which was not exported.`;
}

/** A column that is still empty is gone, unless a new column may be its new name. */
function withLikelyGone(question: Question): Question {
  const [cure, ...others] = question.cures;
  if (cure === undefined || others.length > 0) return question;
  return { ...question, cures: [{ ...cure, isLikely: true }] };
}

/** A setting that the values do not fit. In a temporary lake only the config decides a type that values lack. */
export const isMisfit = ({ code }: Pick<Question, 'code'>): boolean =>
  code === 'TYPE_MISFIT' || code === 'TIME_ZONE_MISFIT';

function keyText(key: RecordKey): string {
  if (key.kind === 'field') return key.field === MAP_KEY ? "the map's key" : key.field;
  return key.kind === 'hash' ? 'all that they say' : 'it is one record';
}

function keyQuestion(source: string, resource: ResourceName): Question {
  const setting = `resources.${resource}.id`;
  return {
    ...{ code: 'KEY_UNKNOWN', source, resource },
    says: 'No usual field identifies the records, so a changed record counts as one removed and one added',
    cures: [
      { setting, choices: [], open: 'a field that tells them apart', when: 'there is one' },
      { setting, choices: [NO_ID], when: 'there is none' },
    ],
  };
}
