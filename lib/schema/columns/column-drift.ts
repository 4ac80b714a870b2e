import { type ColumnType, NUMERIC_TYPES } from '../../column-types.ts';
import type { Cure, Question } from '../../sources/question.ts';
import type { ColumnSetting } from '../../sources/resource-settings.ts';
import type { ResourceName } from '../../sources/resources.ts';
import { counted } from '../../text.ts';
import { epochClasses, FORMAT_NAMES, formatForm } from '../cells/formats.ts';
import { heldClasses, NUMBERS, type Rejects } from './column-fit.ts';
import { type ColumnProfile, countOf, NO_VALUES, type ValueClass } from './value-classes.ts';

/** With fewer values, a few of them may miss a learned type. */
const MANY = 10;
/** If a larger share misfits, the tables no longer show the same thing. */
export const FEW = 0.1;

const CELLS = 'Such cells are empty; the originals are in the table rejects';

/** A column that a decision is asked for. What is by source lacks those without it. */
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

/** What is known of a column besides: what the config and the values make of its type. */
interface Drifting extends AskedColumn {
  readonly type: ColumnType;
  readonly rejects: Readonly<Record<string, Rejects>>;
  /** True where the config names the type. */
  readonly isAsked: boolean;
}

/**
 * For each source: how many values do not have the type of their column, if any. It is TYPE_MISFIT, a doubt,
 * if more than a tenth of the values misfit. A type that is not the config's also needs ten values for it.
 */
export function columnDrift(options: Drifting): readonly Question[] {
  const { table, name, type, rejects, profiles, isAsked, settings = {} } = options;
  const codeOf = (source: string, misfits: number) => {
    const values = countOf(profiles[source] ?? NO_VALUES);
    return misfits > FEW * values && (isAsked || values >= MANY) ? 'TYPE_MISFIT' : 'TYPE_OUTGROWN';
  };
  return Object.entries(rejects)
    .filter(([, counts]) => counts.type > 0)
    .map(([source, counts]) => {
      const found = { code: codeOf(source, counts.type), source, resource: table, column: name };
      const setting = columnSetting(options, source);
      const forms = options.examples?.(source, type) ?? [];
      const like = forms.length === 0 ? '' : `, such as ${forms.join(' and ')}`;
      // Their type is that of the meanings: the config refuses another type next to them.
      if (settings[source]?.values !== undefined)
        return {
          ...found,
          says: `${valuesAre(counts.type)} without a meaning in the config${like}. ${CELLS}`,
          cures: [
            {
              setting: `${setting}.values`,
              choices: [],
              open: 'its present words and the meaning of these',
              when: 'they mean something',
            },
          ],
        };
      return {
        ...found,
        says: `${valuesAre(counts.type)} not of the type ${type}${isAsked ? ' that the config names' : ''}${like}. ${CELLS}`,
        cures: [
          ...(type === 'boolean'
            ? flagSettings(setting, {
                profile: profiles[source] ?? NO_VALUES,
                isSet: settings[source]?.type === 'boolean',
              })
            : []),
          ...fittingSettings(setting, {
            type,
            wanted: options.wanted,
            profile: profiles[source] ?? NO_VALUES,
          }),
          ...(options.wanted === type
            ? []
            : [
                {
                  setting: `${setting}.type`,
                  choices: ['varchar'],
                  open: 'another type that holds them',
                  // A type in the config has precedence over the command.
                  when: `you want these values in their cells${isAsked ? '' : ' (`schema apply` does it at once)'}`,
                },
              ]),
          // A type applies to all sources: the others' values have this one, or views need it.
          ...(options.wanted === type ||
          Object.entries(rejects).some(([other, { type: misfits }]) => other !== source && misfits === 0)
            ? [ownName(setting)]
            : []),
        ],
      };
    });
}

/** What words and numbers in a column of flags may mean; `isSet`: the config has the type already. */
export function flagSettings(
  setting: string,
  { profile, isSet }: { readonly profile: ColumnProfile; readonly isSet: boolean },
): readonly Cure[] {
  return [
    ...(countOf(profile, ['text']) > 0
      ? [{ setting: `${setting}.values`, choices: [], open: 'what each word means, true or false' }]
      : []),
    ...(!isSet && countOf(profile, NUMBERS) > 0
      ? [{ setting: `${setting}.type`, choices: ['boolean'], when: '0 is no and 1 is yes' }]
      : []),
  ];
}

/** The formats of nearly all values, otherwise the type, unless views need the present one. */
function fittingSettings(
  setting: string,
  { type, wanted, profile }: Pick<Drifting, 'type' | 'wanted'> & { readonly profile: ColumnProfile },
): readonly Cure[] {
  const values = countOf(profile) - countOf(profile, ['empty', 'sentinel', 'noNumber']);
  const fits = (classes: readonly ValueClass[]) =>
    values > 0 && countOf(profile, classes) >= (1 - FEW) * values;
  const formats = FORMAT_NAMES.filter((name) => fits(epochClasses(formatForm(name))));
  if (formats.length > 0) return [{ setting: `${setting}.format`, choices: formats, when: 'they are times' }];
  if (wanted === type) return [];
  const reading = { formats: [], readsZeroAndOne: undefined };
  const [other] = (['boolean', ...NUMERIC_TYPES] as const).filter(
    (each) => each !== type && fits(heldClasses(each, reading)),
  );
  return other === undefined
    ? []
    : [{ setting: `${setting}.type`, choices: [other], when: 'these values are what they look like' }];
}

/** `1 value is`, `18 values are`. */
export const valuesAre = (count: number): string => counted(count, 'value is', 'values are');

/** The column's part of a source's settings, under the name that it has without `as`. */
export function columnSetting(
  { table, name, plainNames }: Pick<AskedColumn, 'table' | 'name' | 'plainNames'>,
  source: string,
): string {
  return `resources.${table}.columns.${plainNames?.[source] ?? name}`;
}

/** A separate column for a field with another source's name and a different meaning. */
export function ownName(setting: string): Cure {
  return {
    setting: `${setting}.as`,
    choices: [],
    open: 'a name of its own',
    when: 'they mean something else',
  };
}
