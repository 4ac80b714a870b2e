import { isIn } from '../sql.ts';
import { formatForm, type Reading } from './cells/formats.ts';
import { placeOf } from './columns/assign-names.ts';
import { type Schema, type SchemaColumn, valueType } from './schema.ts';

/** A column with committed cells that differ from what the present schema makes of the same answers. */
export interface ColumnChange {
  readonly before: SchemaColumn;
  readonly column: SchemaColumn;
  /** True if another key makes the masks now. */
  readonly hasNewKey: boolean;
  /** By source: the column that had its values before they came under this name. */
  readonly arrived?: Readonly<Record<string, SchemaColumn>>;
}

/** The columns of a table that are read or hidden in another way than in the committed files. */
export function columnChanges(base: Schema, now: Schema, table: string): readonly ColumnChange[] {
  const before = base.tables[table]?.columns ?? [];
  const columns = now.tables[table]?.columns ?? [];
  const former = columnsByPlace(before);
  const changes = columns.flatMap((column): ColumnChange[] => {
    const old = before.find(({ name }) => name === column.name);
    const arrived = arrivedIn(column, former);
    const first = old ?? Object.values(arrived)[0];
    if (first === undefined) return [];
    const hasNewKey = first.masked.length > 0 && column.masked.length > 0 && base.maskKey !== now.maskKey;
    const isMoved = Object.keys(arrived).length > 0 || hasLost(old, column);
    if (isReadAlike(first, column) && !hasNewKey && !isMoved) return [];
    return [{ before: first, column, hasNewKey, ...(isMoved && { arrived }) }];
  });
  // Its paths have other names now: the files still have it.
  const gone = before.filter(({ name }) => columns.every((column) => column.name !== name));
  return [
    ...changes,
    ...gone.map((old) => ({
      before: old,
      column: { ...old, paths: [] },
      hasNewKey: false,
      arrived: {},
    })),
  ];
}

/** The first column that has a path, by the path's place. */
function columnsByPlace(columns: readonly SchemaColumn[]): ReadonlyMap<string, SchemaColumn> {
  const pairs = columns.flatMap((column) => column.paths.map((path) => [placeOf(path), column] as const));
  return new Map(pairs.reverse());
}

/** By source: the column of another name in which earlier runs published a path of this column. */
function arrivedIn(
  column: SchemaColumn,
  before: ReadonlyMap<string, SchemaColumn>,
): Readonly<Record<string, SchemaColumn>> {
  const found = column.paths.flatMap((path) => {
    const former = before.get(placeOf(path));
    return former === undefined || former.name === column.name ? [] : [[path.source, former] as const];
  });
  return Object.fromEntries(found);
}

/** True if a path of the column has another name now. */
function hasLost(old: SchemaColumn | undefined, column: SchemaColumn): boolean {
  const places = new Set(column.paths.map(placeOf));
  return old?.paths.some((path) => !places.has(placeOf(path))) === true;
}

function isReadAlike(old: SchemaColumn, now: SchemaColumn): boolean {
  if (isHiddenOf(old) !== isHiddenOf(now)) return false;
  // Without a value, nothing is read in another way. A column with only year 1 is a moment.
  if (now.provisional) return true;
  if (old.provisional)
    return valueType(old) !== 'timestamp' || ['timestamp', 'date'].includes(valueType(now));
  if (old.type !== now.type || valueType(old) !== valueType(now)) return false;
  return Object.entries(old.readings).every(([source, reading]) => {
    const after = now.readings[source];
    return after === undefined || formOf(reading) === formOf(after);
  });
}

/** What a column hides: the dropped paths and the masked sources. */
function isHiddenOf({ paths, masked }: SchemaColumn): string {
  const dropped = paths.filter(({ isDropped }) => isDropped).map(({ source, path }) => [source, ...path]);
  return JSON.stringify([dropped, [...masked].sort()]);
}

/**
 * What decides how an earlier value is read. A further format that needs neither a zone nor an order of day
 * and month does not count: no earlier value had it.
 */
function formOf(reading: Reading): string {
  const { formats, timeZone, readsDigitsInText, readsZeroAndOne, values, zeroTime } = reading;
  const open = formats.filter((format) => {
    const { isLocal, order, isEpoch } = formatForm(format);
    return isLocal === true || order !== undefined || isEpoch === true;
  });
  const isLocal = open.some((format) => formatForm(format).isLocal === true);
  return JSON.stringify([
    open,
    isLocal ? timeZone : null,
    readsDigitsInText,
    readsZeroAndOne,
    values,
    zeroTime === 'never',
  ]);
}

/** True if committed rows or rejects of the table differ from what the present schema makes of the same answers. */
export function isWrittenAgain(base: Schema, now: Schema, table: string): boolean {
  return columnChanges(base, now, table).length > 0;
}

/** The columns, as TABLE.COLUMN, that hide something now which the committed files show. */
export function newlyHidden(base: Schema, now: Schema): readonly string[] {
  return Object.keys(now.tables).flatMap((table) => {
    const hiding = columnChanges(base, now, table).filter(
      (change) => newlyMasked(change).length > 0 || newlyDropped(change).length > 0,
    );
    return hiding.map(({ column }) => `${table}.${column.name}`);
  });
}

/** The sources with values of the column that are newly masked, or masked by another key. */
export function newlyMasked({ before, column, hasNewKey }: ColumnChange): readonly string[] {
  return column.masked.filter((source) => hasNewKey || !before.masked.includes(source));
}

/** The sources with values of the column that are newly dropped. */
export function newlyDropped({ before, column }: ColumnChange): readonly string[] {
  const was = new Set(before.paths.filter(({ isDropped }) => isDropped).map(placeOf));
  return [
    ...new Set(
      column.paths.filter((path) => path.isDropped && !was.has(placeOf(path))).map(({ source }) => source),
    ),
  ];
}

/**
 * SQL condition over rows with `export_source` and a record's key: the key is a hash of what was shown, and
 * less is shown now. This is so if no field is the key, and for records that lack the key field: their hashes
 * begin with `~`. Undefined without such rows.
 */
export function rekeyedSql(
  base: Schema,
  now: Schema,
  table: string,
  { source = 'export_source', key = 'record_key' } = {},
): string | undefined {
  const keys = now.tables[table]?.keys ?? {};
  const hidden = new Set(
    columnChanges(base, now, table).flatMap((change) => [...newlyMasked(change), ...newlyDropped(change)]),
  );
  const of = (kind: string) => [...hidden].filter((each) => keys[each]?.kind === kind);
  const [all, some] = [of('hash'), of('field')];
  if (all.length + some.length === 0) return undefined;
  return `(${isIn(source, all)} or ${isIn(source, some)} and regexp_matches(${key}, '(^|/)~[0-9a-f]{32}(#[0-9]+)?$'))`;
}
