import { NO_PAGING, type PagingStyle, renderPaging } from '../../config/paging-style.ts';
import type { Target } from '../../sources/resources.ts';
import { OFFSET_PARAMS, PAGE_PARAMS } from '../read/vocabulary.ts';
import type { NoPage, Page } from './page-reader.ts';
import { type Reading, stateOf } from './reading.ts';
import { isRoundNumber, mayBeCap } from './round-number.ts';
import { type Step, stepOf } from './step.ts';
import { withParam } from './targets.ts';

/** Fewer records than any server cuts at. */
export const FEW = 8;
/** More are not compared. */
export const MANY = 10_000;
/**
 * So many names are tried singly: to find the one that led on, or behind an answer that says nothing. A server that takes names it does
 * not know for fields refuses them; those that it does know begin otherwise (`__page`).
 */
const SINGLY = { further: 8, refused: 2, nothing: 1 };

/** A usual way to further pages: all names of its parameter go in one call, for a server passes over those that it does not know. */
interface Way {
  readonly name: 'page' | 'offset';
  readonly params: readonly string[];
  readonly value: string;
  /** The numbers that the first page may have. */
  readonly bases: readonly number[];
}

/**
 * The step to a page behind a first page that nothing proves to be all; null where there is none. A page that only counts itself is
 * followed by its own parameter. Without any word about pages a new listing is asked for further records once, in three calls.
 */
export async function furtherByUsualWays(
  reading: Reading,
  { page, step }: { readonly page: Page; readonly step: Step },
): Promise<Step | null> {
  const { asked, items, style } = reading;
  const { forced, isDeclaredComplete } = asked;
  if (isDeclaredComplete) return null;
  const isNumbered = style.name === 'page' || style.name === 'offset';
  if (isNumbered && (reading.mayLook || forced !== null)) return lookBehind(reading, page);
  if (isNumbered || forced !== null) return null;
  if (style.name !== 'none' || items === 0 || !reading.isSketched) return null;
  const ways = waysOf(reading, { page, isStuck: step.kind === 'stuck' });
  if (ways.length === 0) return null;
  const way = await wayOn(reading, page, ways);
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
 * The ways that are tried: the usual ones behind a new listing, or one that has grown to a number at which servers cut. Behind the
 * longest children, and those that say that there are more, it is the way of the source's other listings; where there is none, the
 * usual ones behind a round number.
 */
function waysOf(
  { asked: { contract, resource, siblings }, items }: Reading,
  { page, isStuck }: { readonly page: Page; readonly isStuck: boolean },
): readonly Way[] {
  if (resource.parent === null) {
    const isNumbered = saysNumber(page);
    const isGrown = (isNumbered || mayBeCap(items)) && items >= (contract?.wholeItems ?? 0);
    const isNew = contract === undefined || isGrown;
    const isDue = isStuck || (isNew && (items >= FEW || isNumbered || isFull(page, items)));
    return isDue ? usualWays(items) : [];
  }
  const { elsewhere } = siblings;
  if (items < FEW && !(isStuck && elsewhere !== null)) return [];
  if (elsewhere === null) return isRoundNumber(items) && siblings.mayTry(items) ? usualWays(items) : [];
  if (!isStuck && !siblings.mayLook(items)) return [];
  const { name, param, start } = elsewhere;
  const base = start ?? 0;
  return name === 'page'
    ? [{ name, params: [param], value: String(base + 1), bases: [base] }]
    : [{ name: 'offset', params: [param], value: String(items), bases: [0] }];
}

function usualWays(items: number): readonly Way[] {
  return [
    { name: 'page', params: PAGE_PARAMS, value: '2', bases: [1, 0] },
    { name: 'offset', params: OFFSET_PARAMS, value: String(items), bases: [0] },
    // Pages that are counted from 0 may have no page 2.
    { name: 'page', params: PAGE_PARAMS, value: '1', bases: [0] },
  ];
}

/** Whether the page says which one it is: then there may be others, and none of the likeliest parameters returned one. */
function saysNumber({ signals: { numbers } }: Page): boolean {
  return (numbers.page ?? numbers.offset) !== undefined;
}

/** Whether the page says that its size is what it has. */
function isFull({ signals: { numbers } }: Page, items: number): boolean {
  return (numbers.pageSize ?? numbers.limit)?.value === items;
}

/** The step to the page behind one whose total and number of pages are its own length. */
function lookBehind(reading: Reading, page: Page): Step {
  reading.isCountWrong = true;
  return stepOf(stateOf(reading, page));
}

interface WayOn extends Pick<Way, 'name' | 'bases'> {
  readonly param: string;
}

/** The first of the ways that leads to other records; null where none does. */
async function wayOn(reading: Reading, page: Page, ways: readonly Way[]): Promise<WayOn | null> {
  const answers = await Promise.all(ways.map((way) => reading.reader.ask(together(page.target, way))));
  const led = answers.map((answer) => ledTo(reading, answer));
  for (const [index, way] of ways.entries()) {
    const by = led[index];
    if (by === 'repeated' || (by !== 'further' && index > 1)) continue;
    if (by === 'further' && way.params.length === 1) return { ...way, param: way.params[0] ?? '' };
    for (const param of way.params.slice(0, SINGLY[by ?? 'nothing'])) {
      const answer = await reading.reader.ask(withParam(page.target, param, way.value));
      if (ledTo(reading, answer) === 'further') return { ...way, param };
    }
  }
  return null;
}

/** A name in two cases goes once: a server that knows no case would read two values. */
function together(target: Target, { params, value }: Way): Target {
  const once = new Map(params.toReversed().map((param) => [param.toLowerCase(), param]));
  return {
    path: target.path,
    query: { ...target.query, ...Object.fromEntries([...once.values()].map((param) => [param, value])) },
  };
}

type Led = 'further' | 'repeated' | 'nothing' | 'refused';

function ledTo({ seen }: Reading, answer: Page | NoPage): Led {
  if (answer.kind === 'none') return 'refused';
  const sketch = seen.sketch(answer.records());
  answer.close();
  const { isRepeat, isKnown } = seen.compare(sketch);
  if (sketch.records === 0) return 'nothing';
  // Part of the first page may be what a filter has left of it.
  if (isKnown) return sketch.records >= seen.firstRecords() ? 'repeated' : 'nothing';
  return isRepeat ? 'repeated' : 'further';
}

/** The number by which the first page comes again as it was; null where none does, so that the way does not prove itself. */
async function baseOf(reading: Reading, page: Page, { param, bases }: WayOn): Promise<number | null> {
  for (const base of bases) {
    const answer = await reading.reader.ask(withParam(page.target, param, String(base)));
    if (answer.kind === 'none') continue;
    const sketch = reading.seen.sketch(answer.records());
    answer.close();
    if (sketch.records === reading.items && reading.seen.compare(sketch).isKnown) return base;
  }
  return null;
}
