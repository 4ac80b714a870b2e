import { ExportError } from '../errors.ts';
import { printableJson } from '../text.ts';

/** The fields of every line of a stage. They contain no secret and nothing from an API. */
export interface LogContext {
  readonly stage: string;
  readonly run?: string;
  readonly source?: string;
  /** AWS's name of the invocation. */
  readonly requestId?: string;
}

/**
 * Writes one line of JSON, for CloudWatch Logs Insights. A stage writes a few lines for each invocation, none
 * for a request. A line has counts, names and times, never a body.
 */
export function log(
  level: 'info' | 'warn' | 'error',
  message: string,
  fields: LogContext & Readonly<Record<string, unknown>>,
): void {
  const line = printableJson({ time: new Date().toISOString(), level, message, ...fields });
  process.stdout.write(`${line}\n`);
}

/** How many causes of causes are followed. */
const DEPTH = 4;

/**
 * An error as a log may hold it: its code, its message, where it was thrown, and its causes. It drops all
 * other properties, because HTTP clients put the request's headers there. For a foreign error it keeps only
 * the name: the message may quote a secret input.
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
