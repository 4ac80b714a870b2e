import { printable } from '#lib/text.ts';
import { type LogLine, logLine } from './log-file.ts';
import { painted, terminalWidth } from './terminal.ts';
import { wrapped } from './wrapped.ts';

/**
 * Says a text, or the JSON document of `--json`, on stdout, with a line feed behind it. On a terminal a text is broken
 * between words; a document stays one line.
 */
export function say(text: string): void {
  const safe = printable(text);
  const isDocument = /^[[{]/.test(safe);
  process.stdout.write(`${isDocument ? safe : wrapped(safe, terminalWidth(process.stdout))}\n`);
}

/** Shows a text to a person on stdout, in the colours that it asks for, with a line feed behind it. */
export function show(text: string): void {
  process.stdout.write(`${painted(wrapped(printable(text), terminalWidth(process.stdout)))}\n`);
}

/** Gives a text to a program as it is, on stdout. */
export function put(text: string): void {
  process.stdout.write(text);
}

/** Says what is no result, such as progress, warnings and errors, on stderr, and in the log as that line. */
export function note(text: string, line: LogLine = lineOf(text)): void {
  logLine(line);
  // A progress bar may stand in the line.
  const afresh = process.stderr.isTTY ? '\r\u001b[K' : '';
  process.stderr.write(`${afresh}${wrapped(printable(text), terminalWidth(process.stderr))}\n`);
}

function lineOf(message: string): LogLine {
  return { level: message.startsWith('warning: ') ? 'warning' : 'info', message };
}
