import type { Json, JsonObject } from '#simulator/json.ts';
import type { Spelling } from '../truth.ts';

/** What a form answers a listing with. */
export interface Said {
  /** @default 200 */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: Json;
}

export interface Asked {
  /** All records of the listing, as the form writes a record. */
  readonly rows: readonly JsonObject[];
  /** What each record is known by, in the same order: its id, or the type of a licence. */
  readonly keys: readonly string[];
  readonly query: URLSearchParams;
  /** Origin of the server, and the path of the listing. */
  readonly origin: string;
  readonly path: string;
  /** The path of the API, without its listings. */
  readonly root: string;
  /** `pending_file_transfers` */
  readonly table: string;
  /** Records of a page where the call names no size. */
  readonly size: number;
  /** Harmless members that stand next to the records, where the form has room for them. */
  readonly facts: JsonObject;
}

export interface RecordAsked {
  /** Its number; that of a licence is its place. */
  readonly id: number;
  readonly table: string;
  readonly origin: string;
  readonly path: string;
  readonly root: string;
}

/** A way to answer listings, as a framework or a vendor does. */
export interface Form {
  readonly name: string;
  /** Who answers so. */
  readonly seenIn: string;
  readonly spelling: Spelling;
  /** What becomes of a field without a value. */
  readonly absent: 'omitted' | 'null';
  /** Its own size of a page; null where it gives all at once. */
  readonly size: number | null;
  /** There may be harmless members next to the records. @default false */
  readonly hasRoom?: boolean;
  /** @default application/json */
  readonly type?: string;
  /** Fewer players than that cannot be told from something else in this form. @default 0 */
  readonly least?: number;
  /** Its size of a page is always its own, and more players than that are cut without a word. @default no bound */
  readonly most?: number;
  /** The text of an id. @default its digits */
  readonly idText?: (id: number) => string;
  /** A record as it is in an answer; `fields` has its id as the form writes it. @default the fields */
  readonly record?: (fields: JsonObject, asked: RecordAsked) => JsonObject;
  /** Fields that have another name, for theirs means something else in this form. @default none */
  readonly renames?: Readonly<Record<string, string>>;
  /** Names that a record's own fields may be behind in a column: `attributes` of `attributes_name`. @default none */
  readonly below?: readonly string[];
  readonly answer: (asked: Asked) => Said;
  /** A price list that is one object. @default none: prices are a list */
  readonly single?: (record: JsonObject) => Said;
  /** What it answers where a listing is not paged. @default the records alone */
  readonly plain?: (asked: Asked) => Said;
}

export const bare = ({ rows }: Asked): Said => ({ body: [...rows] });

/** A part of a listing that a call asks for. */
export interface Part {
  readonly rows: readonly JsonObject[];
  readonly from: number;
  readonly size: number;
  readonly total: number;
  readonly isLast: boolean;
}

function whole(text: string | null, otherwise: number): number {
  return text !== null && /^\d{1,9}$/.test(text) ? Number(text) : otherwise;
}

export interface PartNames {
  /** The parameter that says where the part begins. */
  readonly at: string;
  /** That of its size. @default none: the server's own */
  readonly size?: string;
  /** The greatest size that may be requested. @default 100 */
  readonly most?: number;
}

/** The records from an offset on. */
export function partFrom({ rows, query, size: own }: Asked, { at, size: name, most = 100 }: PartNames): Part {
  const from = whole(query.get(at), 0);
  const size = Math.max(1, Math.min(most > own ? most : own, whole(query.get(name ?? ''), own)));
  return partOf(rows, from, size);
}

export function partOf(rows: readonly JsonObject[], from: number, size: number): Part {
  return {
    rows: rows.slice(from, from + size),
    from,
    size,
    total: rows.length,
    isLast: from + size >= rows.length,
  };
}

export interface PageNames extends PartNames {
  /** The number of the first page. @default 1 */
  readonly first?: number;
}

export interface NumberedPart extends Part {
  readonly number: number;
  /** At least one, as most frameworks count. */
  readonly pages: number;
  /** Not a page at all: `page=0` of pages that begin with 1, or a text. */
  readonly isInvalid: boolean;
}

/** The page of a number. */
export function pageOf(asked: Asked, names: PageNames): NumberedPart {
  const { first = 1, at, size: sizeName } = names;
  const { rows, query, size: own } = asked;
  const said = query.get(at);
  const number = whole(said, first);
  const isInvalid = said !== null && (!/^\d{1,9}$/.test(said) || number < first);
  const most = Math.max(names.most ?? 100, own);
  const size = Math.max(1, Math.min(most, whole(query.get(sizeName ?? ''), own)));
  const part = partOf(rows, Math.max(0, number - first) * size, size);
  return {
    ...part,
    number: Math.max(first, number),
    pages: Math.max(1, Math.ceil(rows.length / size)),
    isInvalid,
  };
}

const tokenOf = (from: number): string => Buffer.from(`{"after":${from},"v":1}`).toString('base64url');

/** The part behind a token, and the token of the next one; null where it is the last. */
export function tokenPart(
  asked: Asked,
  { at, size: name }: PartNames,
): Part & { readonly next: string | null } {
  const { rows, query, size: own } = asked;
  const said = query.get(at);
  const after =
    said === null || said === ''
      ? 0
      : Number(/\d+/.exec(Buffer.from(said, 'base64url').toString())?.[0] ?? 0);
  const size = Math.max(1, Math.min(100, whole(query.get(name ?? ''), own)));
  const part = partOf(rows, after, Math.max(size, own));
  return { ...part, next: part.isLast ? null : tokenOf(after + part.size) };
}

/** Whether a call names a token that this server never gave. */
export function isForeignToken({ query }: Asked, at: string): boolean {
  const said = query.get(at);
  return (
    said !== null && said !== '' && !/^\{"after":\d+,"v":1\}$/.test(Buffer.from(said, 'base64url').toString())
  );
}

/** The address of the same call with other parameters; null takes one away. */
export function linkTo(
  { origin, path, query }: Pick<Asked, 'origin' | 'path' | 'query'>,
  changes: Readonly<Record<string, string | number | null>>,
): string {
  const changed = new URLSearchParams(query);
  for (const [name, value] of Object.entries(changes)) {
    if (value === null) changed.delete(name);
    else changed.set(name, String(value));
  }
  const text = changed.toString();
  return `${origin}${path}${text === '' ? '' : `?${text}`}`;
}

/** The same without the origin. */
export function pathTo(
  asked: Pick<Asked, 'path' | 'query'>,
  changes: Readonly<Record<string, string | number | null>>,
): string {
  return linkTo({ ...asked, origin: '' }, changes);
}

/** What is listed by another name than that of its table. */
const OWN_NAMES: Readonly<Record<string, string>> = {
  backup_pricing: 'prices',
  backup_storages: 'backups',
  backup_slots: 'slots',
};

/** `PendingFileTransfers`, `pendingFileTransfers` */
export function listName(table: string, spelling: 'pascal' | 'camel' | 'snake' = 'camel'): string {
  const words = (OWN_NAMES[table] ?? table).split('_');
  if (spelling === 'snake') return words.join('_');
  return words
    .map((word, index) =>
      spelling === 'camel' && index === 0 ? word : word.charAt(0).toUpperCase() + word.slice(1),
    )
    .join('');
}
