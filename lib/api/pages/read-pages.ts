import { type PagingStyle, parsePaging } from '../../config/paging-style.ts';
import type { RawRow } from '../../lake/raw/raw.ts';
import { stuckCures, withStyles } from '../contract/cures.ts';
import { ListingError } from '../listing-error.ts';
import { endlessText } from './endless.ts';
import { firstByNumber } from './first-by-number.ts';
import { FEW, furtherByUsualWays, MANY } from './further.ts';
import type { NoPage, Page, PageReader } from './page-reader.ts';
import { type ListingAsked, type PagesRead, type Reading, stateOf } from './reading.ts';
import { refusalOf } from './refusal.ts';
import { createSeenPages } from './sketch.ts';
import { startOf } from './start.ts';
import { isOpen, type Proof, type Step, stepOf } from './step.ts';
import { styleOfSignals } from './style-of-signals.ts';
import { pathOf } from './targets.ts';
import { tokenPage } from './token-page.ts';
import { createTotals } from './totals.ts';

/** Reads a listing page by page and gives its rows. Throws ListingError where the answers contradict themselves. */
export async function* readPages(reader: PageReader, asked: ListingAsked): AsyncGenerator<RawRow, PagesRead> {
  const { resource } = asked;
  const start = startOf(asked);
  const reading: Reading = {
    asked,
    reader,
    seen: createSeenPages(resource, asked.hasIds),
    totals: createTotals(),
    style: start.style,
    base: start.style.start ?? 0,
    page: 0,
    items: 0,
    pageSize: 0,
    empty: 0,
    isCountWrong: false,
    envelope: null,
    found: null,
    refusedAt: null,
    last: undefined,
    count: 0,
    mayLook: false,
    isSketched: true,
  };
  const answer = await reader.ask(start.target);
  if (answer.kind === 'none') return await answer.fail();
  let page: Page = answer;
  if (!start.isKnown) reading.style = knownStyle(styleOfSignals(page.signals), asked);
  page = await firstByNumber(reading, page);
  yield* keep(reading, page);
  const opening = page;
  if (asked.forced?.name === 'none') return ended(reading, opening, 'declared');
  for (;;) {
    let step: Step = stepOf(stateOf(reading, page));
    if (isOpen(step) && reading.page === 0) {
      const further = await furtherByUsualWays(reading, { page, step });
      if (further !== null) step = further;
    }
    if (step.kind === 'stuck') throw stuckError(reading, page, step);
    if (step.kind === 'end') return ended(reading, opening, step.proof);
    const next = await nextPage(reading, { page, step });
    yield* reader.calls();
    if (next.kind === 'end') return ended(reading, opening, next.proof);
    page.close();
    reading.page += 1;
    page = next.page;
    yield* keep(reading, page);
  }
}

/** A token's parameter is that of earlier days. */
function knownStyle(style: PagingStyle, { contract }: ListingAsked): PagingStyle {
  const before = contract === undefined ? null : parsePaging(contract.paging);
  return style.name === 'cursor' && before?.name === 'cursor' ? { ...style, param: before.param } : style;
}

/** The error of a page that says that there is more, and not how to get it. */
function stuckError(
  { asked: { resource, others } }: Reading,
  page: Page,
  { code, says }: Extract<Step, { kind: 'stuck' }>,
): ListingError {
  return new ListingError(code, says, {
    resource: resource.name,
    cures: withStyles(stuckCures(code, resource, page.signals), others),
  });
}

function ended(reading: Reading, opening: Page, proof: Proof): PagesRead {
  const { style, base, asked, page, items, pageSize } = reading;
  const wasNumbered = style.param !== '' && opening.target.query[style.param] !== undefined;
  if (asked.resource.parent !== null && (items > pageSize || wasNumbered))
    asked.siblings.note({ style, base, wasNumbered });
  return { ...reading, opening, wasNumbered, pages: page + 1, proof, repeats: reading.seen.repeats() };
}

/** Gives the rows of a page, whose records count from now on. */
async function* keep(reading: Reading, page: Page): AsyncGenerator<RawRow> {
  let count = 0;
  const sketch = reading.seen.draft();
  yield* page.rows((records) => {
    checkParent(reading.asked, records);
    count += records.length;
    reading.last = records.at(-1) ?? reading.last;
    if (isCompared(reading, count)) sketch.add(records);
    else reading.isSketched = false;
  });
  reading.count = count;
  reading.items += count;
  reading.empty = count === 0 ? reading.empty + 1 : 0;
  reading.envelope ??= page.envelope;
  if (reading.page === 0) reading.pageSize = count;
  if (count > 0 || reading.page === 0) reading.totals.note(page.signals.totals, count);
  if (isCompared(reading, count)) reading.seen.keep(sketch.end());
}

/** A server or proxy that sends one answer too many shifts all behind it: they come to the wrong parents. */
function checkParent(
  { resource, parentId, siblings, ignore }: ListingAsked,
  records: readonly unknown[],
): void {
  if (parentId === null) return;
  const field = siblings.parentField.otherParent(records, parentId);
  if (field === null || ignore.includes(field)) return;
  throw new ListingError('PARENT_MISMATCH', `The records name another parent in ${field}`, {
    resource: resource.name,
    cures: [
      {
        setting: `resources.${resource.name}.ignore`,
        choices: [[field]],
        when: 'that is not the id of the parent',
      },
    ],
  });
}

/** Whether later pages may be compared with a page of so many records. */
function isCompared({ style, asked }: Reading, count: number): boolean {
  if (style.name !== 'none') return true;
  if (asked.forced !== null || count > MANY) return false;
  return asked.resource.parent === null || asked.siblings.elsewhere !== null || count >= FEW;
}

type Next = { readonly kind: 'page'; readonly page: Page } | { readonly kind: 'end'; readonly proof: Proof };

/** The page behind a step, or the end that it shows. */
async function nextPage(
  reading: Reading,
  { page, step }: { readonly page: Page; readonly step: Extract<Step, { kind: 'go' }> },
): Promise<Next> {
  const { asked, reader, seen, style } = reading;
  const says = endlessText(reading.page + 1, reading.empty);
  if (says !== null) throw new ListingError('PAGING_ENDLESS', says, { resource: asked.resource.name });
  const answer =
    style.name === 'cursor' ? await tokenPage(reading, { page, step }) : await reader.ask(step.target);
  if (answer.kind === 'none') return await endByRefusal(reading, answer, step.isPromised);
  const sketch = seen.sketch(answer.records());
  const { isRepeat } = seen.compare(sketch);
  const isEmptyEnd = sketch.records === 0 && !step.isPromised;
  if (!isRepeat && !isEmptyEnd) return { kind: 'page', page: answer };
  answer.close();
  if (isRepeat && step.isPromised) {
    const again = `Page ${reading.page + 2} repeats an earlier one (${pathOf(step.target).replace(/^[^?]*/, '')})`;
    throw new ListingError('PAGING_LOOP', again, { resource: asked.resource.name });
  }
  return { kind: 'end', proof: isRepeat ? 'repeated' : 'empty' };
}

async function endByRefusal(reading: Reading, answer: NoPage, isPromised: boolean): Promise<Next> {
  const means = refusalOf(reading, { status: answer.status, isPromised });
  if (means === 'fails') return await answer.fail();
  if (means === 'PAGING_UNPROVEN' || means === 'LISTING_UNSTABLE') {
    const by = reading.style.param === '' ? reading.style.name : reading.style.param;
    const says = `The server refuses page ${reading.page + 2}, which was requested by ${by} (HTTP ${answer.status})`;
    return await answer.fail(new ListingError(means, says, { resource: reading.asked.resource.name }));
  }
  if (means === 'refused') reading.refusedAt = `HTTP ${answer.status}`;
  return { kind: 'end', proof: means === 'refused' ? 'nothing' : 'missing' };
}
