import { lakeKey } from '../lake/keys.ts';
import type { PublishedUnit } from '../run/published-unit.ts';
import type { MadePart } from './make-table.ts';
import type { UnitContext } from './unit-context.ts';

/** What a unit gives, with its files in the scratch folder: nothing of it is in the lake yet. */
export interface MadeUnit extends Omit<PublishedUnit, 'parts'> {
  readonly parts: readonly MadePart[];
}

/**
 * Puts a unit's files into the lake. A file of an earlier try of the unit is replaced: that try may have set aside other
 * sources than this one, and no head names the file yet.
 */
export async function putUnit(
  { parts, ...made }: MadeUnit,
  { services, record }: UnitContext,
): Promise<PublishedUnit> {
  const { attempt } = record;
  for (const { table, date: exportDate, part, path, runId = record.runId } of parts) {
    await services.lake.moveIn(lakeKey('table', { table, part, exportDate, runId, attempt }), path);
  }
  return { ...made, parts: parts.map(({ path: _, isRepeated: __, ...part }) => part) };
}
