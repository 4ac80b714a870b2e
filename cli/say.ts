import { printable } from '#lib/text.ts';
import { type LogLine, logLine } from './log-file.ts';
import { painted, terminalWidth } from './terminal.ts';
import { wrapped } from './wrapped.ts';

/**
 * Writes a text, or an object as the JSON document of `--json`, to stdout, with a line feed. On a terminal a text is
 * broken between words; a document stays one line.
 */
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

/** Writes a text for a program to stdout as it is. */
export function put(text: string): void {
  process.stdout.write(text);
}

/** Writes everything else, such as progress, warnings and errors, to stderr, and to the log as that line. */
export function note(text: string, line: LogLine = lineOf(text)): void {
  logLine(line);
  // The line may have a progress bar.
  const afresh = process.stderr.isTTY ? '\r\u001b[K' : '';
  process.stderr.write(`${afresh}${wrapped(printable(text), terminalWidth(process.stderr))}\n`);
}

function lineOf(message: string): LogLine {
  return { level: message.startsWith('warning: ') ? 'warning' : 'info', message };
}
