import { isOfValues, setAsideMessage } from '../run/outcomes/set-aside.ts';
import type { ResourceUnit } from '../run/unit.ts';
import { quoteLiteral } from '../sql.ts';
import { makeResource } from './make-resource.ts';
import type { MadeUnit } from './make-table.ts';
import type { UnitContext } from './unit-context.ts';

/**
 * The wall around each source's answers for a table. A source with answers that cannot be processed is set aside: its
 * committed rows stay, and the unit has all others. Errors of the lake, such as a full disk, are thrown further.
 */
export async function makeWithinWall(unit: ResourceUnit, context: UnitContext): Promise<MadeUnit> {
  try {
    return await makeResource(unit, context);
  } catch (error) {
    if (!context.isAlone || !isOfValues(error) || unit.collected.length === 0) throw error;
    const offending = await offendersIn(unit, context);
    // Each source works alone, but all together have too little memory: the largest is set aside.
    const aside = offending.length > 0 ? offending : [{ source: await largestIn(unit, context), error }];
    const sources = aside.map(({ source }) => source);
    const left = await makeWithinWall(without(unit, sources), context);
    const own = aside.map(({ source, error: cause }) => ({ source, message: setAsideMessage(cause) }));
    return { ...left, setAside: [...own, ...(left.setAside ?? [])] };
  }
}

/** The sources with answers that cannot be processed even alone. */
async function offendersIn(unit: ResourceUnit, context: UnitContext) {
  const found: { readonly source: string; readonly error: unknown }[] = [];
  for (const { source } of unit.collected) {
    const others = unit.collected.filter((each) => each.source !== source);
    const alone = without(
      unit,
      others.map((each) => each.source),
    );
    try {
      await makeResource(alone, context);
    } catch (error) {
      if (!isOfValues(error)) throw error;
      found.push({ source, error });
    }
  }
  return found;
}

/** The unit with these sources' committed rows instead of their answers. */
function without(unit: ResourceUnit, sources: readonly string[]): ResourceUnit {
  return {
    ...unit,
    collected: unit.collected.filter(({ source }) => !sources.includes(source)),
    keepAll: [...unit.keepAll, ...sources],
  };
}

/** The source with the most bytes of answers. */
async function largestIn({ collected }: ResourceUnit, { db, services }: UnitContext): Promise<string> {
  const sizes: { readonly source: string; readonly bytes: number }[] = [];
  for (const { source, raw } of collected) {
    const paths = await services.lake.localPaths(raw);
    const [row] = await db.rows(`
      select coalesce(sum(total_uncompressed_size), 0)::double as bytes
      from parquet_metadata([${paths.map(quoteLiteral).join(', ')}])`);
    sizes.push({ source, bytes: Number(row?.bytes) });
  }
  return sizes.reduce((largest, each) => (each.bytes > largest.bytes ? each : largest)).source;
}
