import { NO_PAGING, type PagingStyle } from '../../config/paging-style.ts';
import { ListingError } from '../codes.ts';
import { OFFSET_PARAMS, PAGE_PARAMS } from '../read/vocabulary.ts';
import { ledOf, numberedBy } from './led.ts';
import type { Page, Reading } from './reading.ts';
import type { Sketch } from './sketch.ts';
import { isOpen, stateOf, stepOf } from './step.ts';
import { spelled, withParam } from './style-of-signals.ts';

/** How many usual names are tried for a parameter that an answer does not name. */
const TRIED_AT_MOST = 5;

/**
 * Requests the first of numbered pages by its number instead of the plain answer. The parameter and the first
 * number are those with other records on page 2. The plain answer stays where nothing leads on, or it already
 * had the number.
 */
export async function firstByNumber(reading: Reading, plain: Page): Promise<Page> {
  const { style, asked, reader, seen } = reading;
  if (style.name !== 'page' && style.name !== 'offset') return plain;
  const said = style.name === 'page' ? plain.signals.numbers.page : plain.signals.numbers.offset;
  const known = said?.value ?? style.start ?? plain.signals.firstPage ?? asked.contract?.firstPage;
  reading.base = known ?? (style.name === 'page' ? 1 : 0);
  const first = seen.sketch(plain.records());
  const leads = leadsOn(reading, plain, first.records);
  if (leads === 'no' || plain.target.query[style.param] !== undefined) return plain;
  const { elsewhere } = asked.siblings;
  const isKnown = asked.forced !== null || asked.siblings.style() !== null;
  // Where nothing says that there is more, the other names are tried together (further.ts).
  const params = isKnown ? [style.param] : paramsOf(style).slice(0, leads === 'look' ? 1 : TRIED_AT_MOST);
  const number = style.name === 'page' ? reading.base + 1 : first.records;
  for (const param of params) {
    const answer = await reader.ask(withParam(plain.target, param, String(number)));
    const has = ledOf(answer, { seen, first, value: String(number), by: numberedBy(plain.signals) });
    reading.isIgnored = said !== undefined && has !== 'end' && has !== 'other';
    if (answer.kind === 'none') continue;
    // A middle page may be empty, and still show its own number.
    const isAsked = answer.signals.numbers.page?.value === number && answer.signals.more?.value === true;
    if (has === 'other' || isAsked) {
      reading.style = { ...style, param };
      const isBaseKnown = known !== undefined || style.name === 'offset';
      return await numbered(reading, { plain, first, bases: isBaseKnown ? [reading.base] : [1, 0] });
    }
    answer.close();
    if (has === 'same' && asked.forced !== null) {
      const says = `Page 2 repeats the first one: the server ignores the parameter ${param}`;
      throw new ListingError('PAGING_UNPROVEN', says, { resource: asked.resource.name });
    }
  }
  if (asked.forced !== null) return plain;
  if (leads === 'yes') {
    const says = `There are more than ${first.records} records, and none of ${params.join(', ')} returns a second page`;
    throw new ListingError('PAGING_UNPROVEN', says, { resource: asked.resource.name });
  }
  // Its number does not prove that there are pages.
  reading.isIgnored &&= !isKnown && elsewhere?.name !== style.name;
  reading.style = NO_PAGING;
  reading.mayLook = false;
  return plain;
}

/** The member's own name, then the usual ones. */
function paramsOf({ name, param }: PagingStyle): readonly string[] {
  const usual = name === 'page' ? PAGE_PARAMS.filter((each) => !each.startsWith('_')) : OFFSET_PARAMS;
  return [...new Set([spelled(param, usual), ...usual])];
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

/** `yes`: the page announces more. `look`: nothing proves the end of a new listing or a longest child. */
function leadsOn(reading: Reading, plain: Page, count: number): 'yes' | 'look' | 'no' {
  const { resource, contract, siblings, forced, isDeclaredComplete } = reading.asked;
  if (count === 0 || isDeclaredComplete) return 'no';
  const more = plain.signals.totals.flatMap(({ value }) => (value > count ? value : []));
  const total = more.length === 0 ? null : Math.max(...more);
  const step = stepOf({ ...stateOf(reading, plain, count), items: count, pageSize: count, total });
  if (step.kind === 'go' && step.isPromised) return 'yes';
  const isChild = resource.parent !== null;
  if (step.kind === 'go') {
    if (!isChild || forced !== null || siblings.mayLook(count)) return 'look';
    // The number of a short child's page does not prove that there are pages.
    reading.style = NO_PAGING;
    return 'no';
  }
  if (!isOpen(step)) return 'no';
  const isGrown =
    count >= (contract?.wholeItems ?? 0) || count >= (contract?.pageSize ?? Number.POSITIVE_INFINITY);
  reading.mayLook = isChild ? siblings.mayLook(count) : isGrown;
  return reading.mayLook ? 'look' : 'no';
}
