import type * as z from 'zod';

/** A kind of source: an API with its settings, its secret and its listings. Each kind is a file of this folder. */
export interface Kind<Name extends string = string, Table extends string = string> {
  /** As the setting `kind` says it. */
  readonly kind: Name;
  /**
   * The records that have children: the word for one and for many, and the column that holds their id, in their own
   * table and in the tables of their children.
   */
  readonly parents: { readonly one: string; readonly many: string; readonly column: string };
  /** Defaults of settings that every source has. */
  readonly defaults: {
    readonly basePath: string;
    readonly concurrency: number;
    readonly requestsPerSecond: number;
  };
  /** The settings of this kind alone, with their defaults. */
  readonly settings: Readonly<z.ZodRawShape>;
  /**
   * Other values that `check` tries for a setting, such as `versions.slots`, where a path with that setting is missing.
   */
  readonly variants: Readonly<Record<string, readonly (string | number)[]>>;
  /** The forms of its secret: the key's name in the secret, and the header that carries the key. */
  readonly secret: Readonly<Record<string, KeyHeader>>;
  /** The form in which its listings are known to answer, all on one page. Nothing is noted about the size of such an answer. */
  readonly form: AnswerForm;
  /** Parents come before their children. */
  readonly listings: readonly Listing<Table>[];
  /** For how many parents `check` asks for the children. Some parents have none, so one is not enough. */
  readonly sampledParents: number;
  /** How many parents `estimate` assumes for an installation with so many players. */
  readonly parentsOf: (players: number) => number;
}

/** Where an answer has its records, and what else it has. */
export interface AnswerForm {
  /** As the setting `items` says it. */
  readonly items: string;
  /** The names of the members beside the records. */
  readonly beside: readonly string[];
}

export interface KeyHeader {
  /** In lower case. */
  readonly name: string;
  /** Stands before the key, `Bearer ` say. */
  readonly prefix: string;
}

export interface Listing<Table extends string = string> {
  /** The table that it feeds. */
  readonly name: Table;
  /** The API's own word for one record; `<word>Id` is a name that its id may have. */
  readonly record: string;
  /** The API's own word for the listing; an envelope may hold the records below it. */
  readonly listing: string;
  /** Below the source's basePath: `{apiVersion}` is that setting of the source, `{id}` the parent's id. */
  readonly path: string;
  /** Filled in like the path. */
  readonly query?: Readonly<Record<string, string>>;
  /** The listing whose every record is asked for this one. */
  readonly parent?: Table;
  /** The whole answer may be one record (a price list). @default false */
  readonly mayBeOneRecord?: boolean;
  /** Records come and go with every hour, so that a listing without them says nothing. @default false */
  readonly isQueue?: boolean;
}
