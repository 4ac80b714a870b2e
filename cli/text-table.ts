import stringWidth from 'string-width';
import { counted, printableCell } from '#lib/text.ts';
import { inLines, stateText, terminalWidth, withoutMarks } from './terminal.ts';

export interface TableOptions {
  /** In columns of the terminal. @default the terminal's, without limit elsewhere */
  readonly width?: number;
  /** The heads of columns with coloured words for states. */
  readonly states?: readonly string[];
  /** The heads of columns that are never cut, because people paste their texts. */
  readonly whole?: readonly string[];
  readonly more?: string;
}

const GAP = 2;
/** A text cell is not cut to less; a column without room for it is left out. */
const LEAST = 12;
/** The first column says what a row is about. */
const LEAST_FIRST = 24;
const TIME = /^\d{4}-\d\d-\d\d([T ][\d:.]+Z?)?$/;

type Column = ReturnType<typeof tableColumn>;

/** Rows as a table of that width: texts are cut with …, numbers are not. Columns without room are named below. */
export function textTable(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  { width = terminalWidth(), states = [], whole = [], more }: TableOptions = {},
): string {
  const columns = head.map((name, index) => {
    const least = whole.includes(name) ? Number.POSITIVE_INFINITY : index === 0 ? LEAST_FIRST : 0;
    const texts = [name, ...rows.map((row) => row[index] ?? '')];
    return tableColumn(
      texts.map((text) => withoutMarks(printableCell(text))),
      least,
    );
  });
  const shown = withWidths(columns, width);
  const line = (cells: readonly string[], coloured: readonly string[] = []) =>
    shown
      .map((column, index) => {
        const cut = cutTo(cells[index] ?? '', column.width);
        const blank = ' '.repeat(Math.max(0, column.width - stringWidth(cut)));
        const word = coloured.includes(column.head) ? stateText(cut) : cut;
        return column.isNumeric ? blank + word : word + blank;
      })
      .join(' '.repeat(GAP))
      .trimEnd();
  const heads = shown.map(({ head, width }) =>
    inLines(headParts(head), width).map((each) => cutTo(each, width)),
  );
  const high = Math.max(0, ...heads.map(({ length }) => length));
  const left = columns.slice(shown.length).map((column) => column.head);
  const hint = more === undefined ? '' : ` (${more})`;
  return [
    ...Array.from({ length: high }, (_, at) =>
      line(heads.map((parts) => parts[at - high + parts.length] ?? '')),
    ),
    ...rows.map((_, row) =>
      line(
        shown.map(({ cells }) => cells[row] ?? ''),
        states,
      ),
    ),
    ...(left.length === 0
      ? []
      : [cutTo(`… ${counted(left.length, 'more column')}${hint}: ${left.join(', ')}`, width)]),
  ].join('\n');
}

/** Lines of a head are broken after `_`, because many heads begin alike. */
function headParts(head: string): readonly string[] {
  return head.match(/[^_]*_+|[^_]+/g) ?? [head];
}

/** A column with its whole width, and the least to which it is cut: at least `least`, if it has so much. */
function tableColumn([head = '', ...cells]: readonly string[], least: number) {
  const widest = (all: readonly string[]) => all.reduce((most, each) => Math.max(most, stringWidth(each)), 0);
  const isNumeric = cells.every((cell) => /^-?[\d.,% ]*$/.test(cell));
  const isWhole = isNumeric || cells.every((cell) => cell === '' || TIME.test(cell));
  const width = widest([head, ...cells]);
  const own = isWhole ? Math.max(widest(cells), Math.min(widest(headParts(head)), LEAST)) : LEAST;
  return { head, cells, isNumeric, width, least: Math.min(width, Math.max(own, least)) };
}

/** The first columns that have room, at least one. The widest are cut to the same width until all have room. */
function withWidths(columns: readonly Column[], width: number): readonly Column[] {
  let used = -GAP;
  const fitting = columns.findIndex(({ least }) => {
    used += least + GAP;
    return used > width;
  });
  const shown = fitting === -1 ? columns : columns.slice(0, Math.max(1, fitting));
  const room = width - GAP * (shown.length - 1);
  let cap = Math.max(0, ...shown.map((column) => column.width));
  const capped = (column: Column) => Math.min(column.width, Math.max(cap, column.least));
  while (cap > 0 && shown.reduce((sum, column) => sum + capped(column), 0) > room) cap -= 1;
  return shown.map((column) => ({ ...column, width: capped(column) }));
}

/** A text of at most that width, with … if it was cut. */
function cutTo(text: string, width: number): string {
  if (stringWidth(text) <= width) return text;
  let cut = '';
  for (const { segment } of new Intl.Segmenter().segment(text)) {
    if (stringWidth(cut) + stringWidth(segment) > width - 1) break;
    cut += segment;
  }
  return `${cut.trimEnd()}…`;
}
