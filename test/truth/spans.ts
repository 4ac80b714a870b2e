import type { Span } from './world.ts';

/** The spans in order, those that touch as one. */
export function union(spans: readonly Span[]): readonly Span[] {
  const found: Span[] = [];
  for (const span of spans.filter(([from, to]) => from < to).toSorted((a, b) => a[0] - b[0])) {
    const last = found.at(-1);
    if (last !== undefined && span[0] <= last[1])
      found[found.length - 1] = [last[0], Math.max(last[1], span[1])];
    else found.push(span);
  }
  return found;
}

/** What is in both lists, each of which has no moment twice. */
export function common(some: readonly Span[], others: readonly Span[]): readonly Span[] {
  return some.flatMap((a) =>
    others.map((b): Span => [Math.max(a[0], b[0]), Math.min(a[1], b[1])]).filter(([from, to]) => from < to),
  );
}

/** The spans without holes, which are in order and do not touch. */
export function without(spans: readonly Span[], holes: readonly Span[]): readonly Span[] {
  const ends = [Number.NEGATIVE_INFINITY, ...holes.map(([, to]) => to)];
  const begins = [...holes.map(([from]) => from), Number.POSITIVE_INFINITY];
  return common(
    spans,
    ends.map((end, index): Span => [end, begins[index] ?? end]),
  );
}

/** How many hours the spans have, each moment counted as often as it is in them. */
export function hoursOf(spans: readonly Span[]): number {
  return spans.reduce((sum, [from, to]) => sum + Math.max(0, to - from), 0) / 3_600_000;
}
