import { type ColumnType, duckdbType } from './column-types.ts';

/** A SQL identifier in double quotes, for any foreign name. Throws for a NUL, which ends DuckDB's input. */
export function quoteIdentifier(name: string): string {
  if (name.includes('\0')) throw new Error('an identifier cannot hold a NUL character');
  return `"${name.replaceAll('"', '""')}"`;
}

/** A SQL expression for exactly `text`. It writes a NUL as chr(0), because no literal may hold one. */
export function quoteLiteral(text: string): string {
  const quoted = (part: string) => `'${part.replaceAll("'", "''")}'`;
  return text.includes('\0') ? `(${text.split('\0').map(quoted).join(' || chr(0) || ')})` : quoted(text);
}

/** SQL condition: an expression is one of the texts, or a row is one of the rows of texts; false without any. */
export function isIn(what: string, all: Iterable<string | readonly string[]>): string {
  const each = [...all].map((one) =>
    typeof one === 'string' ? quoteLiteral(one) : `(${one.map(quoteLiteral).join(', ')})`,
  );
  return each.length === 0 ? 'false' : `${what} in (${each.join(', ')})`;
}

/**
 * SQL of a relation over Parquet files; their folders add no columns. If `file` names a column, it has the
 * path of each row's file. DuckDB opens no file that a condition on it excludes, if its name is `filename`.
 */
export function readParquet(paths: readonly string[], file?: string): string {
  const named = file === undefined ? '' : `, filename = ${file === 'filename' || quoteLiteral(file)}`;
  return `read_parquet(${listOf(paths)}, hive_partitioning = false${named})`;
}

/**
 * The same over the files of days, with the folders below the lake as columns. So DuckDB skips days by any
 * condition, and needs no file of theirs. Only for paths with `isPlainAbove`.
 */
export function readDays(paths: readonly string[]): string {
  return `read_parquet(${listOf(paths)}, hive_partitioning = true, hive_types = { export_date: varchar, run: varchar })`;
}

/** Whether no folder above a table's days has a name that DuckDB takes for a column. */
export function isPlainAbove(path: string): boolean {
  return !path.slice(0, path.lastIndexOf('export_date=')).includes('=');
}

/** The same over JSON files of one object each, with the path of each file as `filename`. */
export function readJsonFiles(
  paths: readonly string[],
  { columns, largest }: { readonly columns: string; readonly largest: number },
): string {
  return `read_json(${listOf(paths)}, hive_partitioning = false, filename = true, format = 'unstructured', columns = ${columns}, maximum_object_size = ${largest})`;
}

function listOf(paths: readonly string[]): string {
  return `[${paths.map(quoteLiteral).join(', ')}]`;
}

/** A column of a relation. */
export interface RelationColumn {
  readonly name: string;
  readonly type: ColumnType;
}

/** Columns of one type. */
export function ofType(type: ColumnType, ...names: readonly string[]): readonly RelationColumn[] {
  return names.map((name) => ({ name, type }));
}

/** SQL of a null as a column of a select list, with the type from `typeOf`. */
export function nullAs({ name, type }: RelationColumn, typeOf: (type: ColumnType) => string): string {
  return `null::${typeOf(type)} as ${quoteIdentifier(name)}`;
}

/** SQL of a relation with these columns and no row. */
export function emptyRelation(columns: readonly RelationColumn[], typeOf = duckdbType): string {
  return `select ${columns.map((column) => nullAs(column, typeOf)).join(', ')} where false`;
}

/** SQL of rows that are JavaScript objects; an undefined member is null, and times are ISO texts. */
export function rowsSql(
  columns: readonly RelationColumn[],
  rows: readonly Readonly<Record<string, unknown>>[],
): string {
  const struct = Object.fromEntries(
    columns.map(({ name, type }) => [name, type === 'timestamp' ? 'VARCHAR' : duckdbType(type)]),
  );
  const cells = columns.map(({ name, type }) => {
    const cell = quoteIdentifier(name);
    return type === 'timestamp' ? `${cell}::timestamptz::timestamp as ${cell}` : cell;
  });
  // DuckDB refuses JSON with half a surrogate pair.
  const json = JSON.stringify(rows, (_, value) => (typeof value === 'string' ? value.toWellFormed() : value));
  return `
    select ${cells.join(', ')}
    from (
      select unnest(from_json(${quoteLiteral(json)}, ${quoteLiteral(JSON.stringify([struct]))}), recursive := true)
    )`;
}
