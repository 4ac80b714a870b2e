import { type ColumnType, isNumeric, NUMERIC_TYPES, type NumericType } from '../../column-types.ts';
import { fitOf, neverClasses, type SourceReading } from './column-fit.ts';
import { countOf, type ValueClass } from './value-classes.ts';

export interface TypeChoice {
  readonly type: ColumnType;
  /** True while no value was seen. */
  readonly provisional: boolean;
}

/**
 * The type that at least 99 % of a run's values have, otherwise varchar. If the run has no value, the type of
 * earlier runs.
 */
function chooseType(sources: readonly SourceReading[], locked: TypeChoice | undefined): TypeChoice {
  const count = (classes?: readonly ValueClass[]) => countOfAll(sources, classes);
  const evidence = count() - count(['empty', 'noNumber', 'secret']);
  if (evidence === 0 && count(['empty', 'secret']) > 0) return { type: 'varchar', provisional: false };
  if (evidence === 0) return { type: locked?.type ?? 'varchar', provisional: locked?.provisional ?? true };
  if (evidence === count(['sentinel'])) return { type: 'timestamp', provisional: true };
  const held = (type: ColumnType) =>
    totalOf(sources, (each) => fitOf(type, each)) +
    (type === 'timestamp' || type === 'date' ? totalOf(sources, (each) => nevers(type, each)) : 0);
  // Of types that hold equally many values the first wins: a moment comes before the number that writes it.
  const [best] = (['timestamp', 'date', 'boolean', bestNumeric(sources)] as const).toSorted(
    (a, b) => held(b) - held(a),
  );
  const holdsEnough = best !== undefined && held(best) * 100 >= evidence * 99;
  return { type: holdsEnough ? best : 'varchar', provisional: false };
}

/** How many values of a source mean "never". The value 0 is not counted, because it fits every type. */
const nevers = (type: 'timestamp' | 'date', { profile, reading }: SourceReading) =>
  countOf(
    profile,
    neverClasses(type, reading).filter((each) => each !== 'zero'),
  );

/**
 * The type of a column that views want in a type. The sources with values that alone have that type or its
 * kind decide it. So no other source takes it from them. If no source has it, all values decide together.
 */
export function joinTypes(
  sources: readonly SourceReading[],
  { locked, wanted }: { readonly locked: TypeChoice | undefined; readonly wanted: ColumnType | undefined },
): TypeChoice {
  const fitting = wanted === undefined ? [] : sources.filter((each) => isOfType(each, wanted) === true);
  return chooseType(fitting.length > 0 ? fitting : sources, locked);
}

/** True if a source's values, alone, are of the type or both are numbers; undefined if they say nothing. */
export function isOfType(source: SourceReading, type: ColumnType): boolean | undefined {
  if (countOf(source.profile) === countOf(source.profile, ['empty', 'noNumber', 'secret', 'sentinel']))
    return undefined;
  const own = chooseType([source], undefined).type;
  return own === type || (isNumeric(own) && isNumeric(type));
}

/** The narrowest type that holds all numbers, otherwise the one that holds most. */
function bestNumeric(sources: readonly SourceReading[]): NumericType {
  const [best = 'bigint'] = NUMERIC_TYPES.toSorted(
    (a, b) => numbersHeld(b, sources) - numbersHeld(a, sources),
  );
  return best;
}

/** Wider types that hold more numbers, best first. */
export function widerTypes(type: NumericType, sources: readonly SourceReading[]): readonly NumericType[] {
  return NUMERIC_TYPES.slice(NUMERIC_TYPES.indexOf(type) + 1)
    .filter((wider) => numbersHeld(wider, sources) > numbersHeld(type, sources))
    .sort((a, b) => numbersHeld(b, sources) - numbersHeld(a, sources));
}

const numbersHeld = (type: NumericType, sources: readonly SourceReading[]) =>
  totalOf(sources, (each) => fitOf(type, each));

/** How many of the sources' values are of one of the classes, or of any. */
export const countOfAll = (sources: readonly SourceReading[], classes?: readonly ValueClass[]): number =>
  totalOf(sources, ({ profile }) => countOf(profile, classes));

const totalOf = <Each>(list: readonly Each[], of: (each: Each) => number) =>
  list.reduce((sum, each) => sum + of(each), 0);
