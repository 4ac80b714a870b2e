import { type ColumnType, isNumeric } from '../../column-types.ts';
import type { Cure, Question } from '../../sources/question.ts';
import { EPOCH_TEXTS, epochClasses, FORMAT_NAMES, formatForm } from '../cells/formats.ts';
import { LOCAL, mayBeDates, orderOf, zoneOf } from '../cells/readings.ts';
import { type AskedColumn, columnSetting, FEW, flagSettings, ownName, valuesAre } from './column-drift.ts';
import { EPOCHS, fitOf, NUMBERS, rejectsOf, type SourceReading } from './column-fit.ts';
import type { SaysTime } from './name-says-time.ts';
import { isOfType } from './type-choice.ts';
import { type ColumnProfile, countOf, type ValueClass } from './value-classes.ts';

interface QuestionContext extends Omit<AskedColumn, 'profiles' | 'settings'> {
  readonly type: ColumnType;
  readonly sources: readonly SourceReading[];
  /** True where the config names the type. */
  readonly isAsked: boolean;
  /** True where earlier runs decided the type. */
  readonly isLocked: boolean;
  /** Whether the column's name says that it holds a time. */
  readonly saysTime: SaysTime;
}

/** What only the operator can decide about a column: one question for each source with an open one. */
export function columnQuestions(context: QuestionContext): readonly Question[] {
  const { table, name, sources } = context;
  const found = FORMS.flatMap(({ code, isOpen, says, cure }) =>
    sources
      .filter((source) => isOpen(source, context))
      .map((source) => ({
        code,
        source: source.source,
        resource: table,
        column: name,
        says,
        cures: [cure(columnSetting(context, source.source), source)],
      })),
  );
  const others = sources.filter((each) => found.every(({ source }) => source !== each.source));
  const misnamed = others.flatMap((each) => misnamedBy(each, context));
  const isTold = ({ source }: SourceReading) => misnamed.some((each) => each.source === source);
  return [
    ...found,
    ...misnamed,
    ...others.filter((each) => !isTold(each)).flatMap((each) => differing(each, context)),
  ];
}

/** Asks about a source with a name by `as` if hardly one of its values has the type: the views cannot use them. */
function misnamedBy(source: SourceReading, context: QuestionContext): readonly Question[] {
  const { table, name, wanted, isAsked, examples } = context;
  if (source.setting?.as !== name || isAsked || wanted === undefined || wanted === 'varchar') return [];
  const { profile } = source;
  const values = countOf(profile) - countOf(profile, ['empty', 'sentinel', 'noNumber', 'secret']);
  const misfits = values - (isNumeric(wanted) ? countOf(profile, NUMBERS) : fitOf(wanted, source));
  if (misfits <= FEW * values) return [];
  const setting = columnSetting(context, source.source);
  const forms = examples?.(source.source, wanted) ?? [];
  const like = forms.length === 0 ? '' : `, such as ${forms.join(' and ')}`;
  return [
    {
      code: 'TYPE_MISFIT',
      source: source.source,
      resource: table,
      column: name,
      says: `${valuesAre(misfits)} not of the type ${wanted} that views need of ${name}${like}. The views show them as unknown`,
      cures: [
        ...(wanted === 'boolean' ? flagSettings(setting, { profile, isSet: false }) : []),
        ...(wanted === 'timestamp' ? epochCures(setting, source) : []),
        { setting: `${setting}.as`, choices: [], open: 'another name', when: 'they mean something else' },
      ],
    },
  ];
}

/** Asks about a source with values that lack the type which another source decided. */
function differing(source: SourceReading, context: QuestionContext): readonly Question[] {
  const { table, name, type, isAsked, isLocked } = context;
  const count = rejectsOf(type, source).type;
  if (isAsked || isLocked || count === 0 || isOfType(source, type) !== false) return [];
  const setting = columnSetting(context, source.source);
  const { profile } = source;
  return [
    {
      code: 'TYPE_DIFFERS',
      source: source.source,
      resource: table,
      column: name,
      says: `${valuesAre(count)} not of the type ${type}, which other sources have and views need. Such cells are empty; the originals are in the table rejects`,
      cures: [
        ownName(setting),
        ...(type === 'timestamp' ? epochCures(setting, source) : []),
        ...(type === 'boolean' ? flagSettings(setting, { profile, isSet: false }) : []),
      ],
    },
  ];
}

interface QuestionForm {
  readonly code: string;
  readonly isOpen: (source: SourceReading, context: QuestionContext) => boolean;
  readonly says: string;
  /** `setting` is the column's part of the config. */
  readonly cure: (setting: string, source: SourceReading) => Cure;
}

const SLASHED_TIMES: readonly ValueClass[] = ['slashTime', 'slashTimeDayFirst', 'slashTimeMonthFirst'];
const SLASHED: readonly ValueClass[] = [
  ...SLASHED_TIMES,
  'slashDate',
  'slashDateDayFirst',
  'slashDateMonthFirst',
];

const FORMS: readonly QuestionForm[] = [
  {
    code: 'DAY_ORDER_UNKNOWN',
    isOpen: (source, { saysTime }) =>
      countOf(source.profile, SLASHED) > 0 &&
      mayBeDates(saysTime, source.setting) &&
      orderOf(source) === undefined &&
      source.setting?.type !== 'varchar',
    says: 'The dates do not show whether the day or the month comes first',
    cure: (setting, { profile }) => {
      const time = countOf(profile, SLASHED_TIMES) > 0 ? ' hh:mm:ss' : '';
      return { setting: `${setting}.format`, choices: [`DD/MM/YYYY${time}`, `MM/DD/YYYY${time}`] };
    },
  },
  {
    code: 'TIME_ZONE_UNKNOWN',
    isOpen: (source) =>
      countOf(source.profile, LOCAL) > 0 &&
      zoneOf(source) === undefined &&
      source.setting?.type !== 'varchar',
    says: 'The times have no time zone',
    cure: () => ({
      setting: 'timeZone',
      choices: [],
      open: 'the zone of the server\'s clock, such as "Europe/Berlin"',
    }),
  },
  {
    code: 'EPOCH_UNCERTAIN',
    isOpen: ({ profile }, { isAsked, saysTime, type }) => {
      const epochs = countOf(profile, EPOCHS);
      const isEpochOrZero = epochs + countOf(profile, ['zero']) === countOf(profile, NUMBERS);
      return !isAsked && saysTime === 'yes' && type !== 'timestamp' && epochs > 0 && isEpochOrZero;
    },
    says: 'The numbers look like times since 1970, but some are 0',
    cure: epochCure,
  },
  {
    code: 'EPOCH_UNCERTAIN',
    isOpen: ({ profile }, { isAsked, saysTime, type }) => {
      const epochs = countOf(profile, EPOCHS);
      return (
        !isAsked &&
        saysTime === 'maybe' &&
        type !== 'timestamp' &&
        epochs > 0 &&
        epochs === countOf(profile, NUMBERS)
      );
    },
    says: 'The numbers look like times since 1970, but the name may say that they are something else',
    cure: epochCure,
  },
  {
    code: 'EPOCH_UNCERTAIN',
    isOpen: ({ profile }, { isAsked, saysTime, type }) => {
      const digits = countOf(profile, EPOCH_TEXTS);
      const maySayTime = saysTime === 'yes' || saysTime === 'maybe';
      return !isAsked && maySayTime && type === 'varchar' && digits > 0 && countOf(profile, ['text']) === 0;
    },
    says: 'The digits look like times since 1970, written as text',
    cure: epochCure,
  },
  {
    code: 'TYPE_OUTGROWN',
    isOpen: (source, { isAsked, isLocked, type }) =>
      !isAsked && isLocked && type === 'varchar' && timeTypes(source).length > 0,
    says: 'The column was text at first, and now all its values are times',
    cure: (setting, source) => ({
      setting: `${setting}.type`,
      choices: timeTypes(source),
      when: 'you want to read them as times, in the history too',
    }),
  },
];

function epochCure(setting: string, { profile }: { readonly profile: ColumnProfile }): Cure {
  const choices = FORMAT_NAMES.filter((name) => {
    const form = formatForm(name);
    return form.isEpoch === true && countOf(profile, epochClasses(form)) > 0;
  });
  return { setting: `${setting}.format`, choices, when: 'they are times' };
}

/** The same, if a format fits at all. */
function epochCures(setting: string, source: SourceReading): readonly Cure[] {
  const cure = epochCure(setting, source);
  return cure.choices.length === 0 ? [] : [cure];
}

/** The types of times that hold all values of the source. */
function timeTypes(source: SourceReading): readonly ('timestamp' | 'date')[] {
  const values = countOf(source.profile) - countOf(source.profile, ['empty', 'sentinel', 'noNumber']);
  if (values === 0) return [];
  return (['timestamp', 'date'] as const).filter((each) => fitOf(each, source) === values);
}
