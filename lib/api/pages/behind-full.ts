import { stepAfter } from './first-page.ts';
import type { Page, Reading } from './reading.ts';
import { behindFirst } from './sketch.ts';
import { isOpen } from './step.ts';

/** There were pages, and now a full one leads nowhere: what was the second page is requested once more. */
export async function behindFull(reading: Reading, page: Page): Promise<Reading['behind']> {
  const { asked, reader, seen, style } = reading;
  const { second, pageSize } = asked.contract ?? {};
  if (second === undefined || page.count !== pageSize || asked.isDeclaredComplete) return null;
  if (style.name !== 'none' || !isOpen(stepAfter(reading, page))) return null;
  const answer = await reader.ask({ path: second, query: {} });
  if (answer.kind === 'none') return answer.status === 404 || answer.status === 410 ? 'same' : null;
  const led = behindFirst(seen.sketch(answer.records()), seen.sketch(page.records()));
  answer.close();
  return led === 'part' ? 'other' : led;
}
