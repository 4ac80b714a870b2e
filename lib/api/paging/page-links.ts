import type { Container } from '../body/scan.ts';
import type { HeaderFields } from '../headers.ts';

/** A list of links is a few lines; a longer one is none. */
const LINKS_BYTES = 1024 * 1024;
/** Members that hold a link's relation, and its address, in lower case. */
const RELATIONS = ['rel', 'relation'];
const ADDRESSES = ['href', 'url', 'uri', 'link'];

/** The target of `rel="next"` in a Link header (RFC 8288). */
export function linkNext(headers: HeaderFields): string | null {
  const value = headers.link;
  if (value === undefined) return null;
  const text = Array.isArray(value) ? value.join(', ') : value;
  for (const [, target, parameters] of text.matchAll(/<([^>]*)>((?:\s*;\s*[^;,<]+)*)/g)) {
    if (/;\s*rel\s*=\s*"?([^";,]*\s)?next(\s[^";,]*)?"?\s*(;|$)/i.test(parameters ?? ''))
      return target ?? null;
  }
  return null;
}

/**
 * The address of the link with the relation `next` in a list of links, `[{"rel": "next", "href": "…"}]`; null where it
 * is null or empty, true where it has none; undefined where no link is the next page's.
 */
export function listedNext(
  { from, to }: Container,
  read: (from: number, to: number) => Buffer,
): string | true | null | undefined {
  if (to - from > LINKS_BYTES) return undefined;
  for (const link of linksIn(read(from, to).toString('utf8'))) {
    const members = new Map(Object.entries(link).map(([name, value]) => [name.toLowerCase(), value]));
    const relations = RELATIONS.flatMap((name) => members.get(name) ?? []).map((each) => String(each));
    if (!relations.some((each) => each.toLowerCase().split(/\s+/).includes('next'))) continue;
    const address = ADDRESSES.map((name) => members.get(name)).find((value) => value !== undefined);
    if (address === null || address === '') return null;
    return typeof address === 'string' ? address : true;
  }
  return undefined;
}

function linksIn(text: string): readonly object[] {
  try {
    const list: unknown = JSON.parse(text);
    return Array.isArray(list) ? list.filter((each) => typeof each === 'object' && each !== null) : [];
  } catch {
    return [];
  }
}
