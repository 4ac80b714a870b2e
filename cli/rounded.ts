/** A number for people: three decimals, of small ones three digits; what no decimals say stays as it is. */
export function roundedText(text: string): string {
  if (!/^-?\d+\.\d+(e[+-]?\d+)?$/i.test(text)) return text;
  const value = Number(text);
  if (!Number.isFinite(value) || Math.abs(value) >= Number.MAX_SAFE_INTEGER) return text;
  const rounded = Math.abs(value) >= 1 ? value.toFixed(3) : value.toPrecision(3);
  return String(Number(rounded));
}

/** A time in UTC for people, to the minute: `2026-11-21 03:00Z`. What is none stays as it is. */
export function roundedTime(text: string): string {
  return text.replace(/^(\d{4}-\d\d-\d\d)T(\d\d:\d\d)(:[\d.]+)?Z$/, '$1 $2Z');
}
