import { ExportError } from '../errors.ts';

/** The default limit of a query: large ones take a minute. */
export const QUERY_SECONDS = 600;

/** The error of a query that took longer than the limit. */
export function queryStopped(limitSeconds: number, cause?: unknown): ExportError {
  return new ExportError({
    code: 'QUERY_STOPPED',
    message: `The query was stopped after ${limitSeconds} s. Query less, for example with a WHERE on export_date, or allow more time with --timeout SECONDS.`,
    cause,
  });
}
