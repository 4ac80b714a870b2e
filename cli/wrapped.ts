import { PROGRAM } from './program-name.ts';
import { widthOf } from './terminal.ts';

/** A text with lines that fit the width, broken between words. Commands stay whole, because people paste them. */
export function wrapped(text: string, width: number): string {
  return text
    .split('\n')
    .flatMap((line) => (isWhole(line, width) ? [line] : brokenLine(line, width)))
    .join('\n');
}

function isWhole(line: string, width: number): boolean {
  return line.length <= width || line.trimStart().startsWith(PROGRAM) || widthOf(line) <= width;
}

function brokenLine(line: string, width: number): readonly string[] {
  const indent = /^ */.exec(line)?.[0] ?? '';
  const lines: string[] = [];
  let current = '';
  for (const word of line.trimStart().split(' ')) {
    const longer = current === '' ? indent + word : `${current} ${word}`;
    if (current !== '' && widthOf(longer) > width) {
      lines.push(current);
      current = indent + word;
    } else current = longer;
  }
  return [...lines, current];
}
