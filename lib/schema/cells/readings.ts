import { isNumeric } from '../../column-types.ts';
import type { ColumnSetting } from '../../sources/resource-settings.ts';
import type { SaysTime } from '../columns/name-says-time.ts';
import { type ColumnProfile, countOf, DAY_MONTH_CLASSES, type ValueClass } from '../columns/value-classes.ts';
import { epochClasses, FORMAT_NAMES, type Format, formatForm, type Meant, type Reading } from './formats.ts';

/** What is known of one source's values of a column. */
export interface Evidence {
  readonly source: string;
  readonly profile: ColumnProfile;
  readonly timeZone: string | undefined;
  readonly setting: ColumnSetting | undefined;
  /** True if `""` came on two earlier dates. */
  readonly isEmptyKnown?: boolean | undefined;
  /** How earlier runs read it. */
  readonly locked: Reading | undefined;
}

type Order = 'day' | 'month';

const DAY_FIRST: readonly ValueClass[] = ['slashTimeDayFirst', 'slashDateDayFirst'];
const MONTH_FIRST: readonly ValueClass[] = ['slashTimeMonthFirst', 'slashDateMonthFirst'];
/** Classes of moments without an offset: they need a zone. */
export const LOCAL: readonly ValueClass[] = [
  ...new Set(FORMAT_NAMES.map(formatForm).flatMap((form) => (form.isLocal === true ? form.classes : []))),
];

/** True if numbers with dots or slashes may be dates, by name or config. `2.2.2026` may be a version. */
export function mayBeDates(saysTime: SaysTime, setting: ColumnSetting | undefined): boolean {
  return saysTime !== 'no' || setting?.type === 'date' || setting?.type === 'timestamp';
}

/** The source's formats from its values, settings or earlier runs, as far as they can be read. */
export function readingOf(
  evidence: Evidence,
  { isEpoch, saysTime }: { readonly isEpoch: boolean; readonly saysTime: SaysTime },
): Reading {
  const { profile, setting, locked } = evidence;
  const timeZone = zoneOf(evidence);
  const order = orderOf(evidence);
  const isWanted = (format: Format) => {
    const form = formatForm(format);
    if (form.isLocal === true && timeZone === undefined) return false;
    if (form.order !== undefined && form.order !== order) return false;
    if (setting?.format === format || locked?.formats.includes(format) === true) return true;
    if (!mayBeDates(saysTime, setting) && form.classes.some((each) => DAY_MONTH_CLASSES.includes(each)))
      return false;
    if (form.isEpoch === true && asksForMoments(setting)) return countOf(profile, epochClasses(form)) > 0;
    return countOf(profile, form.classes) > 0 && (form.isEpoch !== true || isEpoch);
  };
  return {
    formats: FORMAT_NAMES.filter(isWanted),
    ...(timeZone === undefined ? {} : { timeZone }),
    ...(evidence.isEmptyKnown === true && { isEmptyKnown: true as const }),
    ...zeroTimeOf(evidence),
    ...(readsDigits(evidence) ? { readsDigitsInText: true } : {}),
    ...(setting?.type === 'boolean' || locked?.readsZeroAndOne === true ? { readsZeroAndOne: true } : {}),
    ...(setting?.values === undefined ? {} : { values: setting.values }),
  };
}

/** A time of the same years makes 1970 a time like others, for ever. */
function zeroTimeOf({ profile, locked }: Evidence): Pick<Reading, 'zeroTime'> {
  if (locked?.zeroTime === 'time' || countOf(profile, ['isoOld']) > 0) return { zeroTime: 'time' };
  const isNever = countOf(profile, ['zeroTime']) > 0 && countOf(profile, ['iso', 'isoCut']) > 0;
  return isNever || locked?.zeroTime === 'never' ? { zeroTime: 'never' } : {};
}

/** What values mean by the config and by earlier runs. In times and days, each value means itself. */
export function meantOf(setting: ColumnSetting | undefined, locked: Reading | undefined): Meant {
  const asksForNumbers = setting?.type !== undefined && isNumeric(setting.type);
  const wasOfNumbers = locked?.readsDigitsInText === true && locked.formats.length === 0;
  return {
    ...(setting?.values !== undefined && { values: setting.values }),
    ...((asksForNumbers || wasOfNumbers) && { readsDigitsInText: true as const }),
    ...((setting?.type === 'boolean' || locked?.readsZeroAndOne === true) && {
      readsZeroAndOne: true as const,
    }),
  };
}

/** The zone of the source's texts without offset: the config's, otherwise that of earlier runs. */
export function zoneOf({ timeZone, locked }: Evidence): string | undefined {
  return timeZone ?? locked?.timeZone;
}

/** Whether day or month comes first between slashes: by setting, by earlier runs, otherwise by a number above 12. */
export function orderOf({ profile, setting, locked }: Evidence): Order | undefined {
  const named = [setting?.format, ...(locked?.formats ?? [])]
    .map((name) => FORMAT_NAMES.find((format) => format === name))
    .map((format) => (format === undefined ? undefined : formatForm(format).order))
    .find((order) => order !== undefined);
  if (named !== undefined) return named;
  const [days, months] = [countOf(profile, DAY_FIRST), countOf(profile, MONTH_FIRST)];
  if (days > 0 === months > 0) return undefined;
  return days > 0 ? 'day' : 'month';
}

/** True if the config says that the values are moments, but not how they are written. */
function asksForMoments(setting: ColumnSetting | undefined): boolean {
  return setting?.type === 'timestamp' && setting.format === undefined;
}

/** Strings of digits are text, unless the config wants numbers, moments or seconds. */
function readsDigits({ setting, locked }: Evidence): boolean {
  if (asksForMoments(setting)) return true;
  const format = FORMAT_NAMES.find((name) => name === setting?.format);
  const asksForNumbers = setting?.type !== undefined && isNumeric(setting.type);
  const asksForEpoch = format !== undefined && formatForm(format).isEpoch === true;
  return asksForNumbers || asksForEpoch || locked?.readsDigitsInText === true;
}
