import type { DayRead } from './read-shape.ts';
import type { Shape } from './shape.ts';

/** The shape of an API that answers on the second day what it did on the first. */
export function steadyShape(shape: Shape): Shape {
  const [count] = shape.counts;
  return { ...shape, counts: [count, count], error: null, stray: null, late: null };
}

/** True if the second day has a question about an API, though the first day left none open. */
export function isAskedAgain([first, second]: readonly [DayRead, DayRead]): boolean {
  return ['whole', 'closed'].includes(first.verdict) && second.verdict !== 'whole';
}
