import stringWidth from 'string-width';
import { counted, printableCell } from '#lib/text.ts';
import { inStyle, styleOfState, terminalWidth, withoutMarks } from './terminal.ts';

export interface TableOptions {
  /** In columns of the terminal. @default the terminal's, without limit elsewhere */
  readonly width?: number;
  /** The heads of columns with coloured words for states. */
  readonly states?: readonly string[];
  /** The heads of columns that are never cut, because people paste their texts. */
  readonly whole?: readonly string[];
  /** How to see the columns without room. */
  readonly more?: string;
}

/** Between two columns. */
const GAP = 2;
/** A text cell is not cut to less; a column without room for it is left out. */
const LEAST = 12;
/** The first column says what a row is about. */
const LEAST_FIRST = 24;

/** A part of it says nothing. */
const TIME = /^\d{4}-\d\d-\d\d([T ][\d:.]+Z?)?$/;

interface Column {
  readonly head: string;
  readonly cells: readonly string[];
  readonly isNumeric: boolean;
  readonly width: number;
  /** The width that it keeps uncut. */
  readonly least: number;
}

/**
 * Rows as a text table that fits the width. Each row is a line; texts are cut with …, numbers are not, and
 * are on the right. Columns without room are named below the table.
 */
export function textTable(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  { width = terminalWidth(), states = [], whole = [], more }: TableOptions = {},
): string {
  const columns = head.map((name, index) => {
    const column = columnOf(
      name,
      rows.map((row) => row[index] ?? ''),
    );
    const least = whole.includes(name) ? column.width : index === 0 ? LEAST_FIRST : column.least;
    return { ...column, least: Math.min(column.width, Math.max(column.least, least)) };
  });
  const shown = columnsWithin(columns, width);
  const widths = widthsWithin(shown, width);
  const line = (cells: readonly string[], isHead = false) =>
    cells
      .map((cell, index) => {
        const column = shown[index];
        const cut = cutTo(cell, widths[index] ?? 0);
        const blank = ' '.repeat(Math.max(0, (widths[index] ?? 0) - stringWidth(cut)));
        const style = !isHead && states.includes(column?.head ?? '') ? styleOfState(cut) : undefined;
        const word = style === undefined ? cut : inStyle(style, cut);
        return column?.isNumeric ? blank + word : word + blank;
      })
      .join(' '.repeat(GAP))
      .trimEnd();
  const lines = rows.map((_, row) => line(shown.map(({ cells }) => cells[row] ?? '')));
  const heads = shown.map(({ head: text }, index) => headLines(text, widths[index] ?? 0));
  const high = Math.max(0, ...heads.map(({ length }) => length));
  const headLine = (at: number) => heads.map((parts) => parts[at - high + parts.length] ?? '');
  const left = columns.slice(shown.length).map((column) => column.head);
  const said = `… ${counted(left.length, 'more column')}`;
  const hint = more === undefined ? said : `${said} (${more})`;
  return [
    ...Array.from({ length: high }, (_, at) => line(headLine(at), true)),
    ...lines,
    ...(left.length === 0 ? [] : [cutTo(`${hint}: ${left.join(', ')}`, width)]),
  ].join('\n');
}

/** A head as lines of at most that width: broken after `_`, because many begin alike. A wider part is cut. */
function headLines(head: string, width: number): readonly string[] {
  if (stringWidth(head) <= width) return [head];
  const lines: string[] = [];
  for (const part of partsOf(head)) {
    const longer = `${lines.at(-1) ?? ''}${part}`;
    if (lines.length > 0 && stringWidth(longer) <= width) lines[lines.length - 1] = longer;
    else lines.push(part);
  }
  return lines.map((each) => cutTo(each, width));
}

function partsOf(head: string): readonly string[] {
  return head.match(/[^_]*_+|[^_]+/g) ?? [head];
}

function columnOf(name: string, texts: readonly string[]): Column {
  const head = withoutMarks(printableCell(name));
  const cells = texts.map((text) => withoutMarks(printableCell(text)));
  const isNumeric = cells.every((cell) => /^-?[\d.,% ]*$/.test(cell));
  const isWhole = isNumeric || cells.every((cell) => cell === '' || TIME.test(cell));
  const inCells = cells.reduce((most, cell) => Math.max(most, stringWidth(cell)), 0);
  const width = Math.max(stringWidth(head), inCells);
  const inHead = Math.max(0, ...partsOf(head).map((part) => stringWidth(part)));
  return {
    head,
    cells,
    isNumeric,
    width,
    least: Math.min(width, isWhole ? Math.max(inCells, Math.min(inHead, LEAST)) : LEAST),
  };
}

/** The first columns that have room, at least one. */
function columnsWithin(columns: readonly Column[], width: number): readonly Column[] {
  let used = 0;
  const count = columns.findIndex(({ least }, index) => {
    used += least + (index === 0 ? 0 : GAP);
    return used > width;
  });
  return count === -1 ? columns : columns.slice(0, Math.max(1, count));
}

/** The widths of the columns. The widest ones are cut to the same width until all have room. */
function widthsWithin(columns: readonly Column[], width: number): readonly number[] {
  const room = width - GAP * (columns.length - 1);
  const capped = (cap: number) =>
    columns.map((column) => Math.min(column.width, Math.max(cap, column.least)));
  const total = (widths: readonly number[]) => widths.reduce((sum, each) => sum + each, 0);
  let cap = Math.max(0, ...columns.map((column) => column.width));
  while (cap > 0 && total(capped(cap)) > room) cap -= 1;
  return capped(cap);
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
