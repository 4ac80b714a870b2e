import type { ColumnType } from '../column-types.ts';

/** What the user says about one column, under the name that it has without `as`. */
export interface ColumnSetting {
  readonly type?: ColumnType;
  readonly format?: string;
  /** The name that it gets, such as `is_on`: the views know it by this name. */
  readonly as?: string;
  /** What the API's words mean: `{"ON": true, "STANDBY": false}`. */
  readonly values?: Readonly<Record<string, ValueMeaning>>;
  /** The API no longer has it: its lack of values is not a question. */
  readonly gone?: boolean;
  /** The date of a known change of meaning: changes until then are not a question. */
  readonly changed?: string;
}

/** What a word of the API means. */
type ValueMeaning = boolean | number | string;

/** What the user says about one listing if the answers do not decide. */
export interface ResourceSettings {
  /** Path below the origin instead of the default, `{id}` for the parent's id, for installations that renamed it. */
  readonly path?: string;
  /** Where the records are: `$` (bare array), a key path such as `data.items`, or `{}` for a map of objects. */
  readonly items?: string;
  /** The field that identifies a record. */
  readonly id?: string;
  /** How its pages are requested, as paging-style.ts reads it. */
  readonly paging?: string;
  /** Members next to the records, and headers, without a meaning: by name, or by path if the name is not enough. */
  readonly ignore?: readonly string[];
  /** Texts of a 404 or 410 that mean that the parent has no such records. */
  readonly none?: readonly string[];
  /** The records that come without paging are all. */
  readonly complete?: boolean;
  readonly columns: Readonly<Record<string, ColumnSetting>>;
  /** API paths without a column. */
  readonly drop: readonly string[];
  /** API paths with a keyed hash in place of their values. */
  readonly mask: readonly string[];
}
