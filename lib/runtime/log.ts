import { ExportError } from '../errors.ts';
import { printableJson } from '../text.ts';

/** What every line of a stage carries; none of it is secret and none comes from an API. */
export interface LogContext {
  readonly stage: string;
  readonly run?: string;
  readonly source?: string;
  /** Of the invocation, as AWS calls it. */
  readonly requestId?: string;
}

/**
 * Writes one line of JSON, for CloudWatch Logs Insights. A stage writes a few an invocation and none a request, and
 * never gives it a body: counts, names and times.
 */
export function log(
  level: 'info' | 'warn' | 'error',
  message: string,
  fields: LogContext & Readonly<Record<string, unknown>>,
): void {
  const line = printableJson({ time: new Date().toISOString(), level, message, ...fields });
  process.stdout.write(`${line}\n`);
}

/** How often causes are followed. */
const DEPTH = 4;

/**
 * An error as a log may hold it: its code, message and where it was thrown, and the same of its causes. No
 * other property: errors of HTTP clients hold the request with its headers. Of an error that is not ours only the
 * name is kept, for its message may quote what it was given.
 */
export function describeError(error: unknown, depth = DEPTH): Readonly<Record<string, unknown>> {
  if (!(error instanceof Error)) return { name: typeof error };
  const cause =
    error.cause !== undefined && depth > 0 ? { cause: describeError(error.cause, depth - 1) } : {};
  const at = (error.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line));
  const where = { at: at.slice(0, 5).map((line) => line.trim()) };
  if (!(error instanceof ExportError)) return { name: error.name, ...where, ...cause };
  return { code: error.code, says: error.message, ...where, ...cause };
}
