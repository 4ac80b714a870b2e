import type { ColumnType } from '../../column-types.ts';
import { LOCAL, orderOf, zoneOf } from '../cells/readings.ts';
import { fitOf, NUMBERS, type Rejects, type SourceReading } from './column-fit.ts';
import { countOf, type ValueClass } from './value-classes.ts';

interface QuestionContext {
  readonly table: string;
  readonly name: string;
  readonly type: ColumnType;
  readonly sources: readonly SourceReading[];
  /** True where the config names the type. */
  readonly isAsked: boolean;
  /** True where earlier runs decided the type. */
  readonly isLocked: boolean;
  /** True where the column's name says that it holds a time. */
  readonly saysTime: boolean;
}

/**
 * What only the operator can decide about a column, in words that name the setting; undefined where nothing is open.
 * Counts and names only, never a value.
 */
export function questionText(context: QuestionContext): string | undefined {
  const { table, name, sources } = context;
  const setting = `resources.${table}.columns.${name}`;
  const asked = QUESTIONS.flatMap(({ isOpen, text }) => {
    const open = sources.filter((source) => isOpen(source, context));
    return open.length === 0
      ? []
      : [text(open.map(({ source }) => source).join(', '), { setting, table, name })];
  });
  return asked.length === 0 ? undefined : asked.join(' ');
}

/** How many values of a locked column do not have its type; undefined where all do. */
export function driftText(options: {
  readonly table: string;
  readonly name: string;
  readonly type: ColumnType;
  readonly rejects: Readonly<Record<string, Rejects>>;
}): string | undefined {
  const { table, name, type, rejects } = options;
  const misfits = Object.entries(rejects)
    .filter(([, counts]) => counts.type > 0)
    .map(([source, counts]) => `${counts.type} of ${source}`);
  if (misfits.length === 0) return undefined;
  return `${table}.${name}: values that are no ${type} (${misfits.join(', ')}) are null and stand in rejects; \`schema apply ${table}.${name} TYPE\` changes the type.`;
}

interface ColumnPlace {
  readonly setting: string;
  readonly table: string;
  readonly name: string;
}

interface Question {
  readonly isOpen: (source: SourceReading, context: QuestionContext) => boolean;
  readonly text: (sources: string, place: ColumnPlace) => string;
}

const SLASHED: readonly ValueClass[] = [
  'slashTime',
  'slashTimeDayFirst',
  'slashTimeMonthFirst',
  'slashDate',
  'slashDateDayFirst',
  'slashDateMonthFirst',
];

const QUESTIONS: readonly Question[] = [
  {
    isOpen: (source) =>
      countOf(source.profile, SLASHED) > 0 &&
      orderOf(source) === undefined &&
      source.setting?.type !== 'varchar',
    text: (sources, { setting, table, name }) =>
      `${table}.${name}: the dates of ${sources} do not show whether the day or the month comes first. Set ${setting}.format to "DD/MM/YYYY" or "MM/DD/YYYY", with " hh:mm:ss" where they have a time.`,
  },
  {
    isOpen: (source) =>
      countOf(source.profile, LOCAL) > 0 &&
      zoneOf(source) === undefined &&
      source.setting?.type !== 'varchar',
    text: (sources, { table, name }) =>
      `${table}.${name}: the times of ${sources} have no time zone. Set "timeZone" of the source, such as "Europe/Berlin".`,
  },
  {
    isOpen: ({ profile }, { isAsked, saysTime, type }) => {
      const epochs = countOf(profile, ['seconds', 'milliseconds']);
      const isEpochOrZero = epochs + countOf(profile, ['zero']) === countOf(profile, NUMBERS);
      return !isAsked && saysTime && type !== 'timestamp' && epochs > 0 && isEpochOrZero;
    },
    text: (sources, { setting, table, name }) =>
      `${table}.${name}: the numbers of ${sources} look like times since 1970, but some are 0. If so, set ${setting}.format to "unix-seconds" or "unix-milliseconds".`,
  },
  {
    isOpen: ({ profile }, { isAsked, saysTime, type }) => {
      const digits = countOf(profile, ['secondsText', 'millisecondsText']);
      return !isAsked && saysTime && type === 'varchar' && digits > 0 && countOf(profile, ['text']) === 0;
    },
    text: (sources, { setting, table, name }) =>
      `${table}.${name}: the digits of ${sources} look like times since 1970, written as text. If so, set ${setting}.format to "unix-seconds" or "unix-milliseconds".`,
  },
  {
    isOpen: (source, { isAsked, isLocked, type }) => {
      const values = countOf(source.profile) - countOf(source.profile, ['empty', 'sentinel']);
      const areTimes =
        values > 0 && (['timestamp', 'date'] as const).some((each) => fitOf(each, source) === values);
      return !isAsked && isLocked && type === 'varchar' && areTimes;
    },
    text: (sources, { table, name }) =>
      `${table}.${name}: it was text when first seen, now all values of ${sources} are times. \`schema apply ${table}.${name} timestamp\` (or date) reads them so, in the history too.`,
  },
];
