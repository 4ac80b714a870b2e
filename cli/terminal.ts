import stringWidth from 'string-width';

/** When colours are shown: on a terminal that has them and without NO_COLOR, always, or never. */
export const COLOR_CHOICES = ['auto', 'always', 'never'] as const;

let color: (typeof COLOR_CHOICES)[number] = 'auto';

/** Applies `--color`. */
export function chooseColor(when: (typeof COLOR_CHOICES)[number]): void {
  color = when;
}

/** The columns of the terminal behind a stream; Infinity without one, because files and programs take any width. */
export function terminalWidth(stream: NodeJS.WriteStream = process.stdout): number {
  return stream.isTTY ? stream.columns || 80 : Number.POSITIVE_INFINITY;
}

/** SGR codes. */
const STYLES = { good: '32', doubtful: '33', bad: '31', dim: '2' } as const;
export type Style = keyof typeof STYLES;

/** Noncharacters, which no text has: each marks a style until the text is shown, and counts for no width. */
const STARTS: readonly (readonly [string, Style])[] = [
  ['\uFDD0', 'good'],
  ['\uFDD1', 'doubtful'],
  ['\uFDD2', 'bad'],
  ['\uFDD3', 'dim'],
];
const END = '\uFDD4';
const MARKS = /[\uFDD0-\uFDD4]/g;

/** A text that `show` shows in that style. */
export function inStyle(style: Style, text: string): string {
  const [start = ''] = STARTS.find(([, each]) => each === style) ?? [];
  return `${start}${withoutMarks(text)}${END}`;
}

/** A text of a foreign server, without marks of styles. */
export function withoutMarks(text: string): string {
  return text.replace(MARKS, '\uFFFD');
}

/** The columns that a text takes when it is shown; its styles take none. */
export function widthOf(text: string): number {
  return stringWidth(text.replace(MARKS, ''));
}

/** A text with its styles for the terminal; without them if it shows no colours. */
export function painted(text: string): string {
  const has = color === 'always' || (color === 'auto' && process.stdout.isTTY && process.stdout.hasColors());
  return text.replace(MARKS, (mark) => {
    if (!has) return '';
    const style = STARTS.find(([start]) => start === mark)?.[1];
    return `\u001b[${style === undefined ? '0' : STYLES[style]}m`;
  });
}

const STYLE_OF: Readonly<Record<string, Style>> = {
  complete: 'good',
  ok: 'good',
  partial: 'doubtful',
  denied: 'doubtful',
  failed: 'bad',
  broken: 'bad',
};

/** A word for a state in its colour: complete and ok green, partial and denied yellow, failed red. */
export function stateWord(word: string): string {
  const style = STYLE_OF[word];
  return style === undefined ? word : inStyle(style, word);
}

/** The style of a cell that begins with a word for a state. */
export function styleOfState(cell: string): Style | undefined {
  return STYLE_OF[/^[a-z]+/.exec(cell)?.[0] ?? ''];
}
