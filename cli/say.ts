import { printable } from '#lib/printable.ts';
import { painted } from './terminal.ts';

/** Says a text, or the JSON document of `--json`, on stdout, with a line feed behind it. */
export function say(text: string): void {
  process.stdout.write(`${printable(text)}\n`);
}

/** Shows a text to a person on stdout, in the colours that it asks for, with a line feed behind it. */
export function show(text: string): void {
  process.stdout.write(`${painted(printable(text))}\n`);
}

/** Gives a text to a program as it is, on stdout. */
export function put(text: string): void {
  process.stdout.write(text);
}

/** Says what is no result, such as progress, warnings and errors, on stderr. */
export function note(text: string): void {
  process.stderr.write(`${printable(text)}\n`);
}
