import * as z from 'zod';

/** How one (resource, parent) of a run ended. */
export const OUTCOMES = ['ok', 'empty', 'gone', 'denied', 'failed'] as const;
export type Outcome = (typeof OUTCOMES)[number];

const text = z.string().nullable();
const count = z.number();

export const rawRow = z.object({
  /** The parent's id as text; null for a listing without parent. */
  parentId: text,
  /** From 0. */
  page: count,
  /** From 0 within the page. */
  slice: count,
  /** When the whole answer was there, by our clock. */
  answeredAt: z.date(),
  /** Null where no HTTP answer came. */
  status: count.nullable(),
  /** Tries for this page. */
  attempts: count,
  outcome: z.enum(OUTCOMES).nullable(),
  /** The error's code where the outcome is gone, denied or failed. */
  errorCode: text,
  message: text,
  /** Records in this slice. */
  items: count,
  /**
   * The place of the records in `body`, in code points: where the first begins and the last ends. So `[` +
   * body[from, to) + `]` is JSON. Both are null for a bare array and without records.
   */
  recordsFrom: count.nullable(),
  recordsTo: count.nullable(),
  /** UTF-8. Null where nothing is worth keeping (an error, no body). */
  body: text.transform((body): Buffer | null => (body === null ? null : Buffer.from(body))),
  /** The records as a JSON array that DuckDB reads correctly; null where `body` already is one. */
  mended: text,
});

/**
 * A row of a raw file: one slice of one page of an answer. Joined slices are the page's body byte for byte,
 * except `[secret]`. In a file only the last row of each (resource, parent) has an outcome.
 */
export type RawRow = Readonly<z.output<typeof rawRow>>;
