import { NO_PAGING, type PagingStyle } from '../../config/paging-style.ts';
import type { Resource } from '../../sources/resources.ts';
import { ListingError } from '../listing-error.ts';
import { OFFSET_PARAMS, PAGE_PARAMS } from '../read/vocabulary.ts';
import type { Page } from './page-reader.ts';
import { type Reading, stateOf } from './reading.ts';
import type { Sketch } from './sketch.ts';
import { isOpen, stepOf } from './step.ts';
import { withParam } from './targets.ts';

/** A parameter that an answer does not name is tried with so many usual names. */
const TRIED_AT_MOST = 5;

/**
 * The first page of numbered pages, requested by its number, in place of the plain answer: the number may change how many records a page
 * has. The parameter and the first number are those by which the second page has other records. The plain answer stays where nothing
 * leads on, or where it had the number already.
 */
export async function firstByNumber(reading: Reading, plain: Page): Promise<Page> {
  const { style, asked } = reading;
  if (style.name !== 'page' && style.name !== 'offset') return plain;
  const said = style.name === 'page' ? plain.signals.numbers.page : plain.signals.numbers.offset;
  const known = said?.value ?? style.start ?? plain.signals.firstPage ?? asked.contract?.firstPage;
  reading.base = known ?? (style.name === 'page' ? 1 : 0);
  const count = countOf(plain);
  const leads = leadsOn(reading, plain, count);
  if (leads === 'no' || plain.target.query[style.param] !== undefined) return plain;
  const first = reading.seen.sketch(plain.records());
  const isKnown = asked.forced !== null || asked.siblings.style() !== null;
  // Where nothing says that there is more, the other names are tried together (further.ts).
  const own = isKnown ? style.param : spelled(style);
  const params = isKnown || leads === 'look' ? [own] : paramsOf(style);
  for (const param of params) {
    const number = style.name === 'page' ? reading.base + 1 : count;
    const has = await behind(reading, { plain, first, param, number });
    if (has === 'same' && asked.forced !== null) throw unread(param, asked.resource);
    const isRead =
      has === 'other' ||
      (has === 'none' && param === style.param && (await isLonger(reading, { plain, first, param })));
    if (!isRead) continue;
    reading.style = { ...style, param };
    return await numbered(reading, {
      plain,
      first,
      isBaseKnown: known !== undefined || style.name === 'offset',
    });
  }
  if (leads === 'look' && asked.forced === null) {
    // Its number is no proof that there are pages.
    reading.style = NO_PAGING;
    reading.mayLook = false;
  }
  if (leads === 'look' || asked.forced !== null) return plain;
  const says = `There are more than ${count} records, and none of ${params.join(', ')} returns a second page`;
  throw new ListingError('PAGING_UNPROVEN', says, { resource: asked.resource.name });
}

/** The parameter as it is usually written: a header has lost the case of its letters. */
function spelled({ name, param }: PagingStyle): string {
  const usual = name === 'page' ? PAGE_PARAMS : OFFSET_PARAMS;
  return usual.find((each) => each.toLowerCase() === param) ?? param;
}

function paramsOf({ name, param }: PagingStyle): readonly string[] {
  const usual = name === 'page' ? PAGE_PARAMS.filter((each) => !each.startsWith('_')) : OFFSET_PARAMS;
  // A header has lost the case of its words.
  const [first = '', ...rest] = param.includes('-') ? param.split('-') : [param];
  const camel = [first, ...rest.map((word) => word.charAt(0).toUpperCase() + word.slice(1))].join('');
  const own = rest.length === 0 ? [param] : [camel, [first, ...rest].join('_')];
  return [...new Set([...own, ...usual])].slice(0, TRIED_AT_MOST);
}

interface First {
  readonly plain: Page;
  readonly first: Sketch;
}

/** The setting names a parameter that returns the first page for every number. */
function unread(param: string, { name }: Resource): ListingError {
  const says = `Page 2 repeats the first one: the parameter ${param} is not followed`;
  return new ListingError('PAGING_UNPROVEN', says, { resource: name });
}

/** What the parameter returns for that number: other records, the same, or none. */
async function behind(
  { reader, seen }: Reading,
  { plain, first, param, number }: First & { readonly param: string; readonly number: number },
): Promise<'other' | 'same' | 'none'> {
  const answer = await reader.ask(withParam(plain.target, param, String(number)));
  if (answer.kind === 'none') return 'none';
  const sketch = seen.sketch(answer.records());
  // A page in the middle may be empty, and say that it is the one that was asked for.
  const isAsked = answer.signals.numbers.page?.value === number && answer.signals.more?.value === true;
  const isOther = isAsked || [...sketch.keys].some((key) => !first.keys.has(key));
  if (!isOther) answer.close();
  return isOther ? 'other' : sketch.records > 0 ? 'same' : 'none';
}

/** Whether the first page has more records by its number: then the second may have none. */
async function isLonger(
  { reader, seen, base }: Reading,
  { plain, first, param }: First & { readonly param: string },
): Promise<boolean> {
  const answer = await reader.ask(withParam(plain.target, param, String(base)));
  if (answer.kind === 'none') return false;
  const { keys, records } = seen.sketch(answer.records());
  const is = records > first.records && [...first.keys].every((key) => keys.has(key));
  if (!is) answer.close();
  return is;
}

/** The first page by its number: 1, or 0 where 1 has other records. The plain one where neither returns it. */
async function numbered(
  reading: Reading,
  { plain, first, isBaseKnown }: First & { readonly isBaseKnown: boolean },
): Promise<Page> {
  for (const base of isBaseKnown ? [reading.base] : [1, 0]) {
    const answer = await reading.reader.ask(withParam(plain.target, reading.style.param, String(base)));
    if (answer.kind === 'none') continue;
    const sketch = reading.seen.sketch(answer.records());
    if ([...first.keys].some((key) => sketch.keys.has(key))) {
      reading.base = base;
      plain.close();
      return answer;
    }
  }
  return plain;
}

/**
 * Whether there may be a page behind this one: it says so, or it only counts itself. Then a new listing and the longest children are
 * looked at.
 */
function leadsOn(reading: Reading, plain: Page, count: number): 'yes' | 'look' | 'no' {
  const { resource, contract, siblings, isDeclaredComplete } = reading.asked;
  if (count === 0 || isDeclaredComplete) return 'no';
  const more = plain.signals.totals.map(({ value }) => value).filter((value) => value > count);
  const total = more.length === 0 ? null : Math.max(...more);
  const step = stepOf({ ...stateOf(reading, plain, count), items: count, pageSize: count, total });
  if (step.kind === 'go' && step.isPromised) return 'yes';
  if (step.kind === 'go') {
    if (resource.parent === null || reading.asked.forced !== null || siblings.mayLook(count)) return 'look';
    // The number of a short child's page is no proof that there are pages.
    reading.style = NO_PAGING;
    return 'no';
  }
  if (!isOpen(step)) return 'no';
  const isGrown =
    count >= (contract?.wholeItems ?? 0) || count >= (contract?.pageSize ?? Number.POSITIVE_INFINITY);
  reading.mayLook = resource.parent === null ? isGrown : siblings.mayLook(count);
  return reading.mayLook ? 'look' : 'no';
}

function countOf(page: Page): number {
  let count = 0;
  for (const records of page.records()) count += records.length;
  return count;
}
