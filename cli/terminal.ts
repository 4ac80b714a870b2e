import stringWidth from 'string-width';
import { PROGRAM } from './program-name.ts';

/** When colours are shown: on a terminal that has them and without NO_COLOR, always, or never. */
export const COLOR_CHOICES = ['auto', 'always', 'never'] as const;

let color: (typeof COLOR_CHOICES)[number] = 'auto';

export function chooseColor(when: (typeof COLOR_CHOICES)[number]): void {
  color = when;
}

/** The columns of the terminal behind a stream; Infinity without one, because files and programs take any width. */
export function terminalWidth(stream: NodeJS.WriteStream = process.stdout): number {
  return stream.isTTY ? stream.columns || 80 : Number.POSITIVE_INFINITY;
}

/** Noncharacters, which no text has, mark a colour until the text is shown, and count for no width. */
const [GREEN, YELLOW, RED, END] = ['\uFDD0', '\uFDD1', '\uFDD2', '\uFDD3'];
const MARKS = /[\uFDD0-\uFDD3]/g;
const SGR: Readonly<Record<string, number>> = { [GREEN]: 32, [YELLOW]: 33, [RED]: 31, [END]: 0 };

/** A text of a foreign server, without marks of colours. */
export function withoutMarks(text: string): string {
  return text.replace(MARKS, '\uFFFD');
}

/** A text with its colours for the terminal; without them if it shows none. */
export function painted(text: string): string {
  const has = color === 'always' || (color === 'auto' && process.stdout.isTTY && process.stdout.hasColors());
  return text.replace(MARKS, (mark) => (has ? `\u001b[${SGR[mark]}m` : ''));
}

const COLOURS: Readonly<Record<string, string>> = {
  complete: GREEN,
  ok: GREEN,
  partial: YELLOW,
  denied: YELLOW,
  failed: RED,
  broken: RED,
};

/** A text that begins with a word for a state, in the colour of that; any other as it is. */
export function stateText(text: string): string {
  const mark = COLOURS[/^[a-z]+/.exec(text)?.[0] ?? ''];
  return mark === undefined ? text : `${mark}${withoutMarks(text)}${END}`;
}

/** A text with lines that fit the width, broken between words. Commands stay whole, because people paste them. */
export function wrapped(text: string, width: number): string {
  const lines = text.split('\n').flatMap((line) => {
    const own = line.trimStart();
    if (line.length <= width || own.startsWith(PROGRAM) || widthOf(line) <= width) return [line];
    const indent = line.slice(0, line.length - own.length);
    return inLines(own.split(/(?<= )/), width - indent.length).map((each) => indent + each.trimEnd());
  });
  return lines.join('\n');
}

const widthOf = (text: string) => stringWidth(text.replace(MARKS, ''));

/** Parts of a text as lines of at most that width. A wider part has a line of its own. */
export function inLines(parts: readonly string[], width: number): readonly string[] {
  const lines: string[] = [];
  for (const part of parts) {
    const longer = `${lines.at(-1) ?? ''}${part}`;
    if (lines.length > 0 && widthOf(longer.trimEnd()) <= width) lines[lines.length - 1] = longer;
    else lines.push(part);
  }
  return lines;
}
