import { type Path, pathText } from '../schema/columns/assign-names.ts';
import { leafColumn, leavesSql, type Slices } from '../schema/leaves.ts';
import { baseKeySql, keyPaths, keyTextSql, type RecordKey } from '../schema/record-key.ts';
import type { Resource } from '../sources/resources.ts';
import { quoteLiteral } from '../sql.ts';

/**
 * The records of a source with their key. Several records of one key are numbered by page and position: the
 * first has the key itself, the next one the key and `#2`. A record with an id may come again on a later page
 * with the same values: the pages overlap, or records moved between them. Then it is one record.
 */
export function keyedRecordsSql(options: {
  readonly slices: Slices;
  readonly resource: Resource;
  readonly key: RecordKey;
  readonly paths: readonly Path[];
  /** False if no key repeats, as far as known: numbering is a fifth of the cost of publishing. */
  readonly isNumbered: boolean;
  /**
   * SQL of what a reader may see of the value at a path: its mask if it is masked, null if there is none.
   * From a hash of the value itself, anybody can find the value by trials.
   */
  readonly shown: (path: Path) => string;
}) {
  const { resource, key, paths } = options;
  const known = new Set(paths.map(pathText));
  const keys = key.kind === 'field' ? keyPaths(key.field) : [];
  const all = [...paths, ...keys.filter((path) => !known.has(pathText(path)))];
  const columnOf = (path: Path) => leafColumn(all.findIndex((each) => pathText(each) === pathText(path)));
  const id = key.kind === 'field' ? keyTextSql(keys.map(columnOf), key.field) : 'null::varchar';
  const parent = resource.parent === null ? null : 'parent_id';
  const record = recordText(paths, options.shown);
  // The id and the key are columns, because DuckDB plans an expression again at each place in a statement.
  const identified = `select *, ${id} as own_id from (${leavesSql(options.slices, all)})`;
  const baseKey = baseKeySql(key, { parent, id: 'own_id', record });
  const keyed = `select *, ${baseKey} as base_key from (${identified})`;
  return {
    /** SQL of the records with their leaves c0, c1, … and `record_key`. */
    sql: options.isNumbered
      ? numberedSql(key.kind === 'field' ? onceSql(keyed, all.length) : keyed)
      : `select *, base_key as record_key from (${keyed})`,
    /** SQL, over the rows of `sql`, of the id that joins the record with its children or siblings. */
    parent: parent ?? 'coalesce(own_id, base_key)',
  };
}

/** SQL of the records that are not on an earlier page too. */
function onceSql(records: string, leaves: number): string {
  const values = Array.from({ length: leaves }, (_, index) => leafColumn(index));
  return `
      select *
      from (${records})
      qualify page = min(page) over (partition by ${['base_key', ...values].join(', ')})`;
}

function numberedSql(records: string): string {
  return `
      select
        *,
        base_key || case when ordinal = 1 then '' else '#' || ordinal end as record_key
      from (
        select
          *,
          row_number() over (partition by base_key order by page, slice, position) as ordinal
        from (${records})
      )`;
}

/**
 * SQL of the text of a record without an id: its shown values, with their paths. It has nothing of other
 * records, nor the names and the order of columns. So the record keeps its key while these change.
 */
function recordText(paths: readonly Path[], shown: (path: Path) => string): string {
  const parts = [...paths]
    .sort((a, b) => (pathText(a) < pathText(b) ? -1 : 1))
    .map((path) => `${quoteLiteral(`${pathText(path)}:`)} || ${shown(path)}`);
  return `concat_ws(chr(31), ${parts.length === 0 ? "''" : parts.join(', ')})`;
}
