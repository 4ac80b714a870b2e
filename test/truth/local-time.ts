/** The clocks of a zone. */
export interface Clocks {
  /** The local day of a moment, such as 2026-10-25. */
  dayOf(at: number): string;
  /** The moment at which the clocks show so many minutes after the midnight that begins that day. */
  momentOf(day: string, minutes: number): number;
  /** What the clocks show at a moment, read as if it were UTC. */
  shownAt(at: number): number;
}

/** Computed by the engine's own time zones. */
export function clocksOf(timeZone: string): Clocks {
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' });
  const shownAt = (at: number) => Date.parse(`${format.format(at).replace(' ', 'T')}Z`);
  return {
    shownAt,
    dayOf: (at) => format.format(at).slice(0, 10),
    momentOf: (day, minutes) => {
      const wanted = Date.parse(`${day}T00:00:00Z`) + minutes * 60_000;
      const first = wanted - (shownAt(wanted) - wanted);
      return first + (wanted - shownAt(first));
    },
  };
}

/** The day so many days later. */
export function nextDay(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10);
}

/** The days from the first to the last, both of them too. */
export function daysBetween(first: string, last: string): readonly string[] {
  const days: string[] = [];
  for (let day = first; day <= last; day = nextDay(day, 1)) days.push(day);
  return days;
}
