import { openSync, writeSync } from 'node:fs';
import { errno } from '#lib/errors.ts';
import { printable, printableJson } from '#lib/text.ts';
import { notWritten } from './not-written.ts';

/** A line of the log, without its time. */
export type LogLine = { readonly level: 'info' | 'warning' | 'error' } & Readonly<Record<string, unknown>>;

interface OpenLog {
  readonly file: number;
  readonly path: string;
}

let log: OpenLog | undefined;

/** From now on every log line also goes to the end of that file. Throws LOG_NOT_WRITTEN. */
export function openLog(path: string): void {
  try {
    log = { path, file: openSync(path, 'a', 0o600) };
  } catch (cause) {
    throw notWritten(`--log-file ${path}`, 'LOG_NOT_WRITTEN', cause);
  }
}

/**
 * Adds a line to the log, one JSON object with its time, if a file for it has a name. An unwritable log does
 * not end the work: standard error says so once, and no further line is tried.
 */
export function logLine(line: LogLine): void {
  if (log === undefined) return;
  const { file, path } = log;
  try {
    writeSync(file, `${printableJson({ at: new Date().toISOString(), ...line })}\n`);
  } catch (error) {
    log = undefined;
    process.stderr.write(
      printable(
        `warning: --log-file ${path} gets no more lines (${errno(error)}): the work goes on without it.\n`,
      ),
    );
  }
}
