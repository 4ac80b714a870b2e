import { concerns, gapInWords, readGaps } from './gaps.ts';
import type { LakeView } from './lake-views.ts';
import type { Tables } from './open-tables.ts';

/**
 * What the tables do not know, for each view in sentences: parts of its question that no field of the API answers,
 * and listings that the newest run could not read. A view that has all it needs is not in the map.
 */
export async function notKnown(tables: Tables): Promise<ReadonlyMap<string, readonly string[]>> {
  const gaps = await readGaps(tables.query);
  const sentences = tables.views.map((view): readonly [string, readonly string[]] => [
    view.name,
    [
      ...unsaidBy(view),
      ...gaps.filter((gap) => concerns(view.lists, gap)).map((gap) => gapInWords(gap, tables.since)),
    ],
  ]);
  return new Map(sentences.filter(([, said]) => said.length > 0));
}

function unsaidBy({ unsaid }: LakeView): readonly string[] {
  return unsaid.map(({ column, says, reason }) => `Not known: ${says} (${column}: ${reason}).`);
}
