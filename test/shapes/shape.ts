import type { Meaning } from './words.ts';

export type Vocabulary = 'plain' | 'real';
export type Wrapping =
  | 'bare'
  | 'member'
  | 'nested'
  | 'deep'
  | 'map'
  | 'map-in-member'
  /** Each record below a word of its own. */
  | 'wrapped'
  /** The list below the one entry of another. */
  | 'level'
  /** Rows of values next to the names of their columns. */
  | 'rows';
export type Style = 'all' | 'link' | 'next' | 'token' | 'page' | 'offset';
/** The place of what is said of paging: a header, next to the list, below an object next to it, or the root. */
export type Where = 'header' | 'beside' | 'below' | 'deep-below' | 'root';
/** How a parent's listing says that it has no record. */
export type Empty = 'list' | 'object' | 'text' | 'null' | 'false' | 'absent' | 'count';
/** Ids as they come: under a name, as text, as `1.0` and `1e3`, below a level, and in a link alone. */
export type IdForm =
  | 'Id'
  | 'id'
  | 'PlayerId'
  | 'guid'
  | 'text'
  | 'point'
  | 'exponent'
  | 'below'
  | 'oid'
  | 'link';
/** `minus`: the token behind the last page is -1. */
export type EndRule = 'null' | 'absent' | 'blank' | 'more-false' | 'stale' | 'minus';

/** How one API answers its listings, in a way that a framework, vendor or proxy in use does. */
export interface Shape {
  readonly wrapping: Wrapping;
  /** Names of the members on the way to the records. */
  readonly path: readonly string[];
  readonly style: Style;
  readonly where: Where;
  /** Names of the objects that hold the paging. */
  readonly below: readonly string[];
  readonly vocabulary: Vocabulary;
  readonly words: Readonly<Record<Meaning, string>>;
  /** What numbered pages say of themselves. */
  readonly says: readonly Meaning[];
  readonly end: EndRule;
  /** The query parameters by which pages are requested, and their size. */
  readonly param: string;
  readonly firstPage: 0 | 1;
  readonly pageSize: number;
  /** A total that counts the page alone, as that of a public signage server. */
  readonly ownTotal: boolean;
  /** What is answered behind the last page. */
  readonly beyond: 'empty' | 'refused';
  /** What an unknown parameter does: nothing, or no record passes it (json-server, PostgREST), or the call is refused. */
  readonly unknown: 'ignored' | 'filter' | 'refused';
  readonly numbers: 'number' | 'text' | 'thousands';
  readonly flags: 'boolean' | 'word' | 'number' | 'letter';
  readonly link: 'absolute' | 'relative' | 'query' | 'object';
  readonly id: IdForm;
  /** Of children. */
  readonly empty: Empty;
  /** A listing of one child is the bare record. */
  readonly isOneBare: boolean;
  readonly idle: readonly number[];
  readonly idleHeaders: readonly number[];
  /** Records on each of two days. */
  readonly counts: readonly [number, number];
  /** On the second day the first answer says that it failed, with so many of its records. */
  readonly error: { readonly kind: number; readonly keeps: 'none' | 'some' | 'all' } | null;
  /** A member that only the second day has. */
  readonly late: number | null;
  /** Of numbered pages: the Link header names the last one, and none else tells how many there are. */
  readonly linksLast: boolean;
}
