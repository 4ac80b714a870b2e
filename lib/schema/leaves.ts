import { quoteIdentifier, quoteLiteral } from '../sql.ts';
import { type Path, pathText } from './columns/assign-names.ts';

/** The answers of a resource, in slices. */
export interface Slices {
  /**
   * SQL with one row for each slice: parent_id, pass, page, slice, answered_at, and the slice's records as
   * the text of a JSON array.
   */
  readonly sql: string;
  /**
   * SQL condition over parent_id and pass: which answers count. Undefined if all count. It is tested for each
   * record and not for each slice. DuckDB gathers the rows behind a filter into chunks of 2,048, and 2,048
   * slices of 1 MiB are 2 GiB.
   */
  readonly counts: string | undefined;
}

/** What every relation of records has next to its values. */
const PLACE = 'parent_id, pass, page, slice, answered_at';

/** The column of the i-th path in `leavesSql`. */
export function leafColumn(index: number): string {
  return `c${index}`;
}

/**
 * A row for each record (parent_id, pass, page, slice, answered_at, position). For each path it has a column
 * c0, c1, … with the value as JSON text; null if the record lacks it or it is null.
 */
export function leavesSql(slices: Slices, paths: readonly Path[]): string {
  const tree = treeOf(paths);
  return leaves(recordsSql(slices, tree), { tree, paths });
}

/** The rows of `leavesSql`, with the record as JSON text in `record`. */
export function leavesAndRecordsSql(slices: Slices, paths: readonly Path[]): string {
  const tree = treeOf(paths);
  return leaves(withMembers(slices, tree), { tree, paths, also: ['record'] });
}

interface Wanted {
  readonly tree: Tree;
  readonly paths: readonly Path[];
  readonly also?: readonly string[];
}

function leaves(records: string, { tree, paths, also = [] }: Wanted): string {
  const cells = [...paths.entries()].map(([index, path]) => `${cellOf(tree, path)} as ${leafColumn(index)}`);
  return `
    -- grain: record
    select ${[PLACE, 'position', ...also, ...cells].join(',\n      ')}
    from (${levelsSql(records, tree)})`;
}

/** A row for each record: its place and the record as JSON text in `record`. */
export function recordTextsSql(slices: Slices): string {
  return unnested(slices, '["JSON"]', 'record');
}

function unnested({ sql, counts }: Slices, structure: string, column: string): string {
  return `
    -- grain: record
    select *
    from (
      select ${PLACE}, unnest(list) as ${column}, generate_subscripts(list, 1) as position
      from (select ${PLACE}, from_json(records, ${quoteLiteral(structure)}) as list from (${sql}))
    )
    where ${counts ?? 'true'}`;
}

/** A node with children in the paths: an object with wanted members. */
interface Node {
  readonly path: Path;
  /** Members that DuckDB's structures distinguish. */
  readonly plain: string[];
  /** Members with an empty key, or one that differs from another only by case. Each needs a JSON pointer. */
  readonly special: string[];
}

/** Objects to take apart, parents before children, by their joined path. */
type Tree = ReadonlyMap<string, Node>;

function treeOf(paths: readonly Path[]): Tree {
  const members = new Map<string, { path: Path; keys: Set<string> }>([['[]', { path: [], keys: new Set() }]]);
  const byDepth = [...paths].sort((a, b) => a.length - b.length);
  for (const path of byDepth) {
    for (let depth = 1; depth <= path.length; depth++) {
      const parent = path.slice(0, depth - 1);
      const node = members.get(pathText(parent)) ?? { path: parent, keys: new Set<string>() };
      node.keys.add(path[depth - 1] ?? '');
      members.set(pathText(parent), node);
    }
  }
  const nodes = [...members.values()].sort((a, b) => a.path.length - b.path.length);
  return new Map(nodes.map(({ path, keys }) => [pathText(path), { path, ...splitBySpelling([...keys]) }]));
}

function splitBySpelling(keys: readonly string[]): { plain: string[]; special: string[] } {
  const spellings = Map.groupBy(keys, (key) => key.toLowerCase());
  const isPlain = (key: string) => key !== '' && spellings.get(key.toLowerCase())?.length === 1;
  return { plain: keys.filter(isPlain), special: keys.filter((key) => !isPlain(key)) };
}

/** The column of an object's plain members. Its name is hexadecimal, because DuckDB takes `a` and `A` for one name. */
const structureOf = (path: Path) => quoteIdentifier(`s${Buffer.from(pathText(path)).toString('hex')}`);

function structure({ plain }: Node): string {
  return JSON.stringify(Object.fromEntries(plain.map((key) => [key, 'JSON'])));
}

/** Records with their own members in a structure; the text of the record only if a column needs it. */
function recordsSql(slices: Slices, tree: Tree): string {
  const root = rootOf(tree);
  if (root.special.length === 0 && root.plain.length > 0) {
    return unnested(slices, `[${structure(root)}]`, structureOf([]));
  }
  return withMembers(slices, tree);
}

const rootOf = (tree: Tree): Node => tree.get('[]') ?? { path: [], plain: [], special: [] };

/** Records as text, with their own members in a structure. */
function withMembers(slices: Slices, tree: Tree): string {
  const root = rootOf(tree);
  const members = root.plain.length === 0 ? 'null' : `from_json(record, ${quoteLiteral(structure(root))})`;
  return `select *, ${members} as ${structureOf([])} from (${recordTextsSql(slices)})`;
}

/** Adds a structure for every nested object, level by level. */
function levelsSql(records: string, tree: Tree): string {
  let sql = records;
  for (const node of tree.values()) {
    if (node.path.length === 0 || node.plain.length === 0) continue;
    const text = cellOf(tree, node.path);
    sql = `select *, from_json(${text}, ${quoteLiteral(structure(node))}) as ${structureOf(node.path)} from (${sql})`;
  }
  return sql;
}

/** The value at a path as JSON text. */
function cellOf(tree: Tree, path: Path): string {
  const parent = path.slice(0, -1);
  const key = path.at(-1) ?? '';
  if (tree.get(pathText(parent))?.special.includes(key) === true) {
    const text = parent.length === 0 ? 'record' : cellOf(tree, parent);
    return `nullif(json_extract(${text}, ${quoteLiteral(pointer(key))})::varchar, 'null')`;
  }
  return `${structureOf(parent)}[${quoteLiteral(key)}]::varchar`;
}

function pointer(key: string): string {
  return `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`;
}
