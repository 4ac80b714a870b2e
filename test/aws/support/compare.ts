/** Rows in the order of their text, in which engines agree: numbers and times are written by each in its way. */
export function rowsAsText(rows: readonly (readonly unknown[])[]): readonly string[] {
  return rows.map((row) => row.map(plain).join(' | ')).sort();
}

function plain(value: unknown): string {
  if (value === null || value === undefined) return 'null';
  const text = String(value);
  if (/^\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d/.test(text)) {
    return new Date(`${text.replace(' ', 'T').replace(/Z$/, '')}Z`).toISOString();
  }
  // Sums of doubles depend on the order of their parts in the last digits.
  if (/^-?\d+\.\d+(E-?\d+)?$/i.test(text)) return String(Number(Number(text).toPrecision(12)));
  return text;
}
