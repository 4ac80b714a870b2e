import type { FixtureAnswer } from '#simulator/fixture-server.ts';
import { bodyOf } from './body-of-shape.ts';
import { type Day, entriesOf, ID_FORMS } from './records-of-shape.ts';
import type { Shape } from './shape.ts';
import { ERROR_MEMBERS, headerName, IDLE_HEADERS, IDLE_MEMBERS, type Meaning } from './words.ts';

/** A body with the ids as the server writes them. */
function withWrittenIds(shape: Shape, text: string): string {
  const { written } = ID_FORMS[shape.id];
  return written === undefined
    ? text
    : text.replaceAll(/(\\?"Id\\?":)(\d+)/g, (_, name: string, id: string) => name + written(Number(id)));
}

interface Asked {
  readonly day: Day;
  /** Origin of the server. */
  readonly origin: string;
  /** Path with query. */
  readonly url: string;
  readonly salt?: number;
}

/** What an API of that shape answers. */
export function answerOf(shape: Shape, { day, origin, url, salt }: Asked): FixtureAnswer {
  const { pathname, searchParams } = new URL(url, origin);
  const isKnown = [...searchParams.keys()].every(
    (name) => name === (shape.style === 'all' ? '' : shape.param),
  );
  if (!isKnown && shape.unknown === 'refused')
    return { status: 400, body: '{"detail":"Unknown parameter."}' };
  const all = isKnown || shape.unknown === 'ignored' ? entriesOf(shape, day, salt) : [];
  const page = pageOf(shape, searchParams, all.length);
  if (page === null) return { status: 404, body: '{"detail":"Invalid page."}' };
  const failing = day === 1 && shape.error !== null && page.from === 0;
  const keeps = (failing && shape.error?.keeps) || 'all';
  const kept = { none: 0, some: Math.floor(page.size / 2), all: page.size }[keeps];
  const records = all.slice(page.from, page.from + kept);
  const isWhole = salt !== undefined && records.length === all.length;
  const here = `${origin}${pathname}`;
  const says = saidOf(shape, { page, total: all.length, here, records: records.length });
  const errors = failing ? (ERROR_MEMBERS[shape.error?.kind ?? 0] ?? {}) : {};
  const headers: Record<string, string> = { 'content-type': 'application/json' };
  for (const index of shape.idleHeaders) {
    const [name, value] = IDLE_HEADERS[index] ?? ['x-none', ''];
    headers[name] = value;
  }
  if (shape.style === 'link')
    headers['link'] = linksOf(shape, { page, total: all.length, here: `${origin}${pathname}` });
  if (shape.linksLast) {
    const to = (number: number) => `<${origin}${pathname}?${shape.param}=${number}>`;
    const last = shape.firstPage + Math.max(0, Math.ceil(all.length / shape.pageSize) - 1);
    headers['link'] = `${to(shape.firstPage)}; rel="first", ${to(last)}; rel="last"`;
  }
  if (shape.where === 'header')
    for (const [name, value] of Object.entries(says))
      if (value !== null) headers[headerName(name)] = String(value);
  const idle = Object.fromEntries(
    [...shape.idle, ...(day === 1 && shape.late !== null ? [shape.late] : [])].map((index) => {
      const { name, value } = IDLE_MEMBERS[index] ?? { name: 'none', value: null };
      return [name, value];
    }),
  );
  const body = bodyOf(shape, {
    records,
    says: shape.where === 'header' ? {} : says,
    // A failure with the name of an earlier fact replaces it.
    idle: { ...idle, ...errors },
    isWhole,
  });
  const text = JSON.stringify(body);
  return { headers, body: withWrittenIds(shape, text) };
}

interface Page {
  readonly from: number;
  readonly size: number;
  readonly number: number;
}

function pageOf(shape: Shape, query: URLSearchParams, count: number): Page | null {
  const { style, pageSize, firstPage, param } = shape;
  if (style === 'all') return { from: 0, size: count, number: 0 };
  const first = style === 'page' ? firstPage : style === 'offset' ? 0 : 1;
  const asked = query.get(param);
  let from = 0;
  if (style === 'token') from = asked === null ? 0 : tokenValue(asked);
  else if (style === 'offset') from = Number(asked ?? 0);
  else from = (Number(asked ?? first) - first) * pageSize;
  if (!Number.isInteger(from) || from < 0) from = 0;
  if (from >= count && from > 0 && shape.beyond === 'refused') return null;
  let number = style === 'offset' ? from : Math.floor(from / pageSize) + first;
  if (style === 'link' || style === 'next') number = Math.floor(from / pageSize) + 1;
  return { from, size: Math.max(0, Math.min(pageSize, count - from)), number };
}

function linksOf(
  { pageSize }: Shape,
  { page, total, here }: { readonly page: Page; readonly total: number; readonly here: string },
): string {
  const isLast = page.from + pageSize >= total;
  return isLast ? '' : `<${here}?page=${page.number + 1}>; title="next, or more"; rel="next"`;
}

const tokenOf = (offset: number) => Buffer.from(`o:${offset}`).toString('base64url');
const tokenValue = (token: string) =>
  Number(/^o:(\d+)$/.exec(Buffer.from(token, 'base64url').toString())?.[1] ?? 0);

/** The members that speak of pages, by their names. */
function saidOf(
  shape: Shape,
  { page, total, here, records }: { page: Page; total: number; here: string; records: number },
): Record<string, unknown> {
  const { style, pageSize, words, says, end, link, where } = shape;
  const upTo = page.from + pageSize;
  const isLast = style === 'all' || page.from + page.size >= total;
  const said: Partial<Record<Meaning, unknown>> = {};
  const after = (missing: EndValue): unknown =>
    ({
      null: null,
      blank: '',
      absent: undefined,
      minus: -1,
      'more-false': missing.stale,
      stale: missing.stale,
    })[end];
  if (style === 'next') {
    const address = {
      absolute: `${here}?page=${page.number + 1}`,
      relative: `${new URL(here).pathname}?page=${page.number + 1}`,
      query: `?page=${page.number + 1}`,
    };
    const form = where === 'header' && link === 'object' ? 'absolute' : link;
    const next = form === 'object' ? { href: address.absolute } : address[form];
    said.next = isLast ? after({ stale: null }) : next;
  }
  if (style === 'token')
    said.token = isLast ? after({ stale: tokenOf(Math.min(upTo, total)) }) : tokenOf(upTo);
  for (const meaning of says) {
    if (meaning === 'total') said.total = numberText(shape, shape.ownTotal ? records : total);
    if (meaning === 'size') said.size = numberText(shape, pageSize);
    if (meaning === 'more') said.more = flagText(shape, !isLast);
    if (meaning === 'number') said.number = numberText(shape, page.number);
    if (meaning === 'offset') said.offset = numberText(shape, page.from);
    if (meaning === 'pages') said.pages = numberText(shape, Math.ceil(total / pageSize));
  }
  return Object.fromEntries(
    Object.entries(said).flatMap(([meaning, value]) =>
      value === undefined ? [] : [[words[meaning as Meaning], value]],
    ),
  );
}

interface EndValue {
  readonly stale: unknown;
}

function numberText({ numbers }: Shape, value: number): unknown {
  if (numbers === 'number') return value;
  return numbers === 'thousands' ? value.toLocaleString('en-US') : String(value);
}

function flagText({ flags }: Shape, value: boolean): unknown {
  return { boolean: value, word: String(value), number: Number(value), letter: value ? 'Y' : 'N' }[flags];
}
