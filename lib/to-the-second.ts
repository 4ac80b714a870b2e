/** A time as messages say it, and as `--run-time` takes it: `2026-11-21T03:20:00Z`. */
export function toTheSecond(time: Date | string): string {
  return new Date(time).toISOString().replace(/\.\d+Z$/, 'Z');
}
