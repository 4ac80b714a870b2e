/** What the user says about one column, under the name that it has without `as`. */
export interface ColumnSetting {
  readonly type?: string;
  readonly format?: string;
  /** The name that it gets, such as `is_on`: that by which the views know it. */
  readonly as?: string;
  /** What the API's words mean: `{"ON": true, "STANDBY": false}`. */
  readonly values?: Readonly<Record<string, ValueMeaning>>;
  /** The API has it no more: that it has no values is nothing to ask about. */
  readonly gone?: boolean;
  /** The date of a change of meaning that is known: what changed until then is nothing to ask about. */
  readonly changed?: string;
}

/** What a word of the API means. */
type ValueMeaning = boolean | number | string;

/** What the user says about one listing where the answers do not decide. */
export interface ResourceSettings {
  /** Path below the origin in place of the default, `{id}` for the parent's id, for installations that renamed it. */
  readonly path?: string;
  /** Where the records are: `$` (bare array), a key path such as `data.items`, or `{}` for a map of objects. */
  readonly items?: string;
  /** The field that identifies a record. */
  readonly id?: string;
  /** How its pages are asked for, as paging-style.ts reads it. */
  readonly paging?: string;
  /** Members beside the records, and headers, that say nothing: by name, or by path where the name is not enough. */
  readonly ignore?: readonly string[];
  /** Texts with which a 404 or 410 says that the parent has no such records. */
  readonly none?: readonly string[];
  /** As many records as come without paging are all. */
  readonly complete?: boolean;
  readonly columns: Readonly<Record<string, ColumnSetting>>;
  /** API paths that become no column. */
  readonly drop: readonly string[];
  /** API paths whose values are replaced by a keyed hash. */
  readonly mask: readonly string[];
}
