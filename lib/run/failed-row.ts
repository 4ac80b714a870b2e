import { CallRefused } from '../api/call/call.ts';
import type { ExportError } from '../errors.ts';
import type { RawRow } from '../lake/raw/raw.ts';

/**
 * The raw row of an item without an answer, because the API refuses the whole source. It counts the item's
 * own calls.
 */
export function failedRow(parentId: string | null, error: ExportError, now: Date): RawRow {
  const { attempts, status } = error instanceof CallRefused ? error : NOT_ASKED;
  return {
    parentId,
    page: 0,
    slice: 0,
    answeredAt: now,
    status,
    attempts,
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

const NOT_ASKED = { attempts: 0, status: null };
