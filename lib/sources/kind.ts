import type * as z from 'zod';

/** A kind of source: an API with its settings, its secret and its listings. Each kind is a file of this folder. */
export interface Kind<Name extends string = string, Table extends string = string> {
  /** As in the setting `kind`. */
  readonly kind: Name;
  /**
   * The records with children: the word for one and for many, and the column with their id. Their own table
   * and their children's tables have it.
   */
  readonly parents: { readonly one: string; readonly many: string; readonly column: string };
  /** Defaults of settings that every source has. */
  readonly defaults: {
    readonly basePath: string;
    readonly concurrency: number;
    readonly requestsPerSecond: number;
  };
  /** The settings of only this kind, with their defaults. */
  readonly settings: Readonly<z.ZodRawShape>;
  /**
   * Other values that `check` tries for a setting, such as `versions.slots`, if a path with it is missing.
   */
  readonly variants: Readonly<Record<string, readonly (string | number)[]>>;
  /** The forms of its secret: the key's name in the secret, and the header that carries the key. */
  readonly secret: Readonly<Record<string, KeyHeader>>;
  /** The usual form of its answers, all on one page. The size of such an answer causes no note. */
  readonly form: AnswerForm;
  /** Parents come before their children. */
  readonly listings: readonly Listing<Table>[];
  /** The number of parents that `check` requests children for: one is not enough, because some have none. */
  readonly sampledParents: number;
  /** The number of parents that `estimate` assumes for an installation with so many players. */
  readonly parentsOf: (players: number) => number;
}

/** Where an answer has its records, and what else it has. */
export interface AnswerForm {
  /** As in the setting `items`. */
  readonly items: string;
  /** The names of the members next to the records. */
  readonly beside: readonly string[];
}

export interface KeyHeader {
  /** In lower case. */
  readonly name: string;
  /** The text before the key, such as `Bearer `. */
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
  /** The parent listing: each of its records has one of this listing. */
  readonly parent?: Table;
  /** The whole answer may be one record (a price list). @default false */
  readonly mayBeOneRecord?: boolean;
  /** Records come and go with every hour, so that an empty listing says nothing. @default false */
  readonly isQueue?: boolean;
}
