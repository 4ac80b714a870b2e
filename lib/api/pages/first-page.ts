import { NO_PAGING } from '../../config/paging-style.ts';
import { ListingError } from '../codes.ts';
import { OFFSET_PARAMS, PAGE_PARAMS } from '../read/vocabulary.ts';
import type { Page, Reading } from './reading.ts';
import { behindFirst, type Sketch } from './sketch.ts';
import { isOpen, stateOf, stepOf } from './step.ts';
import { spelled, withParam } from './style-of-signals.ts';

/**
 * Requests the first of numbered pages by its number instead of the plain answer. The parameter has other
 * records on page 2, and the first number the plain answer's. The plain answer stays where nothing leads on,
 * or it already had the number; other names of the parameter are tried together (further.ts).
 */
export async function firstByNumber(reading: Reading, plain: Page): Promise<Page> {
  const { style, asked, reader, seen } = reading;
  if (style.name !== 'page' && style.name !== 'offset') return plain;
  const said = style.name === 'page' ? plain.signals.numbers.page : plain.signals.numbers.offset;
  const known = said?.value ?? style.start ?? plain.signals.firstPage ?? asked.contract?.firstPage;
  reading.base = known ?? (style.name === 'page' ? 1 : 0);
  const first = seen.sketch(plain.records());
  if (!leadsOn(reading, plain, first.records) || plain.target.query[style.param] !== undefined) return plain;
  const isKnown = asked.forced !== null || asked.siblings.style() !== null;
  const usual = style.name === 'page' ? PAGE_PARAMS : OFFSET_PARAMS;
  const param = isKnown ? style.param : spelled(style.param, usual);
  const number = style.name === 'page' ? reading.base + 1 : first.records;
  const answer = await reader.ask(withParam(plain.target, param, String(number)));
  const led = answer.kind === 'none' ? 'refused' : behindFirst(seen.sketch(answer.records()), first);
  if (answer.kind === 'page') {
    if (led === 'other') {
      reading.style = { ...style, param };
      const isBaseKnown = known !== undefined || style.name === 'offset';
      return await numbered(reading, { plain, first, bases: isBaseKnown ? [reading.base] : [1, 0] });
    }
    answer.close();
  }
  if (asked.forced !== null) {
    if (led !== 'same') return plain;
    const says = `Page 2 repeats the first one: the server ignores the parameter ${param}`;
    throw new ListingError('PAGING_UNPROVEN', says, { resource: asked.resource.name });
  }
  // Its number does not prove that there are pages.
  reading.isIgnored = said !== undefined;
  reading.style = NO_PAGING;
  reading.isCountWrong = false;
  return plain;
}

/** The first page by its number: 1, or 0 where 1 has other records. Else the plain one. */
async function numbered(
  reading: Reading,
  {
    plain,
    first,
    bases,
  }: { readonly plain: Page; readonly first: Sketch; readonly bases: readonly number[] },
): Promise<Page> {
  for (const base of bases) {
    const answer = await reading.reader.ask(withParam(plain.target, reading.style.param, String(base)));
    if (answer.kind === 'none') continue;
    const { keys } = reading.seen.sketch(answer.records());
    if ([...first.keys].some((key) => keys.has(key))) {
      reading.base = base;
      plain.close();
      return answer;
    }
  }
  return plain;
}

/** True where the page announces more, or nothing proves the end of a new listing or a longest child. */
function leadsOn(reading: Reading, plain: Page, count: number): boolean {
  const { resource, contract, siblings, forced, isDeclaredComplete } = reading.asked;
  if (count === 0 || isDeclaredComplete) return false;
  const more = plain.signals.totals.flatMap(({ value }) => (value > count ? value : []));
  const total = more.length === 0 ? null : Math.max(...more);
  const step = stepOf({ ...stateOf(reading, plain, count), items: count, pageSize: count, total });
  const isChild = resource.parent !== null;
  if (step.kind === 'go') {
    if (step.isPromised || !isChild || forced !== null || siblings.mayLook(count)) return true;
    // The number of a short child's page does not prove that there are pages.
    reading.style = NO_PAGING;
    return false;
  }
  if (!isOpen(step)) return false;
  const isGrown =
    count >= (contract?.wholeItems ?? 0) || count >= (contract?.pageSize ?? Number.POSITIVE_INFINITY);
  reading.isCountWrong = isChild ? siblings.mayLook(count) : isGrown;
  return reading.isCountWrong;
}
