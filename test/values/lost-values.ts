import { readHead } from '#lib/lake/head.ts';
import type { Lake } from '#lib/lake/lake.ts';
import { readSchema, type TableSchema } from '#lib/schema/schema.ts';
import type { ServedResource } from '#simulator/kind.ts';
import { decimalOf, isNumberToken } from '../schema/reference.ts';

/** A number as it is in the text: a double would not hold all of them. */
export class NumberToken {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/** JSON.parse with number tokens in place of numbers. */
export function parseTokens(text: string): unknown {
  const keep = (_key: string, value: unknown, context?: { readonly source?: string }) =>
    typeof value === 'number' ? new NumberToken(context?.source ?? '') : value;
  return JSON.parse(text, keep);
}

type Row = Readonly<Record<string, unknown>>;

export interface Served {
  /** Null for a listing without parent. */
  readonly parentId: string | null;
  /** One record's JSON. */
  readonly text: string;
}

export interface LostOptions {
  readonly lake: Lake;
  readonly rows: (sql: string) => Promise<readonly Row[]>;
  readonly resource: ServedResource;
  readonly source: string;
  readonly served: readonly Served[];
  /** The run's, YYYY-MM-DD. */
  readonly date: string;
}

/**
 * The records without a row that has every value, in its cell or in `rejects`, and the rows and cells too many: a
 * sentence each.
 * Written apart from lib: it knows of the schema only which path has which column.
 */
export async function lostValues(options: LostOptions): Promise<readonly string[]> {
  const { lake, resource, source, served, date } = options;
  const schema = await readSchema(lake, (await readHead(lake))?.head.schema ?? '');
  const table = schema.tables[resource];
  const where = `where export_date = '${date}' and export_source = '${source}'`;
  const rows = await options.rows(`select * from ${resource}_daily ${where}`);
  const rejects = await options.rows(`select * from rejects ${where} and table_name = '${resource}'`);
  const lost: string[] = [];
  if (new Set(rows.map((row) => row.record_key)).size !== rows.length) lost.push('a record_key stands twice');
  const unused = new Set(rows);
  // The key of a map is said outside the record.
  const isOwn = (each: TableSchema['columns'][number]['paths'][number]) =>
    each.source === source && each.path[0] !== '$key';
  const own = table?.columns.filter(({ paths }) => paths.some(isOwn)) ?? [];
  const records = served.map((one) => ({ ...one, leaves: leavesOf(parseTokens(one.text), table, source) }));
  // Whoever says most comes first: a record that says little would be found in many a row.
  records.sort((a, b) => b.leaves.length - a.leaves.length);
  for (const { parentId, text, leaves } of records) {
    const isParent = (row: Row) => parentId === null || Object.values(row).includes(parentId);
    const missing = [...unused].map((row) => ({
      row,
      lacks: isParent(row) ? leaves.filter((leaf) => !isFound(leaf, row, rejects)) : leaves,
    }));
    missing.sort((a, b) => a.lacks.length - b.lacks.length);
    const [best] = missing;
    if (best === undefined) lost.push(`no row for ${text.slice(0, 200)}`);
    else {
      unused.delete(best.row);
      const unsaid = own.filter(
        ({ name }) => best.row[name] !== null && !leaves.some(({ column }) => column === name),
      );
      if (unsaid.length > 0) lost.push(`cells that nobody said: ${unsaid.map(({ name }) => name)}`);
      const [leaf] = best.lacks;
      if (leaf !== undefined)
        lost.push(
          `${best.lacks.length} of ${leaves.length} values, such as ${JSON.stringify(leaf).slice(0, 300)}, cell ${JSON.stringify(best.row[leaf.column ?? ''])?.slice(0, 300)}`,
        );
    }
  }
  if (unused.size > 0) lost.push(`${unused.size} rows too many`);
  return lost;
}

interface Leaf {
  readonly path: readonly string[];
  readonly value: unknown;
  readonly column: string | undefined;
  readonly type: string | undefined;
}

function leavesOf(record: unknown, table: TableSchema | undefined, source: string): readonly Leaf[] {
  const nameOf = (path: readonly string[]) => JSON.stringify(path);
  const flattened = new Set(table?.flattened.map(nameOf));
  const columns = new Map(
    table?.columns.flatMap((column) =>
      column.paths
        .filter((each) => each.source === source)
        .map(({ path }) => [nameOf(path), column] as const),
    ),
  );
  const walk = (value: unknown, path: readonly string[]): readonly Leaf[] => {
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    // An object without members says nothing: it is a value as little as null is.
    const isApart =
      isObject && (path.length === 0 || flattened.has(nameOf(path)) || Object.keys(value).length === 0);
    if (isApart && !(value instanceof NumberToken))
      return Object.entries(value).flatMap(([key, inner]) => walk(inner, [...path, key]));
    const column = columns.get(nameOf(path));
    return value === null ? [] : [{ path, value, column: column?.name, type: column?.type }];
  };
  return walk(record, []);
}

function isFound({ path, value, column, type }: Leaf, row: Row, rejects: readonly Row[]): boolean {
  // The id of a player has a column before any path is known.
  if (column === undefined) return isSame(row[path.join('_').replaceAll('-', '_')], value, 'varchar');
  const cell = row[column];
  if (cell !== null && cell !== undefined && isSame(cell, value, type)) return true;
  return rejects.some(
    (reject) =>
      reject.column_name === column &&
      (reject.record_key === row.record_key || reject.record_key === null) &&
      (reject.reason === 'precision' && reject.raw_value === null
        ? isCut(cell, value)
        : isSame(reject.raw_value, escaped(value), 'varchar')),
  );
}

function isSame(cell: unknown, value: unknown, type: string | undefined): boolean {
  if (type === 'timestamp' || type === 'date')
    return Date.parse(String(cell)) === (value instanceof NumberToken ? epochOf(value) : momentOf(value));
  if (type === 'boolean') return String(cell) === String(value).toLowerCase();
  if (value instanceof NumberToken)
    return isNumberToken(String(cell)) && decimalOf(String(cell)) === decimalOf(value.text);
  if (typeof value === 'string') return cell === value;
  if (typeof value === 'boolean') return String(cell) === String(value);
  return typeof cell === 'string' && sameJson(parseOrText(cell), value);
}

/** ISO, or /Date(ms)/. */
function momentOf(value: unknown): number {
  const dotnet = /^\/Date\((-?\d+)/.exec(String(value));
  return dotnet === null ? Date.parse(String(value)) : Number(dotnet[1]);
}

/** Seconds or milliseconds since 1970, whichever lies between the years 1973 and 2100. */
function epochOf({ text }: NumberToken): number {
  return Number(text) < 1e11 ? Number(text) * 1000 : Number(text);
}

function isCut(cell: unknown, value: unknown): boolean {
  return typeof value === 'string' && momentOf(cell) === momentOf(value.replace(/(\.\d{3})\d+/, '$1'));
}

/** Text with its half surrogate pairs as escapes, and the noncharacters that the export marks values with. */
function escaped(value: unknown): unknown {
  return typeof value === 'string'
    ? value.replace(/[\ud800-\udfff\ufdd0-\ufdd2]/gu, (half) => `\\u${half.charCodeAt(0).toString(16)}`)
    : value;
}

function parseOrText(text: string): unknown {
  try {
    return parseTokens(text);
  } catch {
    return text;
  }
}

function sameJson(a: unknown, b: unknown): boolean {
  if (a instanceof NumberToken || b instanceof NumberToken)
    return a instanceof NumberToken && b instanceof NumberToken && decimalOf(a.text) === decimalOf(b.text);
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return a === b;
  const [mine, theirs] = [Object.entries(a), Object.entries(b)];
  const other = new Map(theirs);
  return (
    Array.isArray(a) === Array.isArray(b) &&
    mine.length === theirs.length &&
    mine.every(([key, value]) => other.has(key) && sameJson(value, other.get(key)))
  );
}
