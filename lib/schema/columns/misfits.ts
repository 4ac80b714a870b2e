import { type ColumnType, isNumeric, NUMERIC_TYPES } from '../../column-types.ts';
import type { Cure, Question } from '../../sources/question.ts';
import type { ColumnSetting } from '../../sources/resource-settings.ts';
import type { ResourceName } from '../../sources/resources.ts';
import { counted } from '../../text.ts';
import { epochClasses, FORMAT_NAMES, formatForm } from '../cells/formats.ts';
import { fitOf, heldClasses, NUMBERS, type Rejects, rejectsOf, type SourceReading } from './column-fit.ts';
import { isOfType } from './type-choice.ts';
import { type ColumnProfile, countOf, NO_VALUES, type ValueClass } from './value-classes.ts';

/** With fewer values, a few of them may miss a learned type. */
const MANY = 10;
/** If a larger share misfits, the tables no longer show the same thing. */
export const FEW = 0.1;

/** A column that needs a decision. What is by source has no entry for a source without a value. */
export interface AskedColumn {
  readonly table: ResourceName;
  readonly name: string;
  /** By source: the name in `resources.TABLE.columns`, where the config has another name for the column. */
  readonly plainNames?: Readonly<Record<string, string>>;
  /** By source: its values in this whole run. */
  readonly profiles: Readonly<Record<string, ColumnProfile>>;
  /** By source: `resources.TABLE.columns.NAME` of the config. */
  readonly settings?: Readonly<Record<string, ColumnSetting | undefined>>;
  /** How a source writes some values that lack a type. @default none */
  readonly examples?: (source: string, type: ColumnType) => readonly string[];
  /** The type that views want, if any: as text they cannot read it. */
  readonly wanted?: ColumnType | undefined;
}

/** A column with its type, as the config or the values decide it. */
export interface TypedColumn extends AskedColumn {
  readonly type: ColumnType;
  /** True where the config names the type. */
  readonly isAsked: boolean;
  /** True where earlier runs decided the type. */
  readonly isLocked: boolean;
}

/** Values of a source that lack a type. */
interface Misfits {
  readonly code: 'TYPE_MISFIT' | 'TYPE_OUTGROWN' | 'TYPE_DIFFERS';
  readonly source: string;
  readonly type: ColumnType;
  readonly count: number;
  /** The words after the type that say whose it is. */
  readonly whose: string;
  /** What becomes of the values. */
  readonly cells: string;
}

const REJECTED = 'Such cells are empty; the originals are in the table rejects';

/**
 * For each source: how many values do not have the type that the config names or earlier runs decided. It is TYPE_MISFIT,
 * a doubt, if more than a tenth of the values misfit. A type that is not the config's also needs ten values for it.
 */
export function columnDrift(
  column: TypedColumn,
  rejects: Readonly<Record<string, Rejects>>,
): readonly Question[] {
  const { type, isAsked, isLocked, profiles } = column;
  if (!isAsked && !isLocked) return [];
  return Object.entries(rejects).flatMap(([source, { type: count }]) => {
    const values = countOf(profiles[source] ?? NO_VALUES);
    const isDoubt = count > FEW * values && (isAsked || values >= MANY);
    const code = isDoubt ? 'TYPE_MISFIT' : 'TYPE_OUTGROWN';
    const whose = isAsked ? ' that the config names' : '';
    return count === 0 ? [] : [asked(column, { code, source, type, count, whose, cells: REJECTED })];
  });
}

/**
 * Asks about a source in a column whose type nothing has fixed: its values lack the type that others decided, or the
 * type that views need of the name that the config gives them by `as`.
 */
export function unfitQuestions(column: TypedColumn, reading: SourceReading): readonly Question[] {
  const { name, type, wanted, isAsked, isLocked } = column;
  const { source, profile, setting } = reading;
  if (isAsked) return [];
  if (setting?.as === name && wanted !== undefined && wanted !== 'varchar' && wanted !== type) {
    const count =
      valuesIn(profile) - (isNumeric(wanted) ? countOf(profile, NUMBERS) : fitOf(wanted, reading));
    if (count <= FEW * valuesIn(profile)) return [];
    const whose = ` that views need of ${name}`;
    const cells = 'The views show them as unknown';
    return [asked(column, { code: 'TYPE_MISFIT', source, type: wanted, count, whose, cells })];
  }
  const count = rejectsOf(type, reading).type;
  if (isLocked || count === 0 || isOfType(reading, type) !== false) return [];
  const whose = ', which other sources have';
  return [asked(column, { code: 'TYPE_DIFFERS', source, type, count, whose, cells: REJECTED })];
}

function asked(column: AskedColumn, misfits: Misfits): Question {
  const { code, source, type, count, whose, cells } = misfits;
  const forms = column.examples?.(source, type) ?? [];
  const like = forms.length === 0 ? '' : `, such as ${forms.join(' and ')}`;
  const lacks =
    column.settings?.[source]?.values === undefined
      ? `not of the type ${type}${whose}`
      : 'without a meaning in the config';
  return {
    ...{ code, source, resource: column.table, column: column.name },
    says: `${counted(count, 'value is', 'values are')} ${lacks}${like}. ${cells}`,
    cures: curesOf(column, misfits),
  };
}

/** What helps: what the values mean, how they are written, another type, or a column of their own. */
function curesOf(column: AskedColumn, { source, type }: Misfits): readonly Cure[] {
  const setting = columnSetting(column, source);
  const profile = column.profiles[source] ?? NO_VALUES;
  const own = column.settings?.[source];
  // The type is that of the meanings: the config refuses another type next to them.
  if (own?.values !== undefined) {
    const open = 'its present words and the meaning of these';
    return [{ setting: `${setting}.values`, choices: [], open, when: 'they mean something' }];
  }
  const fits = (classes: readonly ValueClass[]) =>
    valuesIn(profile) > 0 && countOf(profile, classes) >= (1 - FEW) * valuesIn(profile);
  const formats = FORMAT_NAMES.filter((each) => fits(epochClasses(formatForm(each))));
  const reading = { formats: [], readsZeroAndOne: undefined };
  const other = (['boolean', ...NUMERIC_TYPES] as const).find(
    (each) => each !== type && fits(heldClasses(each, reading)),
  );
  const isOfViews = column.wanted === type;
  const isOfOthers = Object.keys(column.profiles).length > 1;
  const isFlag = type === 'boolean';
  const cures: readonly (Cure | false)[] = [
    isFlag &&
      countOf(profile, ['text']) > 0 && {
        setting: `${setting}.values`,
        choices: [],
        open: 'what each word means, true or false',
      },
    isFlag &&
      own?.type !== 'boolean' &&
      countOf(profile, NUMBERS) > 0 && {
        setting: `${setting}.type`,
        choices: ['boolean'],
        when: '0 is no and 1 is yes',
      },
    formats.length > 0 && { setting: `${setting}.format`, choices: formats, when: 'they are times' },
    !isOfViews &&
      formats.length === 0 &&
      other !== undefined && {
        setting: `${setting}.type`,
        choices: [other],
        when: 'these values are what they look like',
      },
    !isOfViews && {
      ...{ setting: `${setting}.type`, choices: ['varchar'], open: 'another type that holds them' },
      // A type in the config has precedence over the command.
      when: `you want these values in their cells${own?.type === undefined ? ' (`schema apply` does it at once)' : ''}`,
    },
    // A type applies to all sources: the others' values have this one, or views need it.
    (isOfViews || isOfOthers) && {
      setting: `${setting}.as`,
      choices: [],
      open: 'a name of its own',
      when: 'they mean something else',
    },
  ];
  return cures.filter((cure) => cure !== false);
}

/** How many values say something. */
const valuesIn = (profile: ColumnProfile): number =>
  countOf(profile) - countOf(profile, ['empty', 'sentinel', 'noNumber', 'secret']);

/** The column's part of a source's settings, under the name that it has without `as`. */
export function columnSetting(
  { table, name, plainNames }: Pick<AskedColumn, 'table' | 'name' | 'plainNames'>,
  source: string,
): string {
  return `resources.${table}.columns.${plainNames?.[source] ?? name}`;
}
