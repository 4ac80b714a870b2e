import * as z from 'zod';
import { sourceIfAny } from '../../config/config.ts';
import type { RunRecord } from '../../run/run-record.ts';
import { meaningType } from '../../schema/columns/asked-type.ts';
import { pathText } from '../../schema/columns/assign-names.ts';
import type { Changed, Sampled } from '../../schema/columns/sampled.ts';
import type { Schema } from '../../schema/schema.ts';
import type { Cure, Question } from '../../sources/question.ts';
import type { ColumnSetting } from '../../sources/resource-settings.ts';
import type { ResourceName } from '../../sources/resources.ts';
import type { Change } from './compared.ts';
import { meaningChange } from './meaning-change.ts';

/** What is known about the change of a path's meaning after a run. The opposite change cancels it. */
export function changedAfter(
  known: Changed | undefined,
  options: {
    readonly path: readonly string[];
    readonly before: Sampled | undefined;
    readonly now: Sampled | undefined;
    readonly run: Pick<RunRecord, 'runId' | 'exportDate'>;
    readonly isLasting?: boolean;
    /** The date up to which the config confirms changes. */
    readonly accepted: string | undefined;
  },
): Changed | undefined {
  const { path, before, now, run, isLasting = false, accepted } = options;
  if (before === undefined || now === undefined) return known;
  const was = new Map(before.ids.map((id, index) => [id, before.traits[pathText(path)]?.[index] ?? null]));
  const pairs = now.ids.flatMap((id, index) => {
    const [then, since] = [was.get(id) ?? null, now.traits[pathText(path)]?.[index] ?? null];
    return then === null || since === null ? [] : [{ was: then, is: since }];
  });
  const at = { was: Date.parse(before.at) / 1000, is: Date.parse(now.at) / 1000 };
  const change = meaningChange({ pairs, at, known, isLasting, date: run.exportDate });
  if (change === undefined) return known;
  const isAccepted = known !== undefined && (accepted ?? '') >= known.date;
  return known !== undefined && !isAccepted && isOpposite(known, change)
    ? undefined
    : { ...change, since: run.runId, date: run.exportDate };
}

/**
 * True if the config says how the new values are read, or what each new word means. Text holds everything, so it
 * says nothing. Words that changed places have the meanings of before.
 */
function isAnswered(
  changed: Changed,
  of: { readonly own: ColumnSetting; readonly drift: readonly Question[]; readonly source: string },
): boolean {
  const { type, format, values } = of.own;
  if (of.drift.some((each) => each.source === of.source && each.code === 'TYPE_MISFIT')) return false;
  const typed = type ?? (values === undefined ? format : meaningType(values));
  if (changed.kind === 'type' || changed.kind === 'format') return typed !== undefined && typed !== 'varchar';
  if (changed.kind !== 'words' || values === undefined || areSwapped(changed)) return false;
  return wordsIn(changed.is ?? '').every((word) => Object.hasOwn(values, word));
}

const wordsIn = (list: string): readonly string[] => z.array(z.string()).parse(JSON.parse(`[${list}]`));

/** True if some of the words were there before, with another meaning. */
const areSwapped = ({ was = '', is = '' }: Pick<Changed, 'was' | 'is'>) =>
  wordsIn(is).some((word) => wordsIn(was).includes(word));

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
  return Object.entries(schema.tables).flatMap(([table, { columns }]) => {
    const resource = table as ResourceName;
    const settings = sourceIfAny(record.config, source)?.resources[resource]?.columns ?? {};
    return columns.flatMap((column) =>
      column.paths.flatMap((path) => {
        const { changed, plainName: name = column.name } = path;
        const { drift } = column;
        if (path.source !== source || path.isDropped || changed === undefined) return [];
        const own = Object.hasOwn(settings, name) ? settings[name] : undefined;
        if ((own?.changed ?? '') >= changed.date) return [];
        if (own !== undefined && isAnswered(changed, { own, drift, source })) return [];
        const setting = `resources.${table}.columns.${name}`;
        return [
          {
            code: 'COLUMN_CHANGED',
            source,
            resource,
            column: column.name,
            says: changed.says,
            cures: [
              ...(changed.kind === 'words' && !areSwapped(changed)
                ? [
                    {
                      setting: `${setting}.values`,
                      choices: [],
                      open: 'what each word means',
                      when: 'views should read these values',
                    },
                  ]
                : []),
              {
                setting: `${setting}.changed`,
                choices: [changed.date],
                when: 'you know of this change, and it is right',
              },
            ] satisfies readonly Cure[],
          },
        ];
      }),
    );
  });
}
