import { lastFieldOf, NO_PAGING, type PagingStyle, parsePaging } from '../../config/paging-style.ts';
import type { Cure } from '../../sources/question.ts';
import type { Target } from '../../sources/resources.ts';
import { createEndFlags } from '../beside/end-flags.ts';
import { type PageFacts, pageFacts } from '../beside/page-facts.ts';
import type { ApiCode } from '../codes.ts';
import type { Dialect } from '../dialect.ts';
import type { ListingError } from '../listing-error.ts';
import { createShown } from '../shown.ts';
import { isControlDue, isGapDue, isPlainDue, isShownBy, isSizeDue } from './control-due.ts';
import { createCutPages, cutCures, cutText } from './cut-pages.ts';
import { answerFault, completeOrPaged, type EndFault, endFault, type ReadPages } from './end-fault.ts';
import { endlessText } from './endless.ts';
import { foundPaging } from './found-paging.ts';
import { createFurtherTries, type LedTo, ledTo } from './further-tries.ts';
import { lastTokenReader } from './last-token.ts';
import { createPageProof, NOT_COMPARED, type PageProof } from './page-proof.ts';
import { curesOfStep, type End, stepOf } from './page-step.ts';
import { controlTarget, firstTarget, keyOf, pathOf, withParam } from './page-target.ts';
import { otherParams, overlapError, stylesOf, totalCures } from './paging-cures.ts';
import {
  isCallWrong,
  pagingError,
  refusalOf,
  rejectGrown,
  rejectMoved,
  startsEarly,
  startsLate,
  unreadText,
} from './paging-error.ts';
import { saysOwnLength, styleOfFacts } from './style-of-facts.ts';
import { createToldOnPages, saysIfEmpty } from './told-on-pages.ts';
import { createTotals } from './totals.ts';
import type { OpenedPage, Pager, PagerOptions, Turn } from './turn.ts';

/** A pager of one listing. @see docs/answers.md, "Paging" */
export function createPager(options: PagerOptions): Pager {
  const { source, resource, target: plain, lock, form, shown = createShown() } = options;
  const settings = source.resources[resource.name];
  const setting = settings?.paging;
  const ignore = settings?.ignore ?? [];
  const forced = setting === undefined ? null : parsePaging(setting);
  const totals = createTotals();
  const cuts = createCutPages();
  const told = createToldOnPages(ignore);
  const endFlags = createEndFlags(shown);
  const isDeclaredComplete = settings?.complete === true;
  const listing = { resource, lock, form, shown, isDeclaredComplete };
  const tries = createFurtherTries(resource.parent === null && setting === undefined && !isDeclaredComplete);
  const lastField = lastFieldOf(forced);
  const readLast = lastField === null ? null : lastTokenReader(lastField);
  let last: unknown = null; // The last record of the page.
  const first = forced === null ? plain : firstTarget(plain, forced);
  let proof: PageProof | null = null;
  /** Targets asked for before; most listings are one page. */
  let asked: Set<string> | null = null;
  let style: PagingStyle = forced ?? NO_PAGING;
  let facts: PageFacts | null = null;
  let opening: PageFacts | null = null; // Of the first page.
  let target = first;
  let probe = false;
  let page = 0;
  let items = 0;
  let base = 0;
  /** True while the first page's number is unknown: it is 0, unless page 1 gives the first page again. */
  let isBaseOpen = false;
  let pageSize = 0;
  let empty = 0;
  let end: End | null = null;
  /** What has ended the listing, if the server reads the parameter of the pages. */
  let openEnd: End | null = null;
  let wasControlAskedAgain = false;
  let doubt: EndFault | null = null;
  let looked = 0;
  let isBeyond = false; // The page behind an empty one is asked for.
  let isPlain = false; // The listing is asked for without the number of the first page, which has no record.

  function open({ envelope, nulls, ...answer }: OpenedPage): void {
    const ask = { ignore, target: pathOf(target), follow: forced, isChild: resource.parent !== null };
    facts = pageFacts({ ...answer, ...ask });
    told.open(page, { envelope, nulls });
    if (opening !== null) return;
    opening = facts;
    const early = startsLate(facts, { style: forced, resource });
    if (early !== null) throw early;
    if (forced === null) style = styleOfFacts(facts, target.query);
    const declared = style.name === 'page' ? facts.numbers.page : facts.numbers.offset;
    const known = declared?.value ?? style.start ?? lock?.firstPage;
    isBaseOpen = style.name === 'page' && known === undefined;
    base = known ?? 0;
  }

  function next(count: number): Turn {
    if (facts === null) return { target: null, isKept: true };
    if (forced?.name === 'none') {
      told.note(facts, count);
      failOrDoubt(answerFault(foundSoFar()));
      return { target: null, isKept: true };
    }
    if (readLast !== null) facts = { ...facts, token: count === 0 ? null : readLast(last) };
    const compared = proof?.endPage() ?? NOT_COMPARED;
    const { isRepeated, isInFirst } = compared;
    looked = 0;
    if (tries.isTrying()) return tryNext(ledTo(count, compared));
    if (openEnd !== null) return controlled(count);
    if (isBeyond) return beyond(count > 0 && !isRepeated);
    if (isPlain) return plainly(count);
    if (isBaseOpen && page === 1) {
      isBaseOpen = false;
      if (isRepeated || isInFirst) return onceMore(count);
    }
    if (endFlags.isRight(count > 0 && !isRepeated && !isInFirst)) return endBefore('said');
    if (isRepeated && !probe) throw repetition();
    if (isRepeated) {
      // Only both settings together say that the parameter is right and one page is all.
      const isVouched = forced !== null && isDeclaredComplete;
      const isShown = isShownBy(lock, style) || isShownBy(form, style) || saysAsked();
      if (page < 2 && !isVouched && !isShown) throw repetition();
      return endBefore('repeated');
    }
    if (page === 0 && forced === null && saysOwnLength(facts, count)) style = NO_PAGING;
    if (page === 1) rejectGrown({ resource, style, first, base, pageSize, count });
    if (compared.isOverlap && settings?.id === undefined) throw overlapError(page, resource);
    items += count;
    cuts.note(facts.cut, count);
    // An empty page is no part of a listing that goes on: it says so of a failure.
    if (count === 0 && facts.cut?.value === true) finish('empty');
    empty = count === 0 ? empty + 1 : 0;
    if (page === 0) pageSize = count;
    told.note(facts, count);
    const ranges = facts.ranges.map(({ name, total: value }) => ({ name, value }));
    if (count > 0 || page === 0) totals.note([...facts.totals, ...ranges], count);
    const pages = { page, count, pageSize, items };
    const fullPage = resource.parent === null ? null : (lock?.pageSize ?? null);
    const { more } = facts;
    const isEndShown = isDeclaredComplete || endFlags.isShown(more);
    const read = { ...pages, style, total: totals.latest(), base, baseUrl: source.baseUrl };
    const step = stepOf({ ...read, facts, target, fullPage, isEndShown });
    if (step.kind === 'error')
      throw error(step.code, step.what, curesOfStep(step.code, { facts, resource: resource.name }));
    if (step.kind === 'go') {
      if (more?.value === false && wasAsked(step.target)) return ended('said', true);
      endFlags.goesOn(more);
      return { target: go(step.target, step.promised && !isBaseOpen), isKept: true };
    }
    const { by } = step;
    const lastAsked = { ...listing, ...pages, style, first };
    if (isControlDue({ ...lastAsked, by })) return { target: control(by), isKept: true };
    if (facts.unexplained.length === 0 && tries.areDue({ by, items, page, lock }))
      return { ...tryNext(), isKept: true };
    if (isPlainDue(lastAsked)) {
      isPlain = true;
      return { target: go(plain, false), isKept: true };
    }
    if (isGapDue({ ...lastAsked, by })) {
      isBeyond = true;
      return { target: go(withParam(target, style.param, String(base + page + 1)), false), isKept: true };
    }
    return ended(by, true);
  }

  /** Whether the page says that it has the number that was asked for. */
  function saysAsked(): boolean {
    const { page: number, offset } = facts?.numbers ?? {};
    return style.name === 'page' ? number?.value === base + page : offset?.value === base + items;
  }

  /** The end of the pages, unless the first one has to be asked for by its number before. */
  function ended(by: End, isKept: boolean): Turn {
    const read = { ...listing, style, first, pageSize, items, total: totals.latest() };
    if (openEnd === null && isSizeDue({ ...read, isFurtherAsked: asked !== null }))
      return { target: control(by), isKept };
    finish(by);
    return { target: null, isKept };
  }

  /** Behind the first empty page. One that has records again is followed by nobody. */
  function beyond(hasMore: boolean): Turn {
    if (hasMore)
      throw error('LISTING_UNSTABLE', `Page ${page} has no record, and page ${page + 1} has some again`);
    return endBefore('empty');
  }

  /** Without the number of the first page there may be records: then it is not the first. */
  function plainly(count: number): Turn {
    if (count > 0) throw startsEarly({ style, count, resource });
    return endBefore('empty');
  }

  /** Asks for the first page by its number, or with a parameter that no server knows. Null where its number is known to be right. */
  function control(by: End): Target | null {
    const to = controlTarget({ first, target, style, base });
    openEnd = asked?.has(keyOf(to)) === true ? null : by;
    if (openEnd === null) finish(by);
    return openEnd && go(to, false);
  }

  /** Where the first page comes again, the parameter is read or passed over: an empty page behind it is the end. */
  function controlled(count: number): Turn {
    if (count === 0) throw unknownParam(unreadText(page, style));
    rejectGrown({ resource, style, first, base, pageSize, count });
    shown.noteRead(style.param);
    return endBefore(openEnd ?? 'empty');
  }

  /** The next usual way to further pages, after what the one before has led to; behind the last the listing ends. */
  function tryNext(led: LedTo = 'nothing', isLast = false): Turn {
    page = 0;
    tries.end(led, isLast);
    const query = tries.next();
    if (query === null) finish('nothing');
    const target = query && go({ path: first.path, query: { ...first.query, ...query } }, false);
    return { target, isKept: false };
  }

  /** The page that was asked for is none. */
  function endBefore(by: End): Turn {
    page -= 1;
    return ended(by, false);
  }

  function refused(status: number | null): Turn | null {
    // A server that does not answer at all is not asked again.
    if (tries.isTrying()) return tryNext('nothing', status === null || status >= 500);
    if (isBeyond) return beyond(false);
    if (isPlain) return endBefore('empty');
    // A look that brings no JSON once, such as a web page, costs nobody its records.
    if (openEnd !== null && status === 200 && !wasControlAskedAgain) {
      wasControlAskedAgain = true;
      return { target, isKept: false };
    }
    if (isCallWrong(status ?? 500) && endFlags.isRight(false)) return endBefore('said');
    const read = { page, pageSize, items, total: totals.latest(), isDeclaredComplete, isProbe: probe };
    const means = refusalOf({ ...read, status, isControl: openEnd !== null });
    if (means === 'nothing') return null;
    if (means === 'end') return endBefore(openEnd ?? 'empty');
    const by = style.param === '' ? (facts?.nextUrl?.name ?? style.name) : style.param;
    const says = `The server refuses page ${page + 1}, which was asked for by ${by} (HTTP ${status})`;
    const isFollowed = probe && items > pageSize;
    throw error(means, says, isFollowed ? completeOrPaged(resource, `${items} are all`) : undefined);
  }

  /** Page 1 gives the first page again, so pages are counted from 1, and page 2 is the second. */
  function onceMore(count: number): Turn {
    rejectGrown({ resource, style, first, base: 1, pageSize, count });
    base = 1;
    page = 0;
    return { target: go(withParam(target, style.param, '2'), false), isKept: false };
  }

  const wasAsked = (to: Target): boolean => asked?.has(keyOf(to)) ?? keyOf(to) === keyOf(first);

  function go(to: Target, promised: boolean): Target {
    if (wasAsked(to))
      throw error('PAGING_LOOP', `Page ${page + 1} names as the next a page that was read before`);
    asked ??= new Set([keyOf(first)]);
    asked.add(keyOf(to));
    page += 1;
    const endless = endlessText(page, empty);
    if (endless !== null) throw error('PAGING_ENDLESS', endless);
    target = to;
    probe = !promised;
    return to;
  }

  function finish(by: End): void {
    const failure = cuts.failure();
    if (failure !== null) throw error('API_ERROR', cutText(failure), cutCures(failure, resource));
    const complaint = totals.complaint(items);
    if (complaint !== null) throw error('TOTAL_MISMATCH', complaint, totalCures(totals.name(), resource));
    const moves = { hasChanged: totals.moved() || told.soFar().isShrunk, repeats: proof?.repeats() ?? 0 };
    if (page > 0 && !isDeclaredComplete) rejectMoved({ resource, pages: page + 1, ...moves });
    end = by;
    failOrDoubt(endFault(foundSoFar()));
  }

  function failOrDoubt(fault: EndFault | null): void {
    if (fault?.isDoubt === true) doubt = fault;
    else if (fault !== null) throw error(fault.code, fault.says, fault.cures);
  }

  function foundSoFar(): ReadPages {
    const soFar = told.soFar();
    return {
      ...listing,
      setting,
      style,
      end: end ?? 'nothing',
      pages: page + 1,
      unexplained: (opening?.unexplained ?? []).filter((said) => !saysIfEmpty(said, soFar.items)),
      ...soFar,
      further: tries.further(),
      hasTotal: totals.latest() !== null,
    };
  }

  function repetition(): ListingError {
    const guessed = style.param !== '' && page === 1;
    const why = guessed ? ` (the parameter ${style.param} is not followed)` : '';
    const says = `Page ${page + 1} repeats an earlier one${why}`;
    if (!guessed) return error('PAGING_LOOP', says);
    return unknownParam(says);
  }

  /** That a parameter is right although no page shows it, takes a second word of the config. */
  function unknownParam(says: string): ListingError {
    const vouched = `the parameter is right, and ${items} is the right number today`;
    const cures =
      forced === null ? otherParams({ resource, style, facts: opening }) : completeOrPaged(resource, vouched);
    return error('PAGING_UNPROVEN', says, cures);
  }

  function error(code: ApiCode, what: string, cures?: readonly Cure[]): ListingError {
    const unexplained = forced === null ? (opening?.unexplained ?? []) : [];
    return pagingError({ code, what, cures }, { resource, unexplained, others: stylesOf(source), setting });
  }

  function found(): Omit<Dialect, 'envelope'> {
    const read = { lock, style, totals, page, items, pageSize, base };
    const { flags, words, times, isShrunk, items: wholeItems } = told.soFar();
    const known = { isSet: forced !== null, names: opening?.names ?? [], isShrunk };
    // Children are many: their words are put together by plan, and each has its own number.
    const said = { flags, ...(resource.parent === null ? { words, times, wholeItems } : { words: [] }) };
    return foundPaging({ ...read, ...known, ...said, hasEnded: end !== null, isInDoubt: doubt !== null });
  }

  const look = (records: readonly unknown[]): void => {
    told.look(records);
    if (style.name === 'none' && !tries.areCompared(looked)) return;
    looked += records.length;
    last = records.at(-1) ?? last;
    proof ??= createPageProof(resource);
    proof.add(records);
  };

  return {
    first,
    isProbe: () => probe,
    isTrying: tries.isTrying,
    ahead: tries.ahead,
    open,
    look,
    next,
    refused,
    again: () => tryNext('repeated'),
    found,
    words: () => told.soFar().words,
    doubt: () => doubt,
  };
}
