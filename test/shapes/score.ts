import type { DayRead, Verdict } from './read-shape.ts';
import type { Shape } from './shape.ts';

const VERDICTS: readonly Verdict[] = ['whole', 'closed', 'refused', 'open', 'short', 'crash'];

/** Counts how shapes ended, as a whole and by each of their axes. */
export function createScore() {
  const rows = new Map<string, Map<Verdict, number>>();
  const explicit = { whole: 0, all: 0 };
  const healthy = { asked: 0, all: 0 };
  const questions = { closed: 0, all: 0 };
  const count = (row: string, verdict: Verdict) => {
    const cells = rows.get(row) ?? new Map<Verdict, number>();
    cells.set(verdict, (cells.get(verdict) ?? 0) + 1);
    rows.set(row, cells);
  };
  return {
    add(shape: Shape, days: readonly [DayRead, DayRead]) {
      const worst = worstOf(days);
      count('all', worst);
      for (const axis of [
        'wrapping',
        'style',
        'where',
        'vocabulary',
        'end',
        'beyond',
        'unknown',
        'numbers',
        'flags',
        'id',
        'empty',
      ] as const)
        count(`${axis} ${shape[axis]}`, worst);
      if (shape.error !== null) count('error on day 2', worst);
      if (shape.told !== null) count(`told ${shape.told.form} ${shape.told.keeps}`, worst);
      if (shape.turns !== null) count(`word that turns ${shape.turns.keeps}`, worst);
      if (shape.windowed !== null) count(`windowed ${shape.windowed.form}`, worst);
      if (shape.odd !== null) count(`error ${shape.odd.form}`, worst);
      if (shape.range !== null) count('range in a text', worst);
      if (shape.linksLast) count('link to the last page', worst);
      if (shape.style === 'link' && shape.relation !== 'next') count('link by another relation', worst);
      if (shape.childrenAtMost !== null) count('children cut', worst);
      if (shape.pageSize > 10) count('cut at another number', worst);
      if (isExplicit(shape)) {
        explicit.all++;
        if (days[0].verdict === 'whole' && days[1].verdict === 'whole') explicit.whole++;
      }
      if (isHealthy(shape)) {
        healthy.all++;
        if (days.some(({ verdict }) => verdict !== 'whole')) healthy.asked++;
      }
      for (const { verdict } of days) {
        if (verdict === 'closed') questions.closed++;
        if (verdict === 'closed' || verdict === 'open') questions.all++;
      }
    },
    figures: () => ({
      ...Object.fromEntries(VERDICTS.map((verdict) => [verdict, rows.get('all')?.get(verdict) ?? 0])),
      explicit,
      healthy,
      questions,
    }),
    text: () => {
      const head = ['', ...VERDICTS];
      const lines = [...rows].map(([row, cells]) => [
        row,
        ...VERDICTS.map((verdict) => String(cells.get(verdict) ?? 0)),
      ]);
      const table = [head, ...lines]
        .map((cells) =>
          cells.map((cell, index) => (index === 0 ? cell.padEnd(24) : cell.padStart(8))).join(''),
        )
        .join('\n');
      return [
        table,
        `explicit paging, whole without a setting: ${share(explicit.whole, explicit.all)}`,
        `healthy shapes asked about: ${share(healthy.asked, healthy.all)}`,
        `questions that close in three rounds: ${share(questions.closed, questions.all)}`,
      ].join('\n');
    },
  };
}

function share(part: number, all: number): string {
  return `${part} of ${all} (${all === 0 ? 0 : ((100 * part) / all).toFixed(1)} %)`;
}

export function worstOf(days: readonly DayRead[]): Verdict {
  const ranks = days.map(({ verdict }) => VERDICTS.indexOf(verdict));
  return VERDICTS[Math.max(...ranks)] ?? 'crash';
}

/** A next link, cursor, page count or total under words that a person recognises. */
export function isExplicit({
  style,
  vocabulary,
  says,
  error,
  ownTotal,
  wrapping,
  told,
  relation,
  turns,
  odd,
  counts,
  windowed,
}: Shape): boolean {
  if (windowed !== null) return false;
  if (vocabulary === 'invented' || error !== null || told !== null || isAskedAbout(wrapping)) return false;
  if (turns?.keeps === 'some' || (turns !== null && counts[1] < counts[0]) || odd?.form === 'entry')
    return false;
  if (style === 'link' && relation !== 'next') return false;
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
function isAskedAbout(wrapping: Shape['wrapping']): boolean {
  return ['wrapped', 'level', 'rows', 'text', 'lines'].includes(wrapping);
}

/** All in one answer, in an envelope whose words are known, and only idle members next to the records. */
export function isHealthy({
  style,
  vocabulary,
  says,
  wrapping,
  path,
  error,
  counts,
  told,
  childrenAtMost,
  turns,
  odd,
  denies,
}: Shape): boolean {
  const isRound = counts.some((count) => [10, 15, 20, 25, 50].includes(count));
  return (
    style === 'all' &&
    vocabulary === 'plain' &&
    says.length === 0 &&
    error === null &&
    told === null &&
    childrenAtMost === null &&
    denies === null &&
    odd?.form !== 'entry' &&
    (turns === null || counts[1] >= counts[0]) &&
    turns?.keeps !== 'some' &&
    !isRound &&
    !isAskedAbout(wrapping) &&
    (wrapping === 'bare' || wrapping === 'map' || path.length === 1)
  );
}
