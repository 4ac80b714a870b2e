import { type ColumnType, isNumeric } from '../../column-types.ts';
import type { Question } from '../../sources/question.ts';
import { FORMAT_NAMES, formatForm, type Reading } from '../cells/formats.ts';
import { type Evidence, LOCAL, readingOf } from '../cells/readings.ts';
import { typeAskedIn } from './asked-type.ts';
import { type AskedColumn, columnDrift, FEW } from './column-drift.ts';
import {
  EPOCHS,
  fitOf,
  formatsOf,
  NUMBERS,
  type Rejects,
  readsEpoch,
  rejectsOf,
  type SourceReading,
} from './column-fit.ts';
import { columnQuestions } from './column-questions.ts';
import { nameSaysTime } from './name-says-time.ts';
import { countOfAll, joinTypes, type TypeChoice, widerTypes } from './type-choice.ts';
import { type ColumnProfile, countOf, NO_VALUES } from './value-classes.ts';

/** What earlier runs decided. */
export interface LockedColumn {
  readonly type: ColumnType;
  readonly provisional: boolean;
  /** By source. */
  readonly readings: Readonly<Record<string, Reading>>;
}

export interface ColumnRequest extends AskedColumn {
  readonly locked?: LockedColumn | undefined;
  /** True if the operator saw what the type empties, and wants it. @default false */
  readonly isConfirmed?: boolean;
  /** By source: true if `""` came on two earlier dates. @default it did not */
  readonly isEmptyKnown?: Readonly<Record<string, boolean>>;
  /** By source: the config's `timeZone`. */
  readonly timeZones?: Readonly<Record<string, string | undefined>>;
}

/** What a type means for the values of this run. */
export interface TypeOutcome {
  readonly type: ColumnType;
  /** By source. */
  readonly rejects: Readonly<Record<string, Rejects>>;
  /** Where the config or earlier runs decided the type, and values of this run lack it. */
  readonly drift: readonly Question[];
}

export interface ColumnDecision extends TypeOutcome, LockedColumn {
  /** True if the config names a type that a source's values lack, so that it is not used. */
  readonly isRefused: boolean;
  /**
   * Wider types, best first, that hold more numbers of this run. The caller takes the first that holds all
   * kept values of the column exactly, otherwise keeps the type.
   */
  readonly widen: readonly TypeOutcome[];
  /** What only the operator can decide. */
  readonly questions: readonly Question[];
}

/**
 * The type of a column and how each source's values are read, from what they were over a whole run. One source does not
 * take the type that views want from another (`joinTypes`). Some rules are not in docs/understand/columns.md. `""` says
 * nothing about a type; in a column that is not text it is null and a sentinel in rejects. So is 0 among seconds since
 * 1970.
 * A column with only 0001-01-01 is provisional, as a timestamp; one with only `""` is text. If no numeric type holds
 * all numbers, the one that holds most wins.
 * @see docs/understand/columns.md, "Columns and types"
 */
export function decideColumn(request: ColumnRequest): ColumnDecision {
  const { locked, name } = request;
  const asked = typeAskedIn(request.settings ?? {});
  const evidence = Object.keys({ ...locked?.readings, ...request.profiles })
    .sort()
    .map((source) => ({
      source,
      profile: request.profiles[source] ?? NO_VALUES,
      timeZone: request.timeZones?.[source],
      setting: request.settings?.[source],
      isEmptyKnown: request.isEmptyKnown?.[source],
      locked: locked?.readings[source],
    }));
  const saysTime = nameSaysTime(name);
  const readBy = (each: Evidence) =>
    readingOf(each, { isEpoch: saysTime === 'yes' && areAllEpochs(each.profile), saysTime });
  const asSet = evidence.map((each) => ({ ...each, reading: readBy(each) }));
  const asBefore = evidence.map((each) => ({ ...each, reading: readBy({ ...each, setting: undefined }) }));
  const byFormat = asSet.map(byItsFormat);
  const wasDecided = locked !== undefined && !locked.provisional;
  // A type that views need is not refused for a source that does not name it: that source's values are odd.
  const isRefused =
    asked !== undefined &&
    request.isConfirmed !== true &&
    byFormat.some(
      (each, at) =>
        fitsNone(asked, each) &&
        (asked !== request.wanted || each.setting !== undefined) &&
        !(wasDecided && asked === locked.type && asBefore[at] !== undefined && fitsNone(asked, asBefore[at])),
    );
  const sources = isRefused ? asBefore : asSet;
  const isNewZone = sources.some(hasNewZone);
  // The config no longer has what decided the type.
  const hasLostWords = sources.some(
    (each) => each.locked?.values !== undefined && each.setting?.values === undefined,
  );
  const isFree =
    hasLostWords || locked === undefined || locked.provisional || (locked.type === 'varchar' && isNewZone);
  const chosen: TypeChoice =
    asked !== undefined && !isRefused
      ? { type: asked, provisional: countOfAll(sources) === 0 && (locked?.provisional ?? true) }
      : isFree
        ? joinTypes(sources, { locked, wanted: request.wanted })
        : locked;
  const { type, provisional } = chosen;
  const readings = Object.fromEntries(
    sources.map(({ source, reading, locked: earlier }) => [
      source,
      isRefused ? { ...readingFor(type, reading), values: earlier?.values } : readingFor(type, reading),
    ]),
  );
  const isLocked = wasDecided && locked.type === type;
  const isAsked = asked !== undefined;
  const outcome = (of: ColumnType): TypeOutcome => {
    const rejects = rejectsOfAll(of, sources);
    // A refused type drifts: the source's values lack it.
    const drifting = isRefused
      ? { type: asked, rejects: rejectsOfAll(asked, byFormat) }
      : { type: of, rejects };
    const drift = isLocked || isAsked ? columnDrift({ ...request, ...drifting, isAsked, isRefused }) : [];
    return { type: of, rejects, drift };
  };
  return {
    ...outcome(type),
    isRefused,
    provisional,
    readings,
    widen: isLocked && asked === undefined && isNumeric(type) ? widerTypes(type, sources).map(outcome) : [],
    questions: columnQuestions({ ...request, type, sources, isAsked, isLocked, saysTime }),
  };
}

/** True if each number may be a moment since 1970. */
function areAllEpochs(profile: ColumnProfile): boolean {
  return countOf(profile, NUMBERS) === countOf(profile, EPOCHS);
}

/**
 * True if the config's zone is not the one that earlier runs read the source's texts by. Also true if earlier
 * runs had no zone and kept them as text.
 */
function hasNewZone({ timeZone, locked, profile }: SourceReading): boolean {
  if (timeZone === undefined || locked === undefined || timeZone === locked.timeZone) return false;
  return countOf(profile, LOCAL) > 0 || locked.formats.some((format) => formatForm(format).isLocal);
}

const rejectsOfAll = (type: ColumnType, sources: readonly SourceReading[]): TypeOutcome['rejects'] =>
  Object.fromEntries(sources.map((each) => [each.source, rejectsOf(type, each)]));

/** The source's values as the format of its setting alone reads them. */
function byItsFormat(source: SourceReading): SourceReading {
  const format = FORMAT_NAMES.find((name) => name === source.setting?.format);
  return format === undefined ? source : { ...source, reading: { ...source.reading, formats: [format] } };
}

/** True if hardly a value of the source has the type. */
function fitsNone(type: ColumnType, source: SourceReading): boolean {
  const values =
    countOf(source.profile) - countOf(source.profile, ['empty', 'sentinel', 'noNumber', 'secret']);
  return values > 0 && fitOf(type, source) < FEW * values;
}

/**
 * Keeps only the formats that read values of the type. The zone always stays, so that a later change of it
 * shows.
 */
function readingFor(type: ColumnType, reading: Reading): Reading {
  const { readsDigitsInText, readsZeroAndOne, ...rest } = reading;
  const readsDigits =
    readsDigitsInText === true && (isNumeric(type) || (type === 'timestamp' && readsEpoch(rest)));
  return {
    ...rest,
    formats: formatsOf(type, reading),
    ...(readsDigits ? { readsDigitsInText } : {}),
    ...(readsZeroAndOne === true && type === 'boolean' ? { readsZeroAndOne } : {}),
  };
}
