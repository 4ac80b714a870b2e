export type StyleName = 'none' | 'link' | 'next' | 'cursor' | 'page' | 'offset';

/** How the pages of a listing are asked for. */
export interface PagingStyle {
  readonly name: StyleName;
  /** The query parameter of cursor, page and offset. */
  readonly param: string;
  /** The first page's number or offset; null where the first page is asked for without. */
  readonly start: number | null;
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
};
const STARTS: Readonly<Partial<Record<StyleName, number>>> = { page: 1, offset: 0 };
const ALIASES: Readonly<Record<string, string>> = {
  marker: 'cursor:marker',
  skip: 'offset:skip',
  odata: 'next',
};

export const NO_PAGING: PagingStyle = { name: 'none', param: '', start: null, size: null };

/** How `resources.NAME.paging` is written, for messages. */
export const PAGING_SYNTAX =
  'none, link, next, cursor[:PARAM], page[:PARAM[=FIRST]] or offset[:PARAM], each with ,SIZEPARAM=SIZE behind it if needed';

/** The style that a setting names (`page:page=1,per_page=100`, `offset:skip`, `none`); null where it is none. */
export function parsePaging(setting: string): PagingStyle | null {
  const text = ALIASES[setting.trim()] ?? setting.trim();
  const match = /^(none|link|next|cursor|page|offset)(?::([^=,]+)(?:=(\d+))?)?(?:,([^=,]+)=(\d+))?$/.exec(
    text,
  );
  if (match === null) return null;
  const [, name, param, start, sizeParam, size] = match;
  const style = name as StyleName;
  return {
    name: style,
    param: param ?? PARAMS[style],
    start: start === undefined ? (STARTS[style] ?? null) : Number(start),
    size: sizeParam === undefined ? null : { param: sizeParam, value: Number(size) },
  };
}

/** The setting's writing of a style. */
export function renderPaging({ name, param }: PagingStyle): string {
  return param === '' ? name : `${name}:${param}`;
}
