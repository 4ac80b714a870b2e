import { openSync, writeSync } from 'node:fs';
import { errno } from '#lib/errors.ts';
import { printable, printableJson } from '#lib/text.ts';
import { notWritten } from './named-files.ts';
import { painted, terminalWidth, wrapped } from './terminal.ts';

/** Writes a text, broken between words on a terminal, or the JSON document of `--json`, which stays one line. */
export function say(said: string | object): void {
  const safe = printable(typeof said === 'string' ? said : JSON.stringify(said));
  const isDocument = /^[[{]/.test(safe);
  process.stdout.write(`${isDocument ? safe : wrapped(safe, terminalWidth(process.stdout))}\n`);
}

/** Writes the document with `--json`, and the text without. */
export function tell({ json }: { readonly json: boolean }, document: object, text: string): void {
  say(json ? document : text);
}

/** Shows a text to a person on stdout, with its colours and a line feed. */
export function show(text: string): void {
  process.stdout.write(`${painted(wrapped(printable(text), terminalWidth(process.stdout)))}\n`);
}

/** Writes everything else, such as progress, warnings and errors, to stderr, and to the log as that line. */
export function note(text: string, line?: LogLine): void {
  const level = text.startsWith('warning: ') ? 'warning' : 'info';
  logLine(line ?? { level, message: text });
  // The line may have a progress bar.
  const afresh = process.stderr.isTTY ? '\r\u001b[K' : '';
  process.stderr.write(`${afresh}${wrapped(printable(text), terminalWidth(process.stderr))}\n`);
}

/** A line of the log, without its time. */
type LogLine = { readonly level: 'info' | 'warning' | 'error' } & Readonly<Record<string, unknown>>;

let log: { readonly path: string; readonly file: number } | undefined;

/** From now on every log line also goes to the end of that file. Throws LOG_NOT_WRITTEN. */
export function openLog(path: string): void {
  try {
    log = { path, file: openSync(path, 'a', 0o600) };
  } catch (cause) {
    throw notWritten(`--log-file ${path}`, 'LOG_NOT_WRITTEN', cause);
  }
}

/** Adds a line to the log, one JSON object with its time. An unwritable log does not end the work, and is said once. */
export function logLine(line: LogLine): void {
  if (log === undefined) return;
  const { file, path } = log;
  try {
    writeSync(file, `${printableJson({ at: new Date().toISOString(), ...line })}\n`);
  } catch (error) {
    log = undefined;
    note(`warning: --log-file ${path} gets no more lines (${errno(error)}): the work goes on without it.`);
  }
}
