import type { Cell, CellKind } from './report-data.ts';

/** A column of many rows, in a form that compresses well and reads fast. */
export type PackedColumn =
  /** Texts that repeat: each once, and for each row the number of its text. */
  | { readonly words: readonly string[]; readonly at: readonly (number | null)[] }
  /** Whole numbers as the difference from the row before: rows in the order of a time differ by little. */
  | { readonly steps: readonly (number | null)[] }
  | { readonly cells: readonly Cell[] };

const SECONDS_AN_HOUR = 3600;

/** Packs the cells of a column. Times and durations keep whole seconds, all other values are exact. */
export function packedColumn(cells: readonly Cell[], kind: CellKind): PackedColumn {
  if (kind === 'time' || kind === 'age') {
    return { steps: stepsOf(cells.map((cell) => (cell === null ? null : Date.parse(String(cell)) / 1000))) };
  }
  if (kind === 'hours')
    return { steps: stepsOf(cells.map((cell) => (cell === null ? null : Number(cell) * SECONDS_AN_HOUR))) };
  if (cells.some((cell) => cell !== null && typeof cell !== 'string')) return { cells };
  const numbers = new Map<string, number>();
  const at = cells.map((cell) => {
    if (cell === null) return null;
    const text = String(cell);
    const known = numbers.get(text) ?? numbers.size;
    numbers.set(text, known);
    return known;
  });
  return numbers.size > cells.length / 2 ? { cells } : { words: [...numbers.keys()], at };
}

/** The cells of a packed column. */
export function unpackedColumn(packed: PackedColumn, kind: CellKind): readonly Cell[] {
  if ('cells' in packed) return packed.cells;
  if ('words' in packed)
    return packed.at.map((index) => (index === null ? null : (packed.words[index] ?? null)));
  let last = 0;
  return packed.steps.map((step) => {
    if (step === null) return null;
    last += step;
    return kind === 'hours' ? last / SECONDS_AN_HOUR : new Date(last * 1000).toISOString();
  });
}

function stepsOf(values: readonly (number | null)[]): readonly (number | null)[] {
  let last = 0;
  return values.map((value) => {
    if (value === null) return null;
    const whole = Math.round(value);
    const step = whole - last;
    last = whole;
    return step;
  });
}
