/** A line of a CSV file that holds something. */
export interface CsvLine {
  /** From 1, as an editor counts. */
  readonly number: number;
  readonly cells: readonly string[];
  /** A quote that never ends. */
  readonly isOpen: boolean;
}

/** The lines of a CSV file without its blank ones, separated by `,` or `;`, whichever its first line has. No cell holds a line break. */
export function csvLines(text: string): readonly CsvLine[] {
  const lines = text.replace(/^\uFEFF/, '').split(/\r\n|\n|\r/);
  const separator = (lines.find((line) => line.trim() !== '') ?? '').includes(';') ? ';' : ',';
  return lines.flatMap((line, index) => {
    const { cells, isOpen } = cellsOf(line, separator);
    return cells.every((cell) => cell === '') ? [] : [{ number: index + 1, cells, isOpen }];
  });
}

function cellsOf(line: string, separator: string): Pick<CsvLine, 'cells' | 'isOpen'> {
  const cells: string[] = [];
  let cell = '';
  let isQuoted = false;
  for (let at = 0; at < line.length; at++) {
    const char = line[at] ?? '';
    if (isQuoted && char === '"' && line[at + 1] === '"') {
      cell += '"';
      at++;
    } else if (char === '"' && (isQuoted || cell.trim() === '')) {
      isQuoted = !isQuoted;
    } else if (char === separator && !isQuoted) {
      cells.push(cell.trim());
      cell = '';
    } else {
      cell += char;
    }
  }
  return { cells: [...cells, cell.trim()], isOpen: isQuoted };
}
