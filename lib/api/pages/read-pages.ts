import { NO_PAGING, type PagingStyle, parsePaging } from '../../config/paging-style.ts';
import type { RawRow } from '../../lake/raw/raw.ts';
import type { Target } from '../../sources/resources.ts';
import { targetText } from '../call/call.ts';
import { ListingError } from '../codes.ts';
import { stuckCures } from '../contract/cures.ts';
import { firstPage } from './first-page.ts';
import type { ListingAsked, NoPage, Page, PageReader, PagesRead, Proof, Reading } from './reading.ts';
import { createSeenPages } from './sketch.ts';
import { type Step, stateOf, stepOf } from './step.ts';
import { styleOfSignals, withParam } from './style-of-signals.ts';
import { createTotals } from './totals.ts';

/** 1,000,000 records at 100 a page; at 20 calls a second 8 minutes. A child's pages delay its source. */
const PAGES_AT_MOST = { listing: 10_000, child: 1000 };
/** The most empty pages in a row from a server that says that there is more. */
const EMPTY_AT_MOST = 100;

type Go = Extract<Step, { kind: 'go' }>;

/** Reads a listing page by page and yields its rows. Throws ListingError at a contradiction. */
export async function* readPages(reader: PageReader, asked: ListingAsked): AsyncGenerator<RawRow, PagesRead> {
  const start = startOf(asked);
  const reading: Reading = {
    asked,
    reader,
    seen: createSeenPages(asked.resource, asked.hasIds),
    totals: createTotals(),
    style: start.style,
    base: start.style.start ?? 0,
    page: 0,
    items: 0,
    pageSize: 0,
    empty: 0,
    isCountWrong: false,
    isOnlyPage: false,
    envelope: null,
    found: null,
    refusedAt: null,
    last: undefined,
    count: 0,
  };
  const answer = await reader.ask(start.target);
  if (answer.kind === 'none') return await answer.fail();
  let page: Page = answer;
  if (!start.isKnown) reading.style = knownStyle(styleOfSignals(page.signals), asked);
  page = await firstPage(reading, page);
  yield* keep(reading, page);
  const opening = page;
  if (asked.forced?.name === 'none') return ended(reading, opening, 'declared');
  for (;;) {
    const step = stepOf(stateOf(reading, page));
    if (step.kind === 'stuck') {
      const { resource } = asked;
      const cures = stuckCures(step.code, resource, page.signals);
      throw new ListingError(step.code, step.says, { resource: resource.name, cures });
    }
    if (step.kind === 'end') return ended(reading, opening, step.proof);
    const next = await nextPage(reading, step);
    yield* reader.calls();
    if (typeof next === 'string') return ended(reading, opening, next);
    page.close();
    reading.page += 1;
    page = next;
    yield* keep(reading, page);
  }
}

/** How to request a listing first: by the setting, as for other parents, or by an earlier numbered paging. */
function startOf({ forced, contract, siblings, plain }: ListingAsked): {
  readonly style: PagingStyle;
  /** False: the first answer decides. */
  readonly isKnown: boolean;
  readonly target: Target;
} {
  if (forced !== null) {
    const { param, start, size } = forced;
    const from = start === null ? {} : { [param]: String(start) };
    const by = size === null ? {} : { [size.param]: String(size.value) };
    const target = { path: plain.path, query: { ...plain.query, ...from, ...by } };
    return { style: forced, isKnown: true, target };
  }
  const shown = contract?.firstPage === undefined ? null : parsePaging(contract.paging);
  const style = siblings.style() ?? (shown && { ...shown, start: contract?.firstPage ?? null });
  if (style === null || style.start === null) return { style: NO_PAGING, isKnown: false, target: plain };
  return { style, isKnown: true, target: withParam(plain, style.param, String(style.start)) };
}

/** The style as other parents have shown it meanwhile. Else a token's parameter is that of earlier days. */
function knownStyle(style: PagingStyle, { contract, siblings }: ListingAsked): PagingStyle {
  const before = contract === undefined ? null : parsePaging(contract.paging);
  if (style.name === 'cursor' && before?.name === 'cursor') return { ...style, param: before.param };
  return siblings.style() ?? style;
}

function ended(reading: Reading, opening: Page, proof: Proof): PagesRead {
  const { style, base, asked, page, items, pageSize } = reading;
  const wasNumbered = style.param !== '' && opening.target.query[style.param] !== undefined;
  if (asked.resource.parent !== null && (items > pageSize || wasNumbered))
    asked.siblings.note({ ...style, start: base }, wasNumbered);
  return { ...reading, opening, wasNumbered, pages: page + 1, proof, repeats: reading.seen.repeats() };
}

/** Yields the rows of a page; its records count from now on. */
async function* keep(reading: Reading, page: Page): AsyncGenerator<RawRow> {
  const { seen } = reading;
  let count = 0;
  const draft = seen.draft();
  // A listing without further pages has nothing to compare.
  const isCompared = reading.style.name !== 'none';
  yield* page.rows((records) => {
    checkParent(reading.asked, records);
    count += records.length;
    reading.last = records.at(-1) ?? reading.last;
    if (isCompared) draft.add(records);
  });
  reading.count = count;
  reading.items += count;
  reading.empty = count === 0 ? reading.empty + 1 : 0;
  reading.envelope ??= page.envelope;
  if (reading.page === 0) reading.pageSize = count;
  if (count > 0 || reading.page === 0) reading.totals.note(page.signals.totals, count);
  if (isCompared) seen.keep(draft);
}

/** A server or proxy that sends an extra answer shifts all later ones to the wrong parents. */
function checkParent(
  { resource, parentId, siblings, ignore }: ListingAsked,
  records: readonly unknown[],
): void {
  if (parentId === null) return;
  const field = siblings.otherParent(records, parentId);
  if (field === null || ignore.includes(field)) return;
  const setting = `resources.${resource.name}.ignore`;
  throw new ListingError('PARENT_MISMATCH', `The records name another parent in ${field}`, {
    resource: resource.name,
    cures: [{ setting, choices: [[field]], when: 'that is not the id of the parent' }],
  });
}

/** The page after a step, or the end that it shows. */
async function nextPage(reading: Reading, step: Go): Promise<Page | Proof> {
  const { asked, reader, seen } = reading;
  const resource = asked.resource.name;
  const most = PAGES_AT_MOST[asked.resource.parent === null ? 'listing' : 'child'];
  if (reading.page + 1 >= most || reading.empty >= EMPTY_AT_MOST) {
    const says = `The listing did not end after ${reading.page + 1} pages; the last ${reading.empty} had no record`;
    throw new ListingError('PAGING_ENDLESS', says, { resource });
  }
  const answer = await reader.ask(step.target);
  if (answer.kind === 'none') return await endByRefusal(reading, answer, step.isPromised);
  const sketch = seen.sketch(answer.records());
  const isRepeat = seen.isRepeat(sketch);
  // An empty page behind a full one may be a gap, if it leads on.
  const isGap = answer.signals.next !== null && reading.count > 0 && reading.count >= reading.pageSize;
  if (!isRepeat && (sketch.records > 0 || step.isPromised || isGap)) return answer;
  answer.close();
  if (isRepeat && step.isPromised) {
    const query = targetText(step.target).replace(/^[^?]*/, '');
    const says = `Page ${reading.page + 2} repeats an earlier one (${query})`;
    throw new ListingError('PAGING_LOOP', says, { resource });
  }
  return isRepeat ? 'repeated' : 'empty';
}

const CALL_IS_WRONG: ReadonlySet<number> = new Set([400, 404, 405, 406, 409, 410, 416, 422]);

/**
 * The end that a refused page shows. After full pages the server may not return more ("only the first 1,000
 * results are available"). If page 2 was promised, the way to it is wrong; a promised later page went away.
 */
async function endByRefusal(reading: Reading, answer: NoPage, isPromised: boolean): Promise<Proof> {
  const { items, pageSize, page, asked, style } = reading;
  const { status } = answer;
  // An answer without records anywhere is not a page.
  const isOther = status === 200 && !isPromised;
  if (status === null || !(isOther || CALL_IS_WRONG.has(status))) return await answer.fail();
  const isMissing = status === 404 || status === 410;
  if (isPromised && page > 0 && !isMissing) return await answer.fail();
  if (isPromised) {
    const by = style.param === '' ? style.name : style.param;
    const says = `The server refuses page ${page + 2}, which was requested by ${by} (HTTP ${status})`;
    const code = page === 0 ? 'PAGING_UNPROVEN' : 'LISTING_UNSTABLE';
    return await answer.fail(new ListingError(code, says, { resource: asked.resource.name }));
  }
  const isShort = items < (page + 1) * pageSize;
  if (isMissing || isShort || asked.isDeclaredComplete) return 'missing';
  reading.refusedAt = `HTTP ${status}`;
  return 'nothing';
}
