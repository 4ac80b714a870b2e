import { NO_PAGING, type PagingStyle, renderPaging } from '../../config/paging-style.ts';
import type { Cure } from '../../sources/question.ts';
import { curesOf, ListingError } from '../codes.ts';
import type { Page, Reading } from './reading.ts';
import { behindFirst, type Sketch } from './sketch.ts';
import { isOpen, type Step, stateOf, stepOf } from './step.ts';
import { paramsOfToken, withParam } from './style-of-signals.ts';
import { numberedBy, type Way, wayOf, waysOf } from './usual-ways.ts';

/**
 * How many names are tried one by one where all together do not lead on. `part`, `none` and `refused` are what a server
 * shows that takes an unknown name for a filter, or refuses it. `same`: it ignores all of them.
 */
const SINGLY = { refused: 4, part: 1, none: 1, same: 0, other: 0 };
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
  await findTokenParam(reading, plain);
  return (await byKnownNumber(reading, plain)) ?? (await byUsualWays(reading, plain)) ?? plain;
}

/** Not every server of HTTP 206 reads `range`. Where it leads to nothing else, the usual names are tried (PostgREST). */
async function proveRange(reading: Reading, page: Page): Promise<void> {
  const { style, seen } = reading;
  const step = stepAfter(reading, page);
  if (style.name !== 'range' || step.kind !== 'go') return;
  const plain = { page, first: seen.sketch(page.records()) };
  const way = { params: [style.param], value: step.target.query[style.param] ?? '' };
  if ((await ledTo(reading, plain, way)) !== 'other') reading.style = NO_PAGING;
}

/**
 * Finds the parameter of a token by trying, where only the token's name suggests it. The right name leads to other
 * records. It may lead to none, if the server ignores an unknown name (Litestar). Throws ListingError PAGING_UNPROVEN
 * where no name does.
 */
async function findTokenParam(reading: Reading, page: Page): Promise<void> {
  const { asked, style, seen } = reading;
  const { token } = page.signals;
  if (style.name !== 'cursor' || token === null || asked.forced !== null) return;
  const known = asked.siblings.cursorParam();
  if (known !== null) reading.style = { ...style, param: known };
  const isKnown = known !== null || asked.contract?.pageSize !== undefined;
  if (isKnown || stepAfter(reading, page).kind !== 'go') return;
  const plain = { page, first: seen.sketch(page.records()) };
  const params = paramsOfToken(page.signals);
  for (const param of params) {
    const led = await ledTo(reading, plain, { params: [param], value: token.value });
    const unread = { params: [`${param}_unread`], value: token.value };
    if (led !== 'other' && (led !== 'none' || (await ledTo(reading, plain, unread)) !== 'same')) continue;
    reading.style = { ...style, param };
    return;
  }
  const { name: resource } = asked.resource;
  const [first, ...others] = curesOf('PAGING_UNPROVEN', resource);
  const choices = params.map((param) => `cursor:${param}@${token.place}`);
  const cures: readonly Cure[] = first === undefined ? others : [{ ...first, choices }, ...others];
  const says = `${token.name} leads to a next page, and none of ${params.join(', ')} returns it`;
  throw new ListingError('PAGING_UNPROVEN', says, { resource, cures });
}

/** The first page by the number of a known style; null where the style has no number. */
async function byKnownNumber(reading: Reading, page: Page): Promise<Page | null> {
  const { style, asked } = reading;
  if (style.name !== 'page' && style.name !== 'offset') return null;
  const start = page.signals.numbers[style.name]?.value ?? style.start;
  reading.base = start ?? (style.name === 'page' ? 1 : 0);
  const step = stepAfter(reading, page);
  if (page.count === 0 || asked.isDeclaredComplete || (step.kind === 'end' && !isOpen(step))) return page;
  reading.isCountWrong = step.kind === 'end';
  if (page.target.query[style.param] !== undefined) return page;
  const plain = { page, first: reading.seen.sketch(page.records()) };
  const led = await ledTo(reading, plain, wayOf(style.name, [style.param], reading.base, page.count));
  const bases = start === null && style.name === 'page' ? [1, 0] : [reading.base];
  if (led === 'other')
    return (await byNumber(reading, plain, { param: style.param, bases, isExact: false })) ?? page;
  if (led !== 'same' || asked.forced === null) return page;
  const says = `Page 2 repeats the first one: the server ignores the parameter ${style.param}`;
  throw new ListingError('PAGING_UNPROVEN', says, { resource: asked.resource.name });
}

/** Notes an only page: the page after it is empty, and its own number returns the plain answer. */
async function provesOnlyPage(reading: Reading, plain: Plain, { params, bases }: Way): Promise<boolean> {
  const [base = 0] = bases;
  reading.isOnlyPage = (await ledTo(reading, plain, { params, value: String(base) })) === 'same';
  return reading.isOnlyPage;
}

/** The step after a first page whose rows are not kept yet. */
function stepAfter(reading: Reading, page: Page): Step {
  const { count } = page;
  const more = page.signals.totals.flatMap(({ value }) => (value > count ? value : []));
  const total = more.length === 0 ? null : Math.max(...more);
  return stepOf({ ...stateOf(reading, page, count), items: count, pageSize: count, total });
}

/**
 * The first page by the number of a usual way; null without one. Where the answer has a number of its pages, a way to
 * other records is proven. Else a new listing gets three calls, once, and a way that does not prove itself is only noted.
 */
async function byUsualWays(reading: Reading, page: Page): Promise<Page | null> {
  const { asked } = reading;
  const isSaid = Object.keys(page.signals.numbers).length > 0;
  const isKnown = asked.forced !== null || reading.style.name !== 'none';
  if (isKnown || (asked.isDeclaredComplete && !isSaid) || page.count === 0) return null;
  const step = stepAfter(reading, page);
  const ways = isOpen(step) ? waysOf(reading, { page, step }) : [];
  if (ways.length === 0) return null;
  const plain = { page, first: reading.seen.sketch(page.records()) };
  const way = await wayOn(reading, plain, ways);
  if (way === null) return null;
  [reading.base = 0] = way.bases;
  const numbered = await byNumber(reading, plain, { ...way, isExact: !isSaid });
  const style: PagingStyle = { ...NO_PAGING, name: way.name, param: way.param, start: reading.base };
  const isFollowed = numbered !== null || numberedBy(page.signals) !== null;
  const text = `${renderPaging(style)}${isFollowed ? `=${reading.base}` : ''}`;
  if (!isSaid || !isFollowed) reading.found = { style: text, isFollowed };
  if (!isFollowed) return null;
  reading.style = style;
  reading.isCountWrong = step.kind === 'end';
  return numbered ?? page;
}

/** The first way that leads to other records; null without one. */
async function wayOn(reading: Reading, plain: Plain, ways: readonly Way[]): Promise<WayOn | null> {
  const isNumbered = numberedBy(plain.page.signals) !== null;
  const isEnd = stepAfter(reading, plain.page).kind === 'end';
  const led = isNumbered ? [] : await Promise.all(ways.map((way) => ledTo(reading, plain, way)));
  for (const [index, way] of ways.entries()) {
    const by = led[index] ?? (await ledTo(reading, plain, way));
    if (by !== 'other' && index > 1) continue;
    if (isNumbered && by === 'none' && isEnd && (await provesOnlyPage(reading, plain, way))) return null;
    const most = isNumbered && by !== 'same' ? SINGLY_NUMBERED : SINGLY[by];
    const param =
      by === 'other' ? await halved(reading, plain, way) : await oneByOne(reading, plain, way, most);
    if (param !== null) return { ...way, param };
  }
  return null;
}

type Names = Pick<Way, 'params' | 'value'>;

/** The first of so many names that leads on alone; null without one. */
async function oneByOne(reading: Reading, plain: Plain, { params, value }: Names, most: number) {
  for (const param of params.length === 1 ? [] : params.slice(0, most))
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

/** What these parameters together lead to. Other or no records of one parameter stay open: they are the second page. */
async function ledTo(
  { reader, seen }: Reading,
  { page: { target }, first }: Plain,
  { params, value }: Names,
): Promise<keyof typeof SINGLY> {
  const own = Object.fromEntries(params.map((param) => [param, value]));
  const answer = await reader.ask({ ...target, query: { ...target.query, ...own } });
  if (answer.kind === 'none') return 'refused';
  const led = behindFirst(seen.sketch(answer.records()), first);
  if ((led !== 'other' && led !== 'none') || params.length > 1) answer.close();
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
