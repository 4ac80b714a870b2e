import type { Signals } from '../read/said.ts';
import type { NoPage, Page } from './reading.ts';
import { behindFirst, type SeenPages, type Sketch } from './sketch.ts';

/**
 * What a call for a further page shows. `end`: its parameter was read, and there is no such page. `same`, `part`
 * and `none` are what a server shows that ignores the parameter, or takes it for a filter.
 */
export type Led = ReturnType<typeof behindFirst> | 'end' | 'refused';

/** What the first page says of itself. */
export type NumberedBy = 'page' | 'offset' | null;

export function numberedBy({ numbers: { page, offset } }: Signals): NumberedBy {
  if (page !== undefined) return 'page';
  return offset === undefined ? null : 'offset';
}

interface LedOptions {
  readonly seen: SeenPages;
  readonly first: Sketch;
  /** The requested number. */
  readonly value: string;
  readonly by: NumberedBy;
}

/** Compares the answer with the first page. Where pages have numbers, the answer's own shows what was read. */
export function ledOf(answer: Page | NoPage, { seen, first, value, by }: LedOptions): Led {
  if (answer.kind === 'none') return by !== null && answer.status === 404 ? 'end' : 'refused';
  const led = behindFirst(seen.sketch(answer.records()), first);
  if (led !== 'none' || by === null) return led;
  const shown = answer.signals.numbers[by]?.value;
  return shown === undefined || String(shown) === value ? 'end' : 'none';
}
