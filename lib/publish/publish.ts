import { lakeKey } from '../lake/keys.ts';
import { fileSum } from '../lake/sums/file-sum.ts';
import { readBase } from '../run/base.ts';
import { openMasks } from '../run/history/masks.ts';
import { holdLease } from '../run/keep-lease.ts';
import { isOfValues } from '../run/outcomes/set-aside.ts';
import { publishEvent } from '../run/payloads.ts';
import { isPublished, type PublishedUnit, writePublishedUnit } from '../run/published-unit.ts';
import { readAttempt } from '../run/run-record.ts';
import { readUnit, type Unit } from '../run/unit.ts';
import type { Services } from '../runtime/services.ts';
import { openStageDb } from '../runtime/stage-duckdb.ts';
import { readSchema } from '../schema/schema.ts';
import { readParquet } from '../sql.ts';
import { makeLedger } from './make-ledger.ts';
import { makeRewrite } from './make-rewrite.ts';
import type { MadeUnit } from './make-table.ts';
import type { UnitContext } from './unit-context.ts';
import { makeWithinWall } from './within-wall.ts';

/**
 * Publishes one unit: puts its files into the lake, where no head names them yet. A unit that is already there stays.
 * Units of one process share its memory: one without room next to the others is tried again alone.
 */
export async function publish(said: unknown, services: Services): Promise<0> {
  const event = publishEvent.parse(said);
  const { lake } = services;
  if (await isPublished(lake, event)) return 0;
  const record = await readAttempt(lake, event);
  await using _lease = await holdLease(record, services);
  const unit = await readUnit(lake, event);
  const base = await readBase(lake, record);
  const schema = await readSchema(lake, lakeKey('schema', event));
  const given = { services, unit: event.unit, record, base, schema };
  const { duckDb } = services;
  if (duckDb === undefined) {
    await tryUnit(unit, { ...given, isAlone: true });
  } else {
    try {
      await duckDb.beside(() => tryUnit(unit, { ...given, isAlone: false }));
    } catch (error) {
      if (!isOfValues(error)) throw error;
      await duckDb.alone(() => tryUnit(unit, { ...given, isAlone: true }));
    }
  }
  services.onProgress({ stage: 'publish' });
  return 0;
}

/** Makes a unit's files, puts them into the lake and notes them. Throws errors of its values, unless it is alone. */
async function tryUnit(unit: Unit, given: Omit<UnitContext, 'db' | 'scratch'>): Promise<void> {
  const { services, record, schema } = given;
  const { lake } = services;
  await using scratch = await lake.scratch();
  using db = await openStageDb(services, scratch);
  // A rewrite needs no outcomes, and an attempt of rewrites alone has none.
  if (unit.kind !== 'rewrite') {
    const outcomes = readParquet(await lake.localPaths([lakeKey('outcomes', record)]));
    // The ledger changes the outcomes of sources that other units set aside.
    const form = unit.kind === 'ledger' ? 'table' : 'view';
    await db.run(`create or replace temp ${form} outcomes as select * from ${outcomes}`);
  }

  // A rewrite that only leaves rows out makes no masks, so it needs no key for them.
  const masks = unit.kind !== 'rewrite' || unit.without === undefined;
  if (masks) await openMasks(db, { schema, services, config: record.config });
  const context: UnitContext = { ...given, db, scratch: scratch.path };
  const made = await make(unit, context);
  // An earlier try of the unit may have left a file without other sources. No head names it yet.
  const { attempt } = record;
  const parts: PublishedUnit['parts'][number][] = [];
  for (const { path, isRepeated: _, ...each } of made.parts) {
    const { table, date: exportDate, part, runId = record.runId } = each;
    parts.push({ ...each, sum: await fileSum(path) });
    await lake.moveIn(lakeKey('table', { table, part, exportDate, runId, attempt }), path);
  }
  await writePublishedUnit(lake, { ...record, unit: given.unit }, { ...made, parts });
}

function make(unit: Unit, context: UnitContext): Promise<MadeUnit> {
  switch (unit.kind) {
    case 'resource':
      return makeWithinWall(unit, context);
    case 'rewrite':
      return makeRewrite(unit, context);
    case 'ledger':
      return makeLedger(context);
  }
}
