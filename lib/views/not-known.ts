import { RESOURCE_NAMES } from '../sources/resources.ts';
import { concerns, gapSentence, readGaps } from './gaps.ts';
import type { LakeView } from './lake-views.ts';
import type { Tables } from './open-tables.ts';
import type { Sentence } from './sentence.ts';

/**
 * What is not known, for each table and view in sentences: parts of a view's question that no field of the API answers,
 * and listings that the newest run could not read. One that has all it needs is not in the map.
 */
export async function notKnown(tables: Tables): Promise<ReadonlyMap<string, readonly Sentence[]>> {
  const gaps = await readGaps(tables.query);
  const gapsOf = (lists: readonly string[]) =>
    gaps.filter((gap) => concerns(lists, gap)).map((gap) => gapSentence(gap, tables.since));
  const sentences = [
    ...RESOURCE_NAMES.map((name): readonly [string, readonly Sentence[]] => [name, gapsOf([name])]),
    ...tables.views.map((view): readonly [string, readonly Sentence[]] => [
      view.name,
      [...unsaidBy(view), ...gapsOf(view.lists)],
    ]),
  ];
  return new Map(sentences.filter(([, said]) => said.length > 0));
}

function unsaidBy({ unsaid }: LakeView): readonly Sentence[] {
  return unsaid.map(({ column, says, reason }) => ({
    text: 'Not known: {says} ({column}: {reason}).',
    values: { says: { text: says }, column, reason: reasonOf(reason) },
  }));
}

/** The reason, without the question that may stand behind it: `status` asks it. */
function reasonOf(reason: string): Sentence {
  const [, found, wanted] = /^it is (\S+), not (\S+?)(?:: .*)?$/s.exec(reason) ?? [];
  if (found === undefined || wanted === undefined) return { text: reason };
  return { text: 'it is {found}, not {wanted}', values: { found, wanted } };
}
