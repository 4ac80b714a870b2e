import { plainKey } from '../lake/raw/marks.ts';
import { slicesOf } from '../run/answers.ts';
import type { ResourceUnit } from '../run/unit.ts';
import { cellForm, valueSql } from '../schema/cells/cast-sql.ts';
import { cellTextSql } from '../schema/cells/cell-text-sql.ts';
import { madeCells } from '../schema/cells/made-cells.ts';
import { maskedSql } from '../schema/cells-sql.ts';
import { type NamedPath, type Path, pathText } from '../schema/columns/assign-names.ts';
import { leafColumn, type Slices } from '../schema/leaves.ts';
import type { RecordKey } from '../schema/record-key.ts';
import { type SchemaColumn, type TableSchema, valueType } from '../schema/schema.ts';
import { type Resource, resourceNamed } from '../sources/resources.ts';
import { quoteIdentifier, quoteLiteral } from '../sql.ts';
import { keyedRecordsSql } from './keyed-records.ts';
import { rejectsSql } from './rejects-sql.ts';
import type { UnitContext } from './unit-context.ts';

/** What a source's answers of a run make of a table. */
export interface Collected {
  /** SQL of the typed rows, with the table's columns by name. */
  readonly rows: string;
  /** SQL of the values that are not in their cells, with the columns of `rejects`; undefined if there are none. */
  readonly rejects: string | undefined;
}

/** A source's answers for a unit. */
export interface Answers {
  readonly source: string;
  readonly slices: Slices;
  /** True if the records are few, see `madeCells`. */
  readonly areFew: boolean;
}

/** The answers of each source that has some for the unit. */
export async function answersOf(
  unit: ResourceUnit,
  { db, services }: UnitContext,
): Promise<readonly Answers[]> {
  const all: Answers[] = [];
  for (const { source, raw, allCount, areFew } of unit.collected) {
    const paths = await services.lake.localPaths(raw);
    all.push({
      source,
      areFew,
      slices: await slicesOf(db, { source, resource: unit.table, paths, range: unit.range, allCount }),
    });
  }
  return all;
}

/** The typed rows and the rejects of each source. Unless they are numbered, records of one key share a `record_key`. */
export function collectedOf(
  unit: ResourceUnit,
  answers: readonly Answers[],
  { schema, record, isNumbered }: Pick<UnitContext, 'schema' | 'record'> & { readonly isNumbered: boolean },
): readonly Collected[] {
  const resource = resourceNamed(unit.table);
  const table = schema.tables[unit.table];
  return answers.flatMap(({ source, slices, areFew }) => {
    const key = table?.keys[source];
    if (table === undefined || key === undefined) return [];
    return [collectedSql({ slices, source, areFew, resource, key, table, runId: record.runId, isNumbered })];
  });
}

export interface CollectedOptions extends Answers {
  readonly resource: Resource;
  readonly key: RecordKey;
  readonly table: TableSchema;
  readonly runId: string;
  readonly isNumbered: boolean;
  /** See `rejectsSql`. @default false */
  readonly withCuts?: boolean;
}

/** SQL of one source's answers of a run for a table: the typed rows, and the values that are not in their cells. */
export function collectedSql(options: CollectedOptions): Collected {
  const { source, resource, table, runId } = options;
  const columns = table.columns.filter((column) => isNeeded(column, source));
  const { keyed, valueAt } = keyedOf(options);

  const values = columns.map((column, index) => {
    const leaves = pathsOf(column, source).map(valueAt);
    return {
      column,
      name: `v${index}`,
      sql: leaves.length === 1 ? leaves[0] : `coalesce(${leaves.join(', ')})`,
    };
  });
  const valued = `select *, ${values.map(({ name, sql }) => `${sql} as ${name}`).join(', ') || 'null as v'} from (${keyed.sql})`;

  const parentColumn = resource.parentColumn === null ? [] : [`${keyed.parent} as ${resource.parentColumn}`];
  const stored = values.filter(({ column }) => !column.provisional);
  const makers = stored.map(({ column, name }) => ({
    value: name,
    sqlOf: (value: string) => cellSql({ column, source, table: resource.name }, value),
  }));
  const made = madeCells(valued, makers, options);
  const cells = stored.map(({ column }, index) => `${made.cells[index]} as ${quoteIdentifier(column.name)}`);
  const rows = `
    -- grain: record
    select
      ${quoteLiteral(source)} as export_source,
      ${quoteLiteral(runId)} as export_run_id,
      answered_at as exported_at,
      ${['record_key', ...parentColumn, ...cells].join(',\n      ')}
    from ${made.from}`;
  const rejects = rejectsSql({
    source,
    table: resource.name,
    runId,
    records: valued,
    columns: values.map(({ column, name }) => ({ column, value: name })),
    masked: table.columns.filter(({ masked }) => masked.includes(source)).map(({ name }) => name),
    withCuts: options.withCuts === true,
    areFew: options.areFew,
  });
  return { rows, rejects };
}

/** The records of one source's answers of a run with their leaves and keys, and how the leaves are read. */
export function keyedOf(options: Omit<CollectedOptions, 'runId' | 'areFew'>) {
  const { source, resource, table } = options;
  const paths = table.columns.flatMap((column) => pathsOf(column, source));
  const leafOf = leafNames(paths);
  const isFlattened = new Set(table.flattened.map((path) => pathText(path)));
  /** An object that is taken apart is not a value: its members are. */
  const valueAt = (path: Path) =>
    isFlattened.has(pathText(path))
      ? `case when not starts_with(${leafOf(path)}, '{') then ${leafOf(path)} end`
      : leafOf(path);
  const shown = (path: Path): string => {
    const column = maskedAt(table, { source, path });
    const value = isFlattened.has(pathText(path)) ? valueAt(path) : `nullif(${leafOf(path)}, '{}')`;
    return column === undefined ? value : maskedSql(resource.name, column, value);
  };
  const keyed = keyedRecordsSql({ ...options, paths, shown });
  return { keyed, valueAt };
}

function pathsOf({ paths }: SchemaColumn, source: string): readonly Path[] {
  return paths.filter((path) => isRead(path, source)).map(({ path }) => path);
}

type FieldOfSource = Pick<NamedPath, 'source' | 'path'>;

/** A column that has a mask for the path's value: that of the path, of a part of it, or of its object. */
function maskedAt(table: TableSchema, { source, path }: FieldOfSource): SchemaColumn | undefined {
  return table.columns.find(
    ({ masked, paths }) =>
      masked.includes(source) && paths.some((each) => each.source === source && isWithin(each.path, path)),
  );
}

/** True if two paths are the same, or one leads to the other. A repeated key is the same key. */
function isWithin(one: Path, other: Path): boolean {
  const [short = [], long = []] = [one.map(plainKey), other.map(plainKey)].sort(
    (a, b) => a.length - b.length,
  );
  return short.every((key, index) => key === long[index]);
}

/** The cell of a value. A column with a mask is text: it holds the text of the typed cell, or its mask. */
function cellSql(
  of: { readonly column: SchemaColumn; readonly source: string; readonly table: string },
  value: string,
): string {
  const { column, source, table } = of;
  const type = valueType(column);
  const typed = valueSql(cellForm({ ...column, type }, source), value);
  if (column.plainType === undefined) return typed;
  const text = cellTextSql(typed, type);
  return column.masked.includes(source) ? maskedSql(table, column, text) : text;
}

function leafNames(paths: readonly Path[]): (path: Path) => string {
  const index = new Map(paths.map((path, position) => [pathText(path), leafColumn(position)]));
  return (path) => index.get(pathText(path)) ?? 'null';
}

/** A provisional column is in no file, but a value such as year 1 goes to rejects. */
function isNeeded({ paths, provisional, rejects }: SchemaColumn, source: string): boolean {
  const { type = 0, sentinel = 0 } = rejects[source] ?? {};
  return paths.some((path) => isRead(path, source)) && (!provisional || type + sentinel > 0);
}

function isRead(path: SchemaColumn['paths'][number], source: string): boolean {
  return path.source === source && !path.isDropped;
}
