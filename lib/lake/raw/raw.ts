/** How one (resource, parent) of a run ended. */
export type Outcome = 'ok' | 'empty' | 'gone' | 'denied' | 'failed';

/**
 * A row of a raw file: one slice of one page of an answer. The bodies of a page's slices, joined, are the body
 * byte for byte, save `[secret]`. Exactly one row of a (resource, parent) in a file has an outcome: the last.
 */
export interface RawRow {
  /** The parent's id as text; null for a listing without parent. */
  readonly parentId: string | null;
  /** From 0. */
  readonly page: number;
  /** From 0 within the page. */
  readonly slice: number;
  /** When the answer had come whole, by our clock. */
  readonly answeredAt: Date;
  /** Null where no HTTP answer came. */
  readonly status: number | null;
  /** Calls made for this page, retries included. */
  readonly attempts: number;
  readonly outcome: Outcome | null;
  /** Code of the error where the outcome is gone, denied or failed. */
  readonly errorCode: string | null;
  readonly message: string | null;
  /** Records in this slice. */
  readonly items: number;
  /**
   * Where the records stand in `body`, in code points: the first one's beginning and the last one's end, so that
   * `[` + body[from, to) + `]` is JSON. Both null where the whole body is a bare array or there is no record.
   */
  readonly recordsFrom: number | null;
  readonly recordsTo: number | null;
  /** UTF-8. Null where nothing is worth keeping (an error, no body). */
  readonly body: Buffer | null;
  /** The records as a JSON array that DuckDB reads right; null where it reads those of `body` right by itself. */
  readonly mended: string | null;
}
