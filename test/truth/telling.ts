/** A row of a view, as it is read. */
export type Row = Readonly<Record<string, unknown>>;
/** Takes what is said and not true. */
export type Say = (text: string) => void;

/** Figures of hours and shares are rounded, and may be apart by that. */
export const EPSILON = 0.002;

export const sumOf = (rows: readonly Row[], column: string): number =>
  rows.reduce((sum, row) => sum + Number(row[column] ?? 0), 0);
