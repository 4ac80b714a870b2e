/** A line of a CSV file that holds something. */
export type CsvLine = ReturnType<typeof csvLines>[number];

/**
 * The lines of a CSV file without its blank ones, each with its number from 1, as an editor counts. They are separated
 * by `,` or `;`, whichever the first line has. No cell holds a line break.
 */
export function csvLines(text: string) {
  const lines = text.replace(/^\uFEFF/, '').split(/\r\n|\n|\r/);
  const separator = (lines.find((line) => line.trim() !== '') ?? '').includes(';') ? ';' : ',';
  return lines.flatMap((line, index) => {
    const { cells, isOpen } = cellsOf(line, separator);
    return cells.every((cell) => cell === '') ? [] : [{ number: index + 1, cells, isOpen }];
  });
}

function cellsOf(line: string, separator: string) {
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
  // Open: a quote never ends.
  return { cells: [...cells, cell.trim()], isOpen: isQuoted };
}
