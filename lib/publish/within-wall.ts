import { isOfValues, setAsideMessage } from '../run/outcomes/set-aside.ts';
import type { ResourceUnit } from '../run/unit.ts';
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
    const [largest] = unit.collected;
    if (!context.isAlone || !isOfValues(error) || largest === undefined) throw error;
    const offending = await offendersIn(unit, context);
    // Each source works alone, but all together have too little memory.
    const aside = offending.length > 0 ? offending : [{ source: largest.source, error }];
    const sources = aside.map(({ source }) => source);
    const left = await makeWithinWall(without(unit, sources), context);
    const own = aside.map(({ source, error: cause }) => ({ source, message: setAsideMessage(cause) }));
    return { ...left, setAside: [...own, ...(left.setAside ?? [])] };
  }
}

/** The sources with answers that cannot be processed even alone. */
async function offendersIn(unit: ResourceUnit, context: UnitContext) {
  const found: { readonly source: string; readonly error: unknown }[] = [];
  const sources = unit.collected.map(({ source }) => source);
  for (const source of sources) {
    const others = sources.filter((each) => each !== source);
    try {
      await makeResource(without(unit, others), context);
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
