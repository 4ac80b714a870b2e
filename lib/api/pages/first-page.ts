import { NO_PAGING, type PagingStyle, renderPaging } from '../../config/paging-style.ts';
import { ListingError } from '../codes.ts';
import { OFFSET_PARAMS, PAGE_PARAMS } from '../read/vocabulary.ts';
import type { Page, Reading } from './reading.ts';
import { behindFirst, type Sketch } from './sketch.ts';
import { isOpen, type Step, stateOf, stepOf } from './step.ts';
import { spelled, withParam } from './style-of-signals.ts';
import { numberedBy, type Way, waysOf } from './usual-ways.ts';

/** Larger pages are not compared. */
const MANY = 10_000;
/**
 * How many names are tried one by one where all together do not lead on. `part`, `none` and `refused` are what a server
 * shows that takes an unknown name for a filter, or refuses it. `same`: it ignores all of them.
 */
const SINGLY = { refused: 4, part: 1, none: 1, same: 0 };
/** So many where the answer has a number of its page. */
const SINGLY_NUMBERED = 9;

interface WayOn extends Pick<Way, 'name' | 'bases'> {
  readonly param: string;
}

/** The plain answer, and its records to compare others with. */
interface Plain {
  readonly page: Page;
  readonly first: Sketch;
}

/**
 * The first page of a listing. Where numbered pages follow, it is requested by its number, because the plain answer
 * may be shorter. The parameter has other records on page 2, and the first number the plain answer's. It is the
 * known one; else usual ones are tried. The plain answer stays where nothing leads on, or it has the number.
 */
export async function firstPage(reading: Reading, plain: Page): Promise<Page> {
  await proveRange(reading, plain);
  return (await byKnownNumber(reading, plain)) ?? (await byUsualWays(reading, plain)) ?? plain;
}

/** Not every server of HTTP 206 reads `range`. Where it leads to nothing else, the usual names are tried (PostgREST). */
async function proveRange(reading: Reading, page: Page): Promise<void> {
  const { asked, style, seen } = reading;
  const step = stepAfter(reading, page);
  if (
    style.name !== 'range' ||
    asked.forced !== null ||
    asked.siblings.style() !== null ||
    step.kind !== 'go'
  )
    return;
  const plain = { page, first: seen.sketch(page.records()) };
  const way = { params: [style.param], value: step.target.query[style.param] ?? '' };
  if ((await ledTo(reading, plain, way)) !== 'other') reading.style = NO_PAGING;
}

/** The first page by the number that the answer or the setting names; null where the server does not read it. */
async function byKnownNumber(reading: Reading, page: Page): Promise<Page | null> {
  const { style, asked } = reading;
  if (style.name !== 'page' && style.name !== 'offset') return null;
  const said = page.signals.numbers[style.name];
  const known = said?.value ?? style.start ?? asked.contract?.firstPage;
  reading.base = known ?? (style.name === 'page' ? 1 : 0);
  if (!leadsOn(reading, page)) return reading.style.name === 'none' ? null : page;
  if (page.target.query[style.param] !== undefined) return page;
  const plain = { page, first: reading.seen.sketch(page.records()) };
  const isKnown = asked.forced !== null || asked.siblings.style() !== null;
  const usual = style.name === 'page' ? PAGE_PARAMS : OFFSET_PARAMS;
  const param = isKnown ? style.param : spelled(style.param, usual);
  const value = String(style.name === 'page' ? reading.base + 1 : plain.first.records);
  const led = await ledTo(reading, plain, { params: [param], value });
  if (led === 'other') {
    reading.style = { ...style, param };
    const isBaseKnown = known !== undefined || style.name === 'offset';
    const bases = isBaseKnown ? [reading.base] : [1, 0];
    return (await byNumber(reading, plain, { param, bases, isExact: false })) ?? page;
  }
  if (asked.forced !== null) {
    if (led !== 'same') return page;
    const says = `Page 2 repeats the first one: the server ignores the parameter ${param}`;
    throw new ListingError('PAGING_UNPROVEN', says, { resource: asked.resource.name });
  }
  // Its number does not prove that there are pages.
  reading.style = NO_PAGING;
  reading.isCountWrong = false;
  const step = stepAfter(reading, page);
  if (led !== 'none' || said === undefined || step.kind !== 'end' || !isOpen(step)) return null;
  return (await provesOnlyPage(reading, plain, [param])) ? page : null;
}

/** Notes an only page: the page after it is empty, and its own number returns the plain answer. */
async function provesOnlyPage(reading: Reading, plain: Plain, params: readonly string[]): Promise<boolean> {
  reading.isOnlyPage = (await ledTo(reading, plain, { params, value: String(reading.base) })) === 'same';
  return reading.isOnlyPage;
}

/** True where the page announces more, or nothing proves the end of a new listing or a longest child. */
function leadsOn(reading: Reading, page: Page): boolean {
  const { count } = page;
  const { resource, siblings, forced, isDeclaredComplete } = reading.asked;
  if (count === 0 || isDeclaredComplete) return false;
  const step = stepAfter(reading, page);
  const isChild = resource.parent !== null;
  if (step.kind === 'go') {
    if (step.isPromised || !isChild || forced !== null || siblings.mayLook(count)) return true;
    // The number of a short child's page does not prove that there are pages.
    reading.style = NO_PAGING;
    return false;
  }
  if (!isOpen(step)) return false;
  const isLookedBehind = !isChild || siblings.mayLook(count);
  reading.isCountWrong = isLookedBehind || forced !== null;
  return isLookedBehind;
}

/** The step after a first page whose rows are not kept yet. */
function stepAfter(reading: Reading, page: Page): Step {
  const { count } = page;
  const more = page.signals.totals.flatMap(({ value }) => (value > count ? value : []));
  const total = more.length === 0 ? null : Math.max(...more);
  return stepOf({ ...stateOf(reading, page, count), items: count, pageSize: count, total });
}

/**
 * The first page by the number of a usual way; null without one. A new listing without a word about pages gets three
 * calls for more, once. A way that does not prove itself is only noted.
 */
async function byUsualWays(reading: Reading, page: Page): Promise<Page | null> {
  const { asked, style } = reading;
  const { count } = page;
  if (asked.isDeclaredComplete || asked.forced !== null || style.name !== 'none' || count === 0) return null;
  const step = stepAfter(reading, page);
  const ways = isOpen(step) && count <= MANY ? waysOf(reading, { page, step }) : [];
  if (ways.length === 0) return null;
  const plain = { page, first: reading.seen.sketch(page.records()) };
  const way = await wayOn(reading, plain, ways);
  if (way === null) return null;
  const numbered = await byNumber(reading, plain, { ...way, isExact: true });
  const isFollowed = numbered !== null;
  const found: PagingStyle = { ...NO_PAGING, name: way.name, param: way.param };
  reading.found = { style: `${renderPaging(found)}${isFollowed ? `=${reading.base}` : ''}`, isFollowed };
  if (!isFollowed) return null;
  reading.style = { ...found, start: reading.base };
  reading.isCountWrong = step.kind === 'end';
  return numbered;
}

/** The first way that leads to other records; null without one. */
async function wayOn(reading: Reading, plain: Plain, ways: readonly Way[]): Promise<WayOn | null> {
  const led = await Promise.all(ways.map((way) => ledTo(reading, plain, way)));
  const isEnd = stepAfter(reading, plain.page).kind === 'end';
  for (const [index, way] of ways.entries()) {
    const by = led[index] ?? 'none';
    if (by !== 'other' && index > 1) continue;
    const isNumbered = by !== 'same' && numberedBy(plain.page.signals) !== null;
    if (isNumbered && by === 'none' && isEnd && (await provesOnlyPage(reading, plain, way.params)))
      return null;
    const param =
      by === 'other'
        ? await halved(reading, plain, way)
        : await oneByOne(reading, plain, way, isNumbered ? SINGLY_NUMBERED : SINGLY[by]);
    if (param !== null) return { ...way, param };
  }
  return null;
}

type Names = Pick<Way, 'params' | 'value'>;

/** The first of so many names that leads on alone; null without one. */
async function oneByOne(reading: Reading, plain: Plain, { params, value }: Names, most: number) {
  for (const param of params.slice(0, most))
    if ((await ledTo(reading, plain, { params: [param], value })) === 'other') return param;
  return null;
}

/** The name that leads on, of names that do so together: the most usual one, else one in the half that does. */
async function halved(reading: Reading, plain: Plain, { params: [usual, ...others], value }: Names) {
  const leads = async (params: readonly string[]) =>
    (await ledTo(reading, plain, { params, value })) === 'other';
  if (usual !== undefined && (await leads([usual]))) return usual;
  let names = others;
  while (names.length > 1) {
    const half = names.slice(0, Math.ceil(names.length / 2));
    names = (await leads(half)) ? half : names.slice(half.length);
  }
  const [param] = names;
  return param !== undefined && (await leads([param])) ? param : null;
}

/** What these parameters together lead to. The page of one parameter stays open: it is the second page. */
async function ledTo(
  { reader, seen }: Reading,
  { page: { target }, first }: Plain,
  { params, value }: Names,
): Promise<keyof typeof SINGLY | 'other'> {
  const own = Object.fromEntries(params.map((param) => [param, value]));
  const answer = await reader.ask({ ...target, query: { ...target.query, ...own } });
  if (answer.kind === 'none') return 'refused';
  const led = behindFirst(seen.sketch(answer.records()), first);
  if (led !== 'other' || params.length > 1) answer.close();
  return led;
}

/**
 * The first page by its number; null where no number returns the plain answer. `isExact`: it must have the same
 * records, which proves the way; else some of them.
 */
async function byNumber(
  reading: Reading,
  { page, first }: Plain,
  { param, bases, isExact }: Pick<WayOn, 'param' | 'bases'> & { readonly isExact: boolean },
): Promise<Page | null> {
  for (const base of bases) {
    const answer = await reading.reader.ask(withParam(page.target, param, String(base)));
    if (answer.kind === 'none') continue;
    const sketch = reading.seen.sketch(answer.records());
    const isSame = sketch.records === first.records && behindFirst(sketch, first) === 'same';
    if (isExact ? isSame : [...first.keys].some((key) => sketch.keys.has(key))) {
      reading.base = base;
      page.close();
      return answer;
    }
    answer.close();
  }
  return null;
}
