import type { ExportError } from '../errors.ts';
import type { RawRow } from '../lake/raw.ts';

/** The raw row of an item that was not asked for, because the API refuses its whole source. */
export function failedRow(parentId: string | null, error: ExportError, now: Date): RawRow {
  return {
    parentId,
    page: 0,
    slice: 0,
    answeredAt: now,
    status: null,
    attempts: 0,
    outcome: 'failed',
    errorCode: error.code,
    message: error.message,
    items: 0,
    recordsFrom: null,
    recordsTo: null,
    body: null,
    mended: null,
  };
}
