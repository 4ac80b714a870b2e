/** How one (resource, parent) of a run ended. */
export type Outcome = 'ok' | 'empty' | 'gone' | 'denied' | 'failed';

/** `recordsTo` of a row without body that counts records: a purge has cut them out of the next row. */
export const PURGED_TO = 0;

/**
 * A row of a raw file: one slice of one page of an answer. Joined slices are the page's body byte for byte,
 * except `[secret]`. In a file only the last row of each (resource, parent) has an outcome.
 */
export interface RawRow {
  /** The parent's id as text; null for a listing without parent. */
  readonly parentId: string | null;
  /** From 0. */
  readonly page: number;
  /** From 0 within the page. */
  readonly slice: number;
  /** When the whole answer was there, by our clock. */
  readonly answeredAt: Date;
  /** Null where no HTTP answer came. */
  readonly status: number | null;
  /** Tries for this page. */
  readonly attempts: number;
  readonly outcome: Outcome | null;
  /** The error's code where the outcome is gone, denied or failed. */
  readonly errorCode: string | null;
  readonly message: string | null;
  /** Records in this slice. */
  readonly items: number;
  /**
   * The place of the records in `body`, in code points: where the first begins and the last ends. So `[` +
   * body[from, to) + `]` is JSON. Both are null for a bare array and without records.
   */
  readonly recordsFrom: number | null;
  readonly recordsTo: number | null;
  /** UTF-8. Null where nothing is worth keeping (an error, no body). */
  readonly body: Buffer | null;
  /** The records as a JSON array that DuckDB reads correctly; null where `body` already is one. */
  readonly mended: string | null;
}
