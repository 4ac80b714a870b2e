import { RESOURCE_NAMES } from '../sources/resources.ts';
import { concerns, gapInWords, readGaps } from './gaps.ts';
import type { LakeView } from './lake-views.ts';
import type { Tables } from './open-tables.ts';

/**
 * What is not known, for each table and view in sentences: parts of a view's question that no field of the API answers,
 * and listings that the newest run could not read. One that has all it needs is not in the map.
 */
export async function notKnown(tables: Tables): Promise<ReadonlyMap<string, readonly string[]>> {
  const gaps = await readGaps(tables.query);
  const gapsOf = (lists: readonly string[]) =>
    gaps.filter((gap) => concerns(lists, gap)).map((gap) => gapInWords(gap, tables.since));
  const sentences = [
    ...RESOURCE_NAMES.map((name): readonly [string, readonly string[]] => [name, gapsOf([name])]),
    ...tables.views.map((view): readonly [string, readonly string[]] => [
      view.name,
      [...unsaidBy(view), ...gapsOf(view.lists)],
    ]),
  ];
  return new Map(sentences.filter(([, said]) => said.length > 0));
}

function unsaidBy({ unsaid }: LakeView): readonly string[] {
  return unsaid.map(({ column, says, reason }) => `Not known: ${says} (${column}: ${reason}).`);
}
