import { provesMore } from '../api/contract/contract.ts';
import { childFactsIn, type KeptFacts, mergedFacts } from '../api/contract/fact-texts.ts';
import { readHead } from '../lake/head.ts';
import { OBJECTS_AT_ONCE } from '../lake/json-object.ts';
import { lakeKey } from '../lake/keys.ts';
import type { Lake } from '../lake/lake.ts';
import { noteRawSums } from '../lake/sums/raw-sums.ts';
import { refuseDamaged } from '../lake/sums/refuse-damaged.ts';
import { type NotedRaw, type RawNotes, withNotes } from '../run/answers.ts';
import { builtUpon, readBase } from '../run/base.ts';
import { type Dialects, dialectIn, type FoundDialect, readDialects } from '../run/dialects.ts';
import { withMaskKey } from '../run/history/masks.ts';
import { holdLease } from '../run/keep-lease.ts';
import { type Plan, planEvent } from '../run/payloads.ts';
import { type PlannedSource, writePlan } from '../run/plan-file.ts';
import { localRaw, storedRaw } from '../run/raw-of-run.ts';
import { type RunRecord, readAttempt } from '../run/run-record.ts';
import { UNIT_BYTES, writeUnits } from '../run/unit.ts';
import type { Services } from '../runtime/services.ts';
import { openStageDb } from '../runtime/stage-duckdb.ts';
import { readSchema, type Schema, writeSchema } from '../schema/schema.ts';
import { sideBySide } from '../side-by-side.ts';
import type { Note } from '../sources/note.ts';
import type { Question } from '../sources/question.ts';
import type { ResourceName } from '../sources/resources.ts';
import { quoteLiteral } from '../sql.ts';
import { readViews } from '../views/view-file.ts';
import { wantedTypes } from '../views/wanted-types.ts';
import { cutUnits } from './cut-units.ts';
import { failureQuestions } from './failure-questions.ts';
import { changedQuestions } from './meaning/changed-columns.ts';
import { addedSources, movedZone } from './meaning/config-notes.ts';
import { emptiedQuestions } from './meaning/emptied-columns.ts';
import { unusedSettings } from './meaning/unused-settings.ts';
import { zoneQuestions } from './meaning/zone-questions.ts';
import { noteParents } from './note-parents.ts';
import { judgeOutcomes } from './outcomes/judge-outcomes.ts';
import { notedIn, noteOutcomes } from './outcomes/note-outcomes.ts';
import { refuseLost, refuseUnnoted } from './outcomes/refuse-lost.ts';
import { planSchema } from './plan-schema.ts';
import type { Planning } from './planning.ts';
import { refuseWrongClock } from './refuse-wrong-clock.ts';
import { failLarge, failTooLarge, withinRoom } from './within-room.ts';

/**
 * Looks at the whole run: judges every promised listing, decides columns, types and keys, and cuts the work of publish
 * into units. Writes its results into the attempt's state.
 */
export async function plan(given: unknown, services: Services): Promise<Plan> {
  const event = planEvent.parse(given);
  const { lake } = services;
  const record = await readAttempt(lake, event);
  await using _lease = await holdLease(record, services);
  services.onProgress({ stage: 'plan' });
  const base = await readBase(lake, record);
  const committed = (await readHead(lake))?.head;
  const dialects = await dialectsOf(lake, record);
  await refuseWrongClock(committed, { lake, record, dialects });
  const sources = record.config.sources.filter(({ name }) => record.selected.includes(name));
  const stored = await storedRaw(lake, { runId: record.runId });
  const { kept, tooLarge } = withinRoom(
    stored.filter(({ source }) => record.selected.includes(source)),
    (await lake.copies?.room()) ?? Number.POSITIVE_INFINITY,
  );
  const copied = await sideBySide(kept, OBJECTS_AT_ONCE, (each) => localRaw(lake, each));
  await using scratch = await lake.scratch();
  using db = await openStageDb(services, scratch);
  await refuseDamaged(lake, builtUpon(base, record));
  await noteRawSums(lake, {
    runId: record.runId,
    isAgain: record.againAt !== undefined,
    files: copied.flatMap(({ keys, paths }) => keys.map((key, at) => ({ key, path: paths[at] ?? '' }))),
  });
  const raw = await withNotes(db, copied);

  const planning: Planning = { db, lake, record, base, sources, raw, dialects };
  await judgeOutcomes(planning);
  await refuseUnnoted(planning);
  await failTooLarge(db, tooLarge);
  await failLarge(db, { raw, memoryLimitMiB: services.memoryLimitMiB });
  await noteOutcomes(db);
  const views = await readViews(services.views);
  const needed = new Set(
    views.flatMap(({ needs }) => needs.map(({ table, column }) => `${table}.${column}`)),
  );
  const observed = await planSchema({
    ...planning,
    types: committed?.types,
    wanted: wantedTypes(views),
    needed,
  });
  const before = committed && (await readSchema(lake, committed.schema));
  const schema = await withMaskKey(observed, { committed: before, services, config: record.config });
  const failures = await failureQuestions(db, raw);
  const outcomes = `${scratch.path}/outcomes.parquet`;
  await db.run(`copy outcomes to ${quoteLiteral(outcomes)} (format parquet)`);
  await lake.moveIn(lakeKey('outcomes', event), outcomes);
  await writeSchema(lake, lakeKey('schema', event), schema);

  await noteParents(planning);
  const notes = [
    ...(await notedIn(db)),
    ...(await addedSources(db, { head: base.head, record })),
    ...movedZone(before, record),
  ];
  const planned = sources.map(({ name }) => plannedSource(name, { failures, notes, schema, record, needed }));
  await refuseLost(planning, planned);
  const units = await cutUnits({ ...planning, schema, unitBytes: services.unitBytes ?? UNIT_BYTES });
  await writeUnits(lake, event, [...units, { kind: 'ledger' }]);
  await writePlan(lake, event, {
    units: units.length + 1,
    sources: planned,
    dialects: foundDialects(raw, dialects),
  });
  // Later stages read the outcomes from the lake, and may use the same DuckDB.
  await db.run('drop table outcomes; drop table noted');
  return { width: services.publishWidth, units: units.map((_, unit) => unit), ledger: units.length };
}

async function dialectsOf(
  lake: Lake,
  { runId, selected }: RunRecord,
): Promise<ReadonlyMap<string, Dialects>> {
  const found = await sideBySide(
    selected,
    OBJECTS_AT_ONCE,
    async (source) => [source, await readDialects(lake, { runId, source })] as const,
  );
  return new Map(found);
}

interface Asked {
  readonly failures: readonly Question[];
  readonly notes: readonly Note[];
  readonly schema: Schema;
  readonly record: RunRecord;
  /** TABLE.COLUMN of what views need. */
  readonly needed: ReadonlySet<string>;
}

/** The questions of a source's failures and columns, its notes, and the drift of its columns. */
function plannedSource(name: string, { failures, notes, schema, record, needed }: Asked): PlannedSource {
  const isOwn = ({ source }: Question) => source === name;
  const tables = Object.values(schema.tables);
  const columns = tables
    .flatMap((table) => table.columns)
    .filter(({ lastSeen }) => lastSeen === record.runId);
  return {
    name,
    asksOfFailed: failures.filter(isOwn),
    asks: [
      ...[...tables, ...columns].flatMap(({ questions }) => questions.filter(isOwn)),
      ...emptiedQuestions(schema, { source: name, record }),
      ...changedQuestions(schema, { source: name, record }),
      ...zoneQuestions(schema, { source: name, record, needed }),
      ...unusedSettings(schema, { source: name, record }),
    ],
    notes: notes.filter(({ source }) => source === name),
    drift: columns.flatMap(({ drift }) => drift.filter(isOwn)),
  };
}

/**
 * The dialects of each source by resource: from this run, otherwise from earlier runs. List notes those of
 * listings without parent. The raw files of children have theirs in the metadata, with the facts next to the
 * records.
 */
function foundDialects(raw: readonly NotedRaw[], dialects: ReadonlyMap<string, Dialects>) {
  const found: Record<string, Partial<Record<ResourceName, FoundDialect>>> = {};
  for (const [source, { locks, resources }] of dialects)
    found[source] = { ...locks, ...shownDialects(resources, locks) };
  for (const { source, resource, notes } of raw) {
    const known = found[source];
    if (known === undefined) continue;
    const shown = notes.flatMap(({ dialect }) => dialectIn(dialect) ?? []);
    const best = shown.find(({ pageSize }) => pageSize !== undefined) ?? shown[0];
    const before = known[resource];
    // Pages that were followed show more than the answers of the first day.
    const isMore = best !== undefined && provesMore(best, before?.dialect);
    const resourceFound = isMore
      ? { records: 0, ...before, dialect: { ...before?.dialect, ...best } }
      : before;
    if (resourceFound !== undefined) known[resource] = withFacts(resourceFound, notes);
  }
  return found;
}

/** Adds what this run's answers to all parents say next to their records. */
function withFacts(found: FoundDialect, notes: readonly RawNotes[]): FoundDialect {
  const { dialect } = found;
  const said = notes.flatMap(({ facts }) => (facts === undefined ? [] : [childFactsIn(facts)]));
  const facts = said.reduce<KeptFacts>(mergedFacts, dialect?.facts ?? {});
  if (dialect === undefined || Object.keys(facts).length === 0) return found;
  return { ...found, dialect: { ...dialect, facts } };
}

/** The resources with answers that show their structure. A failed or empty listing shows less than an earlier one. */
function shownDialects(resources: Dialects['resources'], locks: Dialects['locks']): Dialects['resources'] {
  const all = Object.entries(resources) as [ResourceName, FoundDialect][];
  return Object.fromEntries(
    all.filter(([name, { dialect, records }]) => {
      const isFirst = locks[name]?.dialect === undefined;
      return dialect !== undefined && (records > 0 || isFirst);
    }),
  );
}
