import { type ColumnType, isNumeric } from '../../column-types.ts';
import type { Question } from '../../sources/question.ts';
import { formatForm, type Reading } from '../cells/formats.ts';
import { LOCAL, readingOf } from '../cells/readings.ts';
import { typeAskedIn } from './asked-type.ts';
import {
  EPOCHS,
  formatsOf,
  NUMBERS,
  type Rejects,
  readsEpoch,
  rejectsOf,
  type SourceReading,
} from './column-fit.ts';
import { columnQuestions } from './column-questions.ts';
import { type AskedColumn, columnDrift } from './misfits.ts';
import { nameSaysTime } from './name-says-time.ts';
import { countOfAll, joinTypes, type TypeChoice, widerTypes } from './type-choice.ts';
import { type ColumnProfile, countOf, mergeProfiles, NO_VALUES } from './value-classes.ts';

/** What earlier runs decided. */
export interface LockedColumn extends TypeChoice {
  /** By source. */
  readonly readings: Readonly<Record<string, Reading>>;
}

export interface ColumnRequest extends AskedColumn {
  readonly locked?: LockedColumn | undefined;
  /** By source: its values in earlier runs, where they decide again together. @default none */
  readonly kept?: Readonly<Record<string, ColumnProfile>>;
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
  const { locked, name, profiles, kept = {} } = request;
  const asked = typeAskedIn(request.settings ?? {});
  const saysTime = nameSaysTime(name);
  const sources = Object.keys({ ...locked?.readings, ...profiles, ...kept })
    .sort()
    .map((source): SourceReading => {
      const evidence = {
        source,
        profile: mergeProfiles(profiles[source] ?? NO_VALUES, kept[source] ?? NO_VALUES),
        timeZone: request.timeZones?.[source],
        setting: request.settings?.[source],
        isEmptyKnown: request.isEmptyKnown?.[source],
        locked: locked?.readings[source],
      };
      const mayBeMoments = countOf(evidence.profile, NUMBERS) === countOf(evidence.profile, EPOCHS);
      const isEpoch = saysTime === 'yes' && mayBeMoments;
      return { ...evidence, reading: readingOf(evidence, { isEpoch, saysTime }) };
    });
  // The config no longer has what decided the type.
  const hasLostWords = sources.some(
    (each) => each.locked?.values !== undefined && each.setting?.values === undefined,
  );
  const isFree =
    hasLostWords ||
    locked === undefined ||
    locked.provisional ||
    (locked.type === 'varchar' && sources.some(hasNewZone));
  const chosen: TypeChoice =
    asked !== undefined
      ? { type: asked, provisional: countOfAll(sources) === 0 && (locked?.provisional ?? true) }
      : isFree
        ? joinTypes(sources, { locked, wanted: request.wanted })
        : locked;
  const { type, provisional } = chosen;
  const isAsked = asked !== undefined;
  const isLocked = locked !== undefined && !locked.provisional && locked.type === type;
  const inThisRun = sources.map((each) => ({ ...each, profile: profiles[each.source] ?? NO_VALUES }));
  const outcome = (of: ColumnType): TypeOutcome => {
    const rejects = Object.fromEntries(inThisRun.map((each) => [each.source, rejectsOf(of, each)]));
    return { type: of, rejects, drift: columnDrift({ ...request, type: of, isAsked, isLocked }, rejects) };
  };
  return {
    ...outcome(type),
    provisional,
    readings: Object.fromEntries(sources.map(({ source, reading }) => [source, readingFor(type, reading)])),
    widen: isLocked && !isAsked && isNumeric(type) ? widerTypes(type, sources).map(outcome) : [],
    questions: columnQuestions({ ...request, type, sources, isAsked, isLocked, saysTime }),
  };
}

/**
 * True if the config's zone is not the one that earlier runs read the source's texts by. Also true if earlier
 * runs had no zone and kept them as text.
 */
function hasNewZone({ timeZone, locked, profile }: SourceReading): boolean {
  if (timeZone === undefined || locked === undefined || timeZone === locked.timeZone) return false;
  return countOf(profile, LOCAL) > 0 || locked.formats.some((format) => formatForm(format).isLocal);
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
