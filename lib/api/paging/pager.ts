import {
  NO_PAGING,
  PAGING_SYNTAX,
  type PagingStyle,
  parsePaging,
  renderPaging,
} from '../../config/paging-style.ts';
import type { Resource, Target } from '../../sources/resources.ts';
import type { Source } from '../../sources/source.ts';
import type { ApiCode } from '../codes.ts';
import type { Dialect } from '../dialect.ts';
import { ListingError } from '../listing-error.ts';
import type { Shape } from '../records/envelope.ts';
import type { Answer } from '../reply.ts';
import { type PageFacts, pageFacts } from './page-facts.ts';
import { createPageProof, type PageProof } from './page-proof.ts';
import { stepOf } from './page-step.ts';
import { styleOfFacts } from './style-of-facts.ts';
import { createTotals } from './totals.ts';

export interface PagerOptions {
  readonly source: Source;
  readonly resource: Resource;
  /** What the listing is asked with. */
  readonly target: Target;
  readonly lock: Dialect | undefined;
}

/** Follows a listing from page to page, as long as the pages prove that they are pages. */
export interface Pager {
  /** What the first page is asked with. */
  readonly first: Target;
  /** Reads what a page says about the others, before its records are looked at. Throws ListingError. */
  readonly open: (page: { readonly answer: Answer; readonly shape: Shape }) => void;
  readonly look: (records: readonly unknown[]) => void;
  /** Ends the page of so many records: what the next one is asked with, null behind the last. Throws ListingError. */
  readonly next: (count: number) => Target | null;
  readonly found: () => Omit<Dialect, 'envelope'>;
}

/** 1,000,000 records at 100 a page; at 20 calls a second 8 minutes. */
const MAX_PAGES = 10_000;

/** A pager of one listing. @see docs/answers.md, "Paging" */
export function createPager({ source, resource, target: plain, lock }: PagerOptions): Pager {
  const setting = source.resources[resource.name]?.paging;
  const forced = setting === undefined ? null : parsePaging(setting);
  let proof: PageProof | null = null;
  const totals = createTotals();
  const first = forced === null ? plain : firstTarget(plain, forced);
  /** Targets asked for before; most listings are one page. */
  let asked: Set<string> | null = null;
  let style: PagingStyle = forced ?? NO_PAGING;
  let facts: PageFacts | null = null;
  let target = first;
  let page = 0;
  let items = 0;
  let base = 0;
  let pageSize = 0;
  let ended = false;

  function open({ answer, shape }: { readonly answer: Answer; readonly shape: Shape }): void {
    if (setting !== undefined && forced === null) {
      throw error(
        'PAGING_UNPROVEN',
        `The setting paging is ${JSON.stringify(setting)}, not ${PAGING_SYNTAX}`,
      );
    }
    facts = pageFacts({
      headers: answer.headers,
      root: answer.body?.scan.container ?? null,
      place: shape.place,
      read: answer.body?.read ?? noBytes,
    });
    if (page > 0) return;
    if (forced === null) style = styleOfFacts(facts);
    const declared = style.name === 'page' ? facts.numbers.page : facts.numbers.offset;
    base = declared?.value ?? style.start ?? (style.name === 'page' ? 1 : 0);
  }

  function next(count: number): Target | null {
    if (facts === null || forced?.name === 'none') return null;
    items += count;
    if (page === 0) pageSize = count;
    totals.note(facts.numbers.total, count);
    if (proof?.endPage()) throw repetition();
    const step = stepOf({
      style,
      facts,
      baseUrl: source.baseUrl,
      target,
      page,
      count,
      items,
      base,
      pageSize,
      total: totals.latest(),
    });
    if (step.kind === 'error') throw error(step.code, step.what);
    return step.kind === 'last' ? end() : go(step.target);
  }

  function go(to: Target): Target {
    asked ??= new Set([keyOf(first)]);
    if (asked.has(keyOf(to)))
      throw error('PAGING_LOOP', `Page ${page + 1} names as the next a page that was read before`);
    asked.add(keyOf(to));
    page += 1;
    if (page >= MAX_PAGES) throw error('PAGING_ENDLESS', `${MAX_PAGES} pages have not come to an end`);
    target = to;
    return to;
  }

  function end(): null {
    const complaint = totals.complaint(items);
    if (complaint !== null) throw error('TOTAL_MISMATCH', complaint);
    if (lock !== undefined && lock.paging !== 'none' && style.name === 'none' && items > 0) {
      if (items === lock.pageSize) throw error('SHAPE_CHANGED', lostPages(lock.paging, items));
    }
    ended = true;
    return null;
  }

  function repetition(): ListingError {
    const guessed = style.param !== '' && page === 1;
    const why = guessed ? ` (the parameter ${style.param} is not followed)` : '';
    return error(
      guessed ? 'PAGING_UNPROVEN' : 'PAGING_LOOP',
      `Page ${page + 1} repeats an earlier one${why}`,
    );
  }

  function error(code: ApiCode, what: string): ListingError {
    return new ListingError(code, what, { resource: resource.name });
  }

  function found(): Omit<Dialect, 'envelope'> {
    const total = totals.name();
    const evidence = [
      `paging ${style.name} by ${forced === null ? 'what the first page says' : 'the setting'}`,
      page === 0 ? 'one page' : `${page + 1} pages, each with other records`,
      ...(ended && total !== null ? [`${total} declares the ${items} records that came`] : []),
      ...(total === null ? ['no total declared'] : []),
    ];
    const size = page === 0 ? {} : { pageSize };
    return { paging: renderPaging(style), ...(total === null ? {} : { total }), ...size, evidence };
  }

  const look = (records: readonly unknown[]): void => {
    if (style.name === 'none') return;
    proof ??= createPageProof(resource);
    proof.add(records);
  };

  return { first, open, look, next, found };
}

const noBytes = () => Buffer.alloc(0);

function lostPages(paging: string, items: number): string {
  return `There were pages (${paging}); now there are ${items} records, as many as a page had, and no sign of more`;
}

/** A named style asks for its first page by name: some servers page only then (docs/real-systems.md). */
function firstTarget({ path, query }: Target, { param, start, size }: PagingStyle): Target {
  const from = start === null ? {} : { [param]: String(start) };
  const by = size === null ? {} : { [size.param]: String(size.value) };
  return { path, query: { ...query, ...from, ...by } };
}

function keyOf({ path, query }: Target): string {
  return `${path}?${new URLSearchParams(query)}`;
}
