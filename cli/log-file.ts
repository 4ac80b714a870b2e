import { openSync, writeSync } from 'node:fs';
import { UsageError } from '#lib/errors.ts';
import { printableJson } from '#lib/printable.ts';

let file: number | undefined;

/** From now on every line of the log goes to the end of that file, too. Throws UsageError LOG_NOT_WRITTEN. */
export function openLog(path: string): void {
  try {
    file = openSync(path, 'a', 0o600);
  } catch (cause) {
    throw new UsageError(
      `--log-file ${path} cannot be written (${(cause as NodeJS.ErrnoException).code}): name a file in a folder that exists.`,
      'LOG_NOT_WRITTEN',
      cause,
    );
  }
}

/** A line of the log: one JSON object with its time, where a file for it was named. */
export function logLine(
  line: { readonly level: 'info' | 'warning' | 'error' } & Record<string, unknown>,
): void {
  if (file !== undefined) writeSync(file, `${printableJson({ at: new Date().toISOString(), ...line })}\n`);
}
