import type * as z from 'zod';

/** A kind of source: an API with its settings, its secret and its listings. Each kind is a file of this folder. */
export interface Kind<Name extends string = string, Table extends string = string> {
  /** As the setting `kind` says it. */
  readonly kind: Name;
  /** What the listing with children lists: in words, and the column that holds its id in its own table and theirs. */
  readonly parents: { readonly one: string; readonly many: string; readonly column: string };
  /** Of settings that every source has. */
  readonly defaults: {
    readonly basePath: string;
    readonly concurrency: number;
    readonly requestsPerSecond: number;
  };
  /** The settings of this kind alone, with their defaults. */
  readonly settings: Readonly<z.ZodRawShape>;
  /** What `check` tries in place of a setting, `versions.slots` say, where a path with it is missing. */
  readonly variants: Readonly<Record<string, readonly (string | number)[]>>;
  /** The forms of its secret: the key's name in the secret, and the header that carries the key. */
  readonly secret: Readonly<Record<string, KeyHeader>>;
  /** Parents come before their children. */
  readonly listings: readonly Listing<Table>[];
  /** Parents whose children `check` asks for; some of them have none. */
  readonly sampledParents: number;
  /** Parents that `estimate` takes for an installation of so many players. */
  readonly parentsOf: (players: number) => number;
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
