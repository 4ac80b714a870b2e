import type { SourceKind } from '../sources/kinds.ts';
import { RESOURCE_NAMES, RESOURCES } from '../sources/resources.ts';
import { gapSentences, readGaps } from './gaps.ts';
import { NO_FIELD } from './given-column.ts';
import type { LakeView } from './lake-views.ts';
import type { Tables } from './open-tables.ts';
import type { Sentence } from './sentence.ts';

/**
 * What is not known, for each table and view in sentences. No field of the API answers a part of a view's
 * question, or a listing of the newest run failed. A complete one is not in the map.
 */
export async function notKnown(tables: Tables): Promise<ReadonlyMap<string, readonly Sentence[]>> {
  const gaps = await readGaps(tables.query);
  const { since } = tables;
  const of = (lists: readonly string[], unsaid: readonly Sentence[]) => {
    const kind = unaskedKind(lists, tables.unasked);
    if (kind === undefined) return [...unsaid, ...gapSentences(lists, { gaps, since })];
    return [{ text: 'Not asked: no source of the newest runs is a {kind} API.', values: { kind } }];
  };
  const sentences = [
    ...RESOURCE_NAMES.map((name) => [name, of([name], [])] as const),
    ...tables.views.map((view) => [view.name, of(view.lists, unsaidBy(view))] as const),
  ];
  return new Map(sentences.filter(([, said]) => said.length > 0));
}

/** The kind of API of all these tables, if no source has it. */
export function unaskedKind(lists: readonly string[], unasked: Tables['unasked']): SourceKind | undefined {
  const kinds = RESOURCES.filter(({ name }) => lists.includes(name)).map(({ kind }) => kind);
  return kinds.every((kind) => unasked.includes(kind)) ? kinds[0] : undefined;
}

function unsaidBy({ unsaid }: LakeView): readonly Sentence[] {
  return unsaid.map(({ column, says, reason }) => {
    if (typeof reason !== 'string')
      return {
        text: 'Not known since {date}: {says} ({column} of source {source} has no value).',
        values: { says: { text: says }, column, ...reason },
      };
    return reason === NO_FIELD
      ? {
          text: 'No field of this API says {says}.',
          values: { says: { text: says } },
          cure: {
            text: 'If a field does, set its `as` in the config to {column}.',
            values: { column },
          },
        }
      : {
          text: 'Not known: {says} ({column}: {reason}).',
          values: { says: { text: says }, column, reason: reasonOf(reason) },
        };
  });
}

/** The reason without the question that may follow it: `status` asks it. */
function reasonOf(reason: string): Sentence {
  const [, found, wanted] = /^it is (\S+), not (\S+?)(?:: .*)?$/s.exec(reason) ?? [];
  if (found === undefined || wanted === undefined) return { text: reason };
  return { text: 'it is {found}, not {wanted}', values: { found, wanted } };
}
