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

/** How a framework spells its members, and what becomes of those without a value. */
export const CAMEL = { spelling: 'camel', absent: 'null' } as const;
export const CAMEL_SHORT = { spelling: 'camel', absent: 'omitted' } as const;
export const SNAKE = { spelling: 'snake', absent: 'null' } as const;
export const PASCAL_SHORT = { spelling: 'pascal', absent: 'omitted' } as const;

export type Listing = Pick<Asked, 'rows' | 'table' | 'facts'>;

export const bare = ({ rows }: Pick<Asked, 'rows'>): Said => ({ body: rows });

/** Records below a name, between other members. */
export function listed<Of extends Listing>(
  name: string | ((of: Of) => string),
  before: (of: Of) => JsonObject = () => ({}),
  behind: (of: Of) => JsonObject = () => ({}),
): (of: Of) => Said {
  return (of) => {
    const list = { [typeof name === 'string' ? name : name(of)]: of.rows };
    return { body: { ...of.facts, ...before(of), ...list, ...behind(of) } };
  };
}

/** A part of a listing that a call asks for. */
export interface Part extends Asked {
  readonly from: number;
  readonly total: number;
  readonly isLast: boolean;
  /** The number of its page. */
  readonly number: number;
  /** At least one, as most frameworks count. */
  readonly pages: number;
  /** As many, but none where there is no record. */
  readonly counted: number;
  /** The address of the part with that number, offset or token. */
  readonly to: (value: string | number) => string;
  /** The addresses of its neighbours, and the token of the next one. */
  readonly next: string | null;
  readonly previous: string | null;
  readonly token: string | null;
}

interface PartNames {
  /** The parameter that says where the part begins. */
  readonly at: string;
  /** That of its size. @default none: the server's own */
  readonly size?: string;
  /** The greatest size that may be requested. @default 100 */
  readonly most?: number;
  /** Addresses name the size too. @default false */
  readonly isSized?: boolean;
}

interface PageNames extends PartNames {
  /** The number of the first page. @default 1 */
  readonly first?: number;
}

type Answer = Form['answer'];

/** Parts that are requested by a page's number. */
export function numbered({ first = 1, ...names }: PageNames, say: (part: Part) => Said): Answer {
  return (asked) => {
    const number = Math.max(first, whole(asked.query.get(names.at), first));
    const size = sizeOf(asked, names);
    const part = partOf(asked, names, { from: (number - first) * size, size });
    const next = part.isLast ? null : part.to(number + 1);
    return say({ ...part, number, next, previous: number > first ? part.to(number - 1) : null });
  };
}

/** Parts that are requested by an offset. */
export function parted(names: PartNames, say: (part: Part) => Said): Answer {
  return (asked) => {
    const from = whole(asked.query.get(names.at), 0);
    const size = sizeOf(asked, names);
    const part = partOf(asked, names, { from, size });
    const next = part.isLast ? null : part.to(from + size);
    return say({ ...part, next, previous: from > 0 ? part.to(Math.max(0, from - size)) : null });
  };
}

const tokenOf = (from: number): string => Buffer.from(`{"after":${from},"v":1}`).toString('base64url');

/** Parts that are requested by a token, of which nobody asks for fewer records than the server gives. */
export function tokened(names: PartNames, say: (part: Part) => Said): Answer {
  return (asked) => {
    const said = Buffer.from(asked.query.get(names.at) ?? '', 'base64url').toString();
    const from = Number(/\d+/.exec(said)?.[0] ?? 0);
    const part = partOf(asked, names, { from, size: Math.max(sizeOf(asked, names), asked.size) });
    const token = part.isLast ? null : tokenOf(from + part.size);
    return say({ ...part, token, next: token === null ? null : part.to(token) });
  };
}

function whole(text: string | null, otherwise: number): number {
  return text !== null && /^\d{1,9}$/.test(text) ? Number(text) : otherwise;
}

function sizeOf({ query, size }: Asked, { size: name = '', most = 100 }: PartNames): number {
  return Math.max(1, Math.min(Math.max(most, size), whole(query.get(name), size)));
}

function partOf(
  asked: Asked,
  { at, size: name, isSized }: PartNames,
  { from, size }: { readonly from: number; readonly size: number },
): Part {
  const total = asked.rows.length;
  const pages = Math.max(1, Math.ceil(total / size));
  const sized = isSized && name !== undefined ? { [name]: size } : {};
  return {
    ...{ ...asked, from, size, total, pages, rows: asked.rows.slice(from, from + size) },
    ...{ isLast: from + size >= total, counted: total === 0 ? 0 : pages, number: 0 },
    ...{ to: (value) => linkTo(asked, { [at]: value, ...sized }), next: null, previous: null, token: null },
  };
}

/** An address without its origin. */
export const pathOf = ({ origin }: Asked, address: string | null): string | null =>
  address?.slice(origin.length) ?? null;

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
