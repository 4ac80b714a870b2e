import { NO_PAGING, type PagingStyle, renderPaging } from '../../config/paging-style.ts';
import type { Cure } from '../../sources/question.ts';
import type { Target } from '../../sources/resources.ts';
import { curesOf, ListingError } from '../codes.ts';
import type { Signals } from '../read/said.ts';
import { OFFSET_PARAMS, PAGE_PARAMS } from '../read/vocabulary.ts';
import type { NoPage, Page, Reading } from './reading.ts';
import { behindFirst, type Sketch } from './sketch.ts';
import { type Step, stateOf, stepOf } from './step.ts';
import { paramsOfToken, withParam } from './style-of-signals.ts';
import { isRoundNumber } from './totals.ts';

/** Fewer records than any server cuts at. */
export const FEW = 8;
/** Larger pages are not compared. */
export const MANY = 10_000;
/**
 * How many names are tried one by one. `other`: one of them led on. `part`, `none` and `refused` are what a server
 * shows that takes an unknown name for a filter, or refuses it. `same`: it ignores all of them.
 */
const SINGLY = { other: 8, refused: 4, part: 1, none: 1, same: 0 };

/** A usual way to more pages. One call has all names of its parameter: a server ignores unknown ones. */
interface Way {
  readonly name: 'page' | 'offset';
  readonly params: readonly string[];
  readonly value: string;
  /** The numbers that the first page may have. */
  readonly bases: readonly number[];
}

interface At {
  readonly page: Page;
  readonly step: Step;
}

/**
 * The step after a first page that nothing proves to be all; null without one. A page that only counts itself
 * is followed by the parameter of the setting. A new listing without a word about pages gets three calls for more, once.
 */
export async function furtherByUsualWays(reading: Reading, { page, step }: At): Promise<Step | null> {
  const { asked, items, style } = reading;
  if (asked.isDeclaredComplete) return null;
  if ((style.name === 'page' || style.name === 'offset') && asked.forced !== null) {
    reading.isCountWrong = true;
    return stepOf(stateOf(reading, page));
  }
  if (asked.forced !== null || style.name !== 'none' || items === 0 || reading.first === null) return null;
  const ways = waysOf(reading, { page, step });
  const way = ways.length === 0 ? null : await wayOn(reading, page, ways);
  if (way === null) return null;
  const base = await baseOf(reading, page, way);
  const found: PagingStyle = { ...NO_PAGING, name: way.name, param: way.param, start: base };
  const isFollowed = base !== null;
  reading.found = { style: `${renderPaging(found)}${isFollowed ? `=${base}` : ''}`, isFollowed };
  if (base === null) return null;
  reading.style = found;
  reading.base = base;
  const next = way.name === 'page' ? base + 1 : items;
  return { kind: 'go', target: withParam(page.target, way.param, String(next)), isPromised: true };
}

/**
 * The ways to try. A new listing, or one that has grown to a round number, gets the usual ways. The longest children,
 * and those that announce more, get the way of other listings; without one, the usual ways.
 */
function waysOf({ asked, items, isIgnored }: Reading, { page: { signals }, step }: At): readonly Way[] {
  const { contract, resource, siblings } = asked;
  const isStuck = step.kind === 'stuck';
  const kind = numberedBy(signals);
  const isRound = isRoundNumber(items);
  const all = usualWays(signals, items);
  const usual = kind === null ? all : all.filter(({ name }) => name === kind).slice(0, 1);
  if (resource.parent === null) {
    const { pageSize, limit } = signals.numbers;
    const mayGrow = isRound || kind !== null;
    const isNew = contract === undefined || (mayGrow && items >= (contract.wholeItems ?? 0));
    const isFull = (pageSize ?? limit)?.value === items;
    return isStuck || (isNew && (items >= FEW || isFull || kind !== null)) ? usual : [];
  }
  const { elsewhere } = siblings;
  if (elsewhere === null) {
    // FastAPI's tutorial cuts at 100, and its players may be fewer.
    const mayBeCut = isIgnored || (items >= FEW && isRound && siblings.mayLook(items));
    return isStuck || mayBeCut ? usual : [];
  }
  if (!isStuck && (items < FEW || !siblings.mayLook(items))) return [];
  const { name, param, start } = elsewhere;
  const base = start ?? 0;
  return name === 'page'
    ? [{ name, params: [param], value: String(base + 1), bases: [base] }]
    : [{ name: 'offset', params: [param], value: String(items), bases: [0] }];
}

/** Whether a page says its number, or that of its first record. */
function numberedBy({ numbers: { page, offset } }: Signals): Way['name'] | null {
  if (page !== undefined) return 'page';
  return offset === undefined ? null : 'offset';
}

function usualWays({ numbers: { page } }: Signals, items: number): readonly [Way, Way, Way] {
  const bases = page === undefined ? [1, 0] : [page.value];
  return [
    { name: 'page', params: PAGE_PARAMS, value: String((bases[0] ?? 1) + 1), bases },
    { name: 'offset', params: OFFSET_PARAMS, value: String(items), bases: [0] },
    // Pages that count from 0 may have no page 2.
    { name: 'page', params: PAGE_PARAMS, value: '1', bases: [0] },
  ];
}

interface WayOn extends Pick<Way, 'name' | 'bases'> {
  readonly param: string;
}

/** The first way that leads to other records; null without one. */
async function wayOn(reading: Reading, page: Page, ways: readonly Way[]): Promise<WayOn | null> {
  const led = await Promise.all(ways.map(({ params, value }) => ledTo(reading, page, { params, value })));
  for (const [index, way] of ways.entries()) {
    const by = led[index] ?? 'none';
    if (by !== 'other' && index > 1) continue;
    if (by === 'other' && way.params.length === 1) return { ...way, param: way.params[0] ?? '' };
    const isNumbered = numberedBy(page.signals) !== null;
    const { resource, siblings } = reading.asked;
    const isSeldom = isNumbered && by !== 'other' && resource.parent !== null;
    if (isSeldom && !siblings.mayLook(reading.items)) continue;
    for (const param of way.params.slice(0, isNumbered && by !== 'same' ? SINGLY.other : SINGLY[by])) {
      const alone = await ledTo(reading, page, { params: [param], value: way.value });
      if (alone === 'other') return { ...way, param };
    }
  }
  return null;
}

/** What these parameters together lead to, compared with the first page. */
async function ledTo(
  reading: Reading,
  { target: { path, query } }: Page,
  { params, value }: Pick<Way, 'params' | 'value'>,
): Promise<keyof typeof SINGLY> {
  const own = Object.fromEntries(params.map((param) => [param, value]));
  const sketch = await lookAt(reading, { path, query: { ...query, ...own } });
  if (sketch === null) return 'refused';
  return reading.first === null ? 'same' : behindFirst(sketch, reading.first);
}

/** The records of another call, which is not a page of the listing; null where it is refused. */
async function lookAt({ reader, seen }: Reading, target: Target): Promise<Sketch | null> {
  const answer = await reader.ask(target);
  if (answer.kind === 'none') return null;
  const sketch = seen.sketch(answer.records());
  answer.close();
  return sketch;
}

/** The number that returns the first page unchanged; null without one, so the way does not prove itself. */
async function baseOf(reading: Reading, page: Page, { param, bases }: WayOn): Promise<number | null> {
  const { first, items } = reading;
  for (const base of bases) {
    const sketch = await lookAt(reading, withParam(page.target, param, String(base)));
    if (sketch?.records === items && first !== null && behindFirst(sketch, first) === 'same') return base;
  }
  return null;
}

/**
 * The page of a token. Where only the token's name suggests its parameter, the usual names are tried until
 * one returns other records. Throws ListingError PAGING_UNPROVEN where none does.
 */
export async function tokenPage(
  reading: Reading,
  { page, step }: { readonly page: Page; readonly step: Extract<Step, { kind: 'go' }> },
): Promise<Page | NoPage> {
  const { asked, reader, style, seen } = reading;
  const { name: resource } = asked.resource;
  const { token } = page.signals;
  const known = asked.siblings.cursorParam();
  if (known !== null && asked.forced === null) reading.style = { ...style, param: known };
  if (token === null) return await reader.ask(step.target);
  const isProven =
    reading.page > 0 || known !== null || asked.forced !== null || asked.contract?.pageSize !== undefined;
  if (isProven) return await reader.ask(withParam(page.target, reading.style.param, token.value));
  const params = paramsOfToken(page.signals);
  for (const param of params) {
    const answer = await reader.ask(withParam(page.target, param, token.value));
    if (answer.kind === 'none') continue;
    const sketch = seen.sketch(answer.records());
    const isNone = sketch.records === 0;
    if (isNone ? await isRead(reading, { page, param, value: token.value }) : !seen.isRepeat(sketch)) {
      reading.style = { ...style, param };
      return answer;
    }
    answer.close();
  }
  const [first, ...others] = curesOf('PAGING_UNPROVEN', resource);
  const choices = params.map((param) => `cursor:${param}@${token.place}`);
  const cures: readonly Cure[] = first === undefined ? others : [{ ...first, choices }, ...others];
  const says = `${token.name} leads to a next page, and none of ${params.join(', ')} returns it`;
  throw new ListingError('PAGING_UNPROVEN', says, { resource, cures });
}

/** True where the server read the parameter: for an unknown one it returns the first page again (Litestar). */
async function isRead(
  reading: Reading,
  { page, param, value }: { readonly page: Page; readonly param: string; readonly value: string },
): Promise<boolean> {
  const control = await lookAt(reading, withParam(page.target, `${param}_unread`, value));
  return control !== null && control.records > 0;
}
