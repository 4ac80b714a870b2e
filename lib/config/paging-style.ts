export type StyleName = 'none' | 'link' | 'next' | 'cursor' | 'page' | 'offset' | 'range';

/** How the pages of a listing are requested. */
export interface PagingStyle {
  readonly name: StyleName;
  /** The query parameter of cursor, page and offset; for a link its relation if that is not `next`. */
  readonly param: string;
  /** The first page's number or offset; null if the request for the first page has none. */
  readonly start: number | null;
  /** The place of the next address or cursor: a member's path, or `header:NAME`. Null if its name is the place. */
  readonly place: string | null;
  /** A query parameter that sets the page's size. */
  readonly size: { readonly param: string; readonly value: number } | null;
}

const PARAMS: Readonly<Record<StyleName, string>> = {
  none: '',
  link: '',
  next: '',
  cursor: 'cursor',
  page: 'page',
  offset: 'offset',
  range: 'range',
};
const NAMES = Object.keys(PARAMS);
/** Styles with the next page somewhere in the answer. */
const PLACED: ReadonlySet<string> = new Set(['next', 'cursor']);
export const NO_PAGING: PagingStyle = { name: 'none', param: '', start: null, place: null, size: null };

/** How `resources.NAME.paging` is written, for messages. */
export const PAGING_SYNTAX =
  'none, link[:RELATION], next[@PLACE], cursor[:PARAM][@PLACE], page[:PARAM[=FIRST]], offset[:PARAM[=FIRST]] or range[:PARAM], each with ,SIZEPARAM=SIZE behind it if needed; PLACE is a member such as metadata.continue, header:NAME, or last:FIELD of the last record';

/**
 * The style that a setting names (`page:page=1,per_page=100`, `cursor:after@paging.next.after`,
 * `next@header:X-Next`, `link:older`, `none`); null for another text.
 */
export function parsePaging(setting: string): PagingStyle | null {
  const text = setting.trim();
  const [head, place] = cutAt(text, text.indexOf('@'));
  const [tail, size] = sizeOf(place ?? head);
  const [name, rest] = cutAt(place === null ? tail : head, (place === null ? tail : head).indexOf(':'));
  if (!NAMES.includes(name) || size === undefined || rest === '') return null;
  const style = name as StyleName;
  const [param, first] = cutAt(rest ?? '', (rest ?? '').indexOf('='));
  const start = first === null ? null : wholeNumber(first);
  if (start === undefined || (rest !== null && param === '')) return null;
  const isNumbered = style === 'page' || style === 'offset';
  if ((start !== null && !isNumbered) || (rest !== null && (style === 'none' || style === 'next')))
    return null;
  if (place !== null && (!PLACED.has(style) || tail === '')) return null;
  return {
    name: style,
    param: param === '' ? PARAMS[style] : param,
    start: start ?? (style === 'offset' ? 0 : null),
    place: place === null ? null : tail,
    size,
  };
}

/** `PLACE,per_page=100` → the place and the size; undefined if the size is wrong. */
function sizeOf(text: string): readonly [string, PagingStyle['size'] | undefined] {
  const [rest, size] = cutAt(text, text.lastIndexOf(','));
  if (size === null) return [rest, null];
  const [param, value] = cutAt(size, size.indexOf('='));
  const number = value === null ? undefined : wholeNumber(value);
  return [rest, param === '' || number === undefined ? undefined : { param, value: number }];
}

function cutAt(text: string, at: number): readonly [string, string | null] {
  return at === -1 ? [text, null] : [text.slice(0, at), text.slice(at + 1)];
}

function wholeNumber(text: string): number | undefined {
  return /^\d{1,9}$/.test(text) ? Number(text) : undefined;
}

const OF_LAST = 'last:';

/** The last record's field for the next page, as Stripe's `starting_after`; null without one. */
export function lastFieldOf(style: PagingStyle | null): string | null {
  const place = style?.name === 'cursor' ? style.place : null;
  return place?.startsWith(OF_LAST) === true ? place.slice(OF_LAST.length) : null;
}

/** A style in the form of the setting. */
export function renderPaging({ name, param, place }: Pick<PagingStyle, 'name' | 'param' | 'place'>): string {
  return `${name}${param === '' ? '' : `:${param}`}${place === null ? '' : `@${place}`}`;
}
