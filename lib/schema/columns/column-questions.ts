import type { Cure, Question } from '../../sources/question.ts';
import { EPOCH_TEXTS, epochClasses, FORMAT_NAMES, formatForm } from '../cells/formats.ts';
import { LOCAL, mayBeDates, orderOf, zoneOf } from '../cells/readings.ts';
import { EPOCHS, fitOf, NUMBERS, type SourceReading } from './column-fit.ts';
import { columnSetting, type TypedColumn, unfitQuestions } from './misfits.ts';
import type { SaysTime } from './name-says-time.ts';
import { countOf, SLASHED, SLASHED_TIMES } from './value-classes.ts';

interface QuestionContext extends TypedColumn {
  readonly sources: readonly SourceReading[];
  /** Whether the column's name says that it holds a time. */
  readonly saysTime: SaysTime;
}

/** What only the operator can decide about a column: one question for each source with an open one. */
export function columnQuestions(context: QuestionContext): readonly Question[] {
  const { table, name, sources } = context;
  const found = FORMS.flatMap(({ code, says, cure }) =>
    sources.flatMap((source): readonly Question[] => {
      const said = says(source, context);
      if (said === undefined) return [];
      const cures = [cure(columnSetting(context, source.source), source)];
      return [{ code, source: source.source, resource: table, column: name, says: said, cures }];
    }),
  );
  const others = sources.filter((each) => found.every(({ source }) => source !== each.source));
  return [...found, ...others.flatMap((each) => unfitQuestions(context, each))];
}

interface QuestionForm {
  readonly code: string;
  /** What is open; undefined if nothing is. */
  readonly says: (source: SourceReading, context: QuestionContext) => string | undefined;
  /** `setting` is the column's part of the config. */
  readonly cure: (setting: string, source: SourceReading) => Cure;
}

const FORMS: readonly QuestionForm[] = [
  {
    code: 'DAY_ORDER_UNKNOWN',
    says: (source, { saysTime }) =>
      countOf(source.profile, SLASHED) > 0 &&
      mayBeDates(saysTime, source.setting) &&
      orderOf(source) === undefined &&
      source.setting?.type !== 'varchar'
        ? 'The dates do not show whether the day or the month comes first'
        : undefined,
    cure: (setting, { profile }) => {
      const time = countOf(profile, SLASHED_TIMES) > 0 ? ' hh:mm:ss' : '';
      return { setting: `${setting}.format`, choices: [`DD/MM/YYYY${time}`, `MM/DD/YYYY${time}`] };
    },
  },
  {
    code: 'TIME_ZONE_UNKNOWN',
    says: (source) =>
      countOf(source.profile, LOCAL) > 0 && zoneOf(source) === undefined && source.setting?.type !== 'varchar'
        ? 'The times have no time zone'
        : undefined,
    cure: () => ({
      setting: 'timeZone',
      choices: [],
      open: 'the zone of the server\'s clock, such as "Europe/Berlin"',
    }),
  },
  {
    code: 'EPOCH_UNCERTAIN',
    says: ({ profile }, { isAsked, saysTime, type }) => {
      if (isAsked || type === 'timestamp' || (saysTime !== 'yes' && saysTime !== 'maybe')) return undefined;
      const epochs = countOf(profile, EPOCHS);
      const zeros = saysTime === 'yes' ? countOf(profile, ['zero']) : 0;
      if (epochs > 0 && epochs + zeros === countOf(profile, NUMBERS))
        return saysTime === 'yes'
          ? 'The numbers look like times since 1970, but some are 0'
          : 'The numbers look like times since 1970, but the name may say that they are something else';
      const areDigits = countOf(profile, EPOCH_TEXTS) > 0 && countOf(profile, ['text']) === 0;
      return type === 'varchar' && areDigits
        ? 'The digits look like times since 1970, written as text'
        : undefined;
    },
    cure: (setting, { profile }) => ({
      setting: `${setting}.format`,
      choices: FORMAT_NAMES.filter((name) => {
        const form = formatForm(name);
        return form.isEpoch === true && countOf(profile, epochClasses(form)) > 0;
      }),
      when: 'they are times',
    }),
  },
  {
    code: 'TYPE_OUTGROWN',
    says: (source, { isAsked, isLocked, type }) =>
      !isAsked && isLocked && type === 'varchar' && timeTypes(source).length > 0
        ? 'The column was text at first, and now all its values are times'
        : undefined,
    cure: (setting, source) => ({
      setting: `${setting}.type`,
      choices: timeTypes(source),
      when: 'you want to read them as times, in the history too',
    }),
  },
];

/** The types of times that hold all values of the source. */
function timeTypes(source: SourceReading): readonly ('timestamp' | 'date')[] {
  const values = countOf(source.profile) - countOf(source.profile, ['empty', 'sentinel', 'noNumber']);
  if (values === 0) return [];
  return (['timestamp', 'date'] as const).filter((each) => fitOf(each, source) === values);
}
