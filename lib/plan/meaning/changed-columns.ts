import * as z from 'zod';
import type { RunRecord } from '../../run/run-record.ts';
import { meaningType } from '../../schema/columns/asked-type.ts';
import type { Changed, Sampled } from '../../schema/columns/sampled.ts';
import type { Schema } from '../../schema/schema.ts';
import type { Question } from '../../sources/question.ts';
import { type ColumnOfSource, columnsOfSource } from './columns-of-source.ts';
import { type Change, pairsOf } from './compared.ts';
import { meaningChange } from './meaning-change.ts';

/** What is known about the change of a path's meaning after a run. The opposite change cancels it. */
export function changedAfter(
  known: Changed | undefined,
  options: {
    readonly path: readonly string[];
    readonly before: Sampled | undefined;
    readonly now: Sampled | undefined;
    readonly run: Pick<RunRecord, 'runId' | 'exportDate'>;
    /** The date up to which the config confirms changes. */
    readonly accepted: string | undefined;
  },
): Changed | undefined {
  const { path, before, now, run, accepted } = options;
  if (before === undefined || now === undefined) return known;
  const at = { was: Date.parse(before.at) / 1000, is: Date.parse(now.at) / 1000 };
  const change = meaningChange({ pairs: pairsOf(path, { before, now }), at, known }, run.exportDate);
  if (change === undefined) return known;
  const isAccepted = known !== undefined && (accepted ?? '') >= known.date;
  return known !== undefined && !isAccepted && isOpposite(known, change)
    ? undefined
    : { ...change, since: run.runId, date: run.exportDate };
}

/**
 * True if the config says how the new values are read, or what each new word means. Text holds everything, so it
 * says nothing.
 */
function isAnswered(changed: Changed, { own, isMisfit }: ColumnOfSource): boolean {
  if (own === undefined || isMisfit) return false;
  const { type, format, values } = own;
  const typed = type ?? (values === undefined ? format : meaningType(values));
  if (changed.kind === 'type' || changed.kind === 'format') return typed !== undefined && typed !== 'varchar';
  if (changed.kind !== 'words' || values === undefined) return false;
  return wordsIn(changed.is ?? '').every((word) => Object.hasOwn(values, word));
}

const wordsIn = (list: string): readonly string[] => z.array(z.string()).parse(JSON.parse(`[${list}]`));

function isOpposite(known: Changed, { kind, by, was, is }: Change): boolean {
  if (kind !== known.kind) return false;
  if (kind === 'zone') return by === -(known.by ?? 0);
  if (kind === 'unit') return Math.abs((by ?? 1) * (known.by ?? 1) - 1) < 0.01;
  return was === known.is && is === known.was;
}

/**
 * The questions about columns of a source with values that have another meaning since a day. Each run repeats
 * them until the values are as before, or the config confirms the change of that day.
 */
export function changedQuestions(
  schema: Schema,
  { source, record }: { readonly source: string; readonly record: RunRecord },
): readonly Question[] {
  return columnsOfSource(schema, source, record.config).flatMap((each): readonly Question[] => {
    const { changed, isDropped } = each.path;
    if (isDropped || changed === undefined || (each.own?.changed ?? '') >= changed.date) return [];
    if (isAnswered(changed, each)) return [];
    const words = {
      setting: `${each.place}.values`,
      choices: [],
      open: 'what each word means',
      when: 'views should read these values',
    };
    const known = {
      setting: `${each.place}.changed`,
      choices: [changed.date],
      when: 'you know of this change, and it is right',
    };
    return [each.ask('COLUMN_CHANGED', changed.says, changed.kind === 'words' ? [words, known] : [known])];
  });
}
