import type { DayRead, Verdict } from './read-shape.ts';
import type { Shape } from './shape.ts';

const VERDICTS: readonly Verdict[] = ['whole', 'closed', 'refused', 'open', 'short', 'crash'];

/** Counts how shapes ended that say how they are paged, and those that hide nothing. */
export function createScore() {
  const explicit = { whole: 0, all: 0 };
  const healthy = { asked: 0, all: 0 };
  return {
    add(shape: Shape, days: readonly [DayRead, DayRead]) {
      const isWhole = days.every(({ verdict }) => verdict === 'whole');
      if (isExplicit(shape)) {
        explicit.all++;
        if (isWhole) explicit.whole++;
      }
      if (isHealthy(shape)) {
        healthy.all++;
        if (!isWhole) healthy.asked++;
      }
    },
    figures: () => ({ explicit, healthy }),
  };
}

export function worstOf(days: readonly DayRead[]): Verdict {
  const ranks = days.map(({ verdict }) => VERDICTS.indexOf(verdict));
  return VERDICTS[Math.max(...ranks)] ?? 'crash';
}

/** A next link, cursor, page count or total under words that a person recognises. */
export function isExplicit({ style, says, error, stray, ownTotal, wrapping }: Shape): boolean {
  if (error !== null || stray !== null || isAskedAbout(wrapping)) return false;
  if (style === 'link' || style === 'next' || style === 'token') return true;
  return (
    (style === 'page' || style === 'offset') &&
    (says.includes('pages') || (says.includes('total') && !ownTotal))
  );
}

/** Explicit paging that the day of a check shows: of one page nobody can tell how a second one would be requested. */
export function showsPaging(shape: Shape): boolean {
  return isExplicit(shape) && shape.counts[0] > shape.pageSize;
}

/** Forms of records that are never guessed. */
export function isAskedAbout(wrapping: Shape['wrapping']): boolean {
  return ['wrapped', 'level', 'rows'].includes(wrapping);
}

/** All in one answer, in an envelope whose words are known, and only idle members next to the records. */
function isHealthy({ style, vocabulary, says, wrapping, path, error, stray, counts, late }: Shape): boolean {
  const isRound = counts.some((count) => [10, 15, 20, 25, 50].includes(count));
  return (
    style === 'all' &&
    vocabulary === 'plain' &&
    says.length === 0 &&
    error === null &&
    stray === null &&
    !isRound &&
    // A new member next to fewer records is asked about by design.
    (late === null || counts[1] >= counts[0]) &&
    !isAskedAbout(wrapping) &&
    (wrapping === 'bare' || wrapping === 'map' || path.length === 1)
  );
}
