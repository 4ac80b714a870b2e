import * as z from 'zod';
import { fieldRank, LAST_SEGMENT } from '../fields.ts';
import { MAP_KEY, VALUE_NAME } from '../lake/raw/marks.ts';
import type { Resource } from '../sources/resources.ts';
import { quoteLiteral } from '../sql.ts';

/** What distinguishes a record from the other records of its source and parent. The first decision is kept for ever. */
export const recordKey = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('field'), field: z.string() }),
  /** No field is the key: the MD5 of the record's JSON text. */
  z.object({ kind: z.literal('hash') }),
  /** The whole answer is one record. */
  z.object({ kind: z.literal('constant'), value: z.string() }),
]);

export type RecordKey = Readonly<z.infer<typeof recordKey>>;

/** `resources.NAME.id` if no field identifies the records, not even one that looks like it. */
export const NO_ID = 'none';

/** A record's possible id names, best first, then a keyed map's key. `foldedName` of lib/fields.ts compares them. */
export function candidateNames(resource: Resource): readonly string[] {
  const own = resource.parent === null && resource.parentColumn !== null ? [resource.parentColumn] : [];
  return [
    'Id',
    '_id',
    `${resource.record}Id`,
    ...own,
    'Guid',
    'Uuid',
    'Uid',
    'SysId',
    'ObjectId',
    'Key',
    MAP_KEY,
    'Code',
    'Number',
    'Type',
    'Name',
    VALUE_NAME,
  ];
}

/** The top-level keys of a listing that may be its id, best first. */
export function keyCandidates(of: { resource: Resource; fields: readonly string[] }): readonly string[] {
  const rankOf = fieldRank(candidateNames(of.resource));
  return of.fields
    .flatMap((field) => {
      const rank = rankOf(field);
      return rank === undefined ? [] : [{ field, rank }];
    })
    .sort((a, b) => a.rank - b.rank || (a.field < b.field ? -1 : 1))
    .map(({ field }) => field);
}

/** How many records have a field as a non-empty string or an integer, and its different values below each parent. */
export interface Candidate {
  readonly field: string;
  readonly present: number;
  readonly distinct: number;
}

/**
 * The first candidate that each record has and that is unique below each parent. `distinct` counts exact copies below one
 * parent once: a record that moved to the next page came twice.
 */
export function uniqueField(
  candidates: readonly Candidate[],
  of: { readonly records: number; readonly distinct: number },
): string | undefined {
  return candidates.find(({ present, distinct }) => present === of.records && distinct === of.distinct)
    ?.field;
}

/** The key of a resource with one record as its answer: its listing's word, `pricing`. */
export function constantKey(resource: Resource): RecordKey {
  return { kind: 'constant', value: resource.listing.toLowerCase() };
}

/**
 * The places of a key field's value in a record: the member of that name, otherwise that path (`node.Id`).
 * With `/*` at the end, the key is the last segment of the address there.
 */
export function keyPaths(field: string): readonly (readonly string[])[] {
  const name = field.endsWith(LAST_SEGMENT) ? field.slice(0, -LAST_SEGMENT.length) : field;
  return name.includes('.') ? [[name], name.split('.')] : [[name]];
}

/**
 * SQL of a value's text if it may be an id, otherwise null. An id is a non-empty string or an integer (`1.0`
 * is 1 and `1e3` is 1000). `column` holds JSON text. Needs CELL_MACROS.
 */
export function idTextSql(column: string): string {
  return `id_text(${column})`;
}

/** SQL: the id's text, from the columns of `keyPaths`. */
export function keyTextSql(columns: readonly string[], field: string): string {
  const texts = columns.map(idTextSql);
  const text = texts.length === 1 ? texts.join('') : `coalesce(${texts.join(', ')})`;
  if (!field.endsWith(LAST_SEGMENT)) return text;
  return `url_decode(regexp_extract(${text}, '([^/?#]*)/*(?:[?#].*)?$', 1))`;
}

interface KeyColumns {
  /** The column of the parent's id as text; null for a resource without parent. */
  readonly parent: string | null;
  /** SQL of the record's id as text, by `idTextSql`. */
  readonly id: string;
  /** SQL of the record as JSON text. */
  readonly record: string;
}

/** SQL aggregate: the number of different records below each parent. */
export function distinctRecordsSql({ parent, record }: Omit<KeyColumns, 'id'>): string {
  return `count(DISTINCT md5(concat_ws('/', ${parent ?? "''"}, ${record})))`;
}

/** SQL aggregates of one candidate, in this order: present, distinct. */
export function candidateCountsSql({ parent, id }: Omit<KeyColumns, 'record'>): readonly [string, string] {
  const pair = `(${parent ?? "''"}, ${id})`;
  return [`count(${id})`, `count(DISTINCT ${pair}) FILTER (WHERE ${id} IS NOT NULL)`];
}

/**
 * SQL aggregates of one candidate, in this order: how many records have it, and at least how many different
 * values it has. It counts hashes, which takes a fifth of the time. As many hashes as records prove that the
 * candidate is unique; fewer prove nothing.
 */
export function likelyCountsSql({ parent, id }: Omit<KeyColumns, 'record'>): readonly [string, string] {
  return [`count(${id})`, `count(DISTINCT hash(${parent ?? "''"}, ${id})) FILTER (WHERE ${id} IS NOT NULL)`];
}

/**
 * SQL of the key before duplicates are numbered: parent, `/`, id; without parent the id alone. A record that
 * lacks the field has its hash instead. The parent percent-encodes `%`, `/` and `#`, the id `%` and `#`:
 * every pair has its own key.
 */
export function baseKeySql(key: RecordKey, { parent, id, record }: KeyColumns): string {
  const own =
    key.kind === 'constant'
      ? quoteLiteral(key.value)
      : key.kind === 'hash'
        ? `md5(${record})`
        : `coalesce(${id}, '~' || md5(${record}))`;
  const encodedId = `list_transform([${own}], lambda t__: ${encoded('t__', { '%': '%25', '#': '%23' })})[1]`;
  return parent === null ? encodedId : `${parentSql(parent)} || ${encodedId}`;
}

/** SQL of a key before duplicates were numbered: `#` in an id is encoded, so this one is our own. */
export function unnumberedSql(column: string): string {
  return `regexp_replace(${column}, '#\\d+$', '')`;
}

/** The id of the parent in the key of a child, undefined without one. */
export function parentInKey(key: string): string | undefined {
  const end = key.indexOf('/');
  return end === -1 ? undefined : idInKey(key.slice(0, end));
}

/** The own id in the key of a record without parent: `baseKeySql` the other way round. */
export const idInKey = (key: string): string =>
  key.replaceAll('%2F', '/').replaceAll('%23', '#').replaceAll('%25', '%');

/** True for what may be a key without the number of a copy: a key has no other `%` and no `#`. */
export function isBaseKey(key: string): boolean {
  return !/#|%(?!2F|23|25)/.test(key);
}

/** SQL of the beginning of all keys of a parent's children. */
export function childKeysSql(parentId: string): string {
  return parentSql(quoteLiteral(parentId));
}

const parentSql = (parent: string) => `${encoded(parent, { '%': '%25', '/': '%2F', '#': '%23' })} || '/'`;

/**
 * SQL of a column's text with some characters replaced. Few texts have such characters, and a search is
 * cheaper than the replacement.
 */
function encoded(column: string, by: Readonly<Record<string, string>>): string {
  const has = Object.keys(by).map((each) => `contains(${column}, '${each}')`);
  const replaced = Object.entries(by).reduce(
    (sql, [each, code]) => `replace(${sql}, '${each}', '${code}')`,
    column,
  );
  return `CASE WHEN ${has.join(' OR ')} THEN ${replaced} ELSE ${column} END`;
}
