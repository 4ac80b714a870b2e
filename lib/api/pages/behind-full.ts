import type { Page, Reading } from './reading.ts';
import { behindFirst } from './sketch.ts';

/** There were pages, and now a full one leads nowhere: what was the second page is requested once more. */
export async function behindFull(reading: Reading, page: Page): Promise<Reading['behind']> {
  const { asked, reader, seen, style } = reading;
  const { second, pageSize } = asked.contract ?? {};
  const isFull = page.count === pageSize && style.name === 'none' && !asked.isDeclaredComplete;
  if (second === undefined || !isFull) return null;
  const answer = await reader.ask({ path: second, query: {} });
  if (answer.kind === 'none') return answer.status === 404 || answer.status === 410 ? 'same' : null;
  const led = behindFirst(seen.sketch(answer.records()), seen.sketch(page.records()));
  answer.close();
  return led === 'part' ? 'other' : led;
}
