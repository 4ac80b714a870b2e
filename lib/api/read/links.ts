/** Members that hold a link's relation, and its address, in lower case. */
const RELATIONS = ['rel', 'relation', 'type'];
const ADDRESSES = ['href', 'url', 'uri', 'link'];

/** The target of the first link with this relation in a Link header (RFC 8288); null if there is none. */
export function linkOf(header: string | string[] | undefined, relation: string): string | null {
  if (header === undefined) return null;
  const text = Array.isArray(header) ? header.join(', ') : header;
  const wanted = relation.toLowerCase();
  return linksIn(text).find(({ relations }) => relations.includes(wanted))?.target ?? null;
}

export interface Link {
  readonly target: string;
  /** In lower case. */
  readonly relations: readonly string[];
}

/** The links of a header, in one pass. Commas and semicolons in `<…>` and in quotes separate nothing. */
export function linksIn(text: string): readonly Link[] {
  const links: Link[] = [];
  let at = 0;
  while (at < text.length) {
    const open = text.indexOf('<', at);
    const close = open === -1 ? -1 : text.indexOf('>', open);
    if (close === -1) break;
    const { relations, end } = parametersFrom(text, close + 1);
    links.push({ target: text.slice(open + 1, close).trim(), relations });
    at = end;
  }
  return links;
}

/** The relations among a link's parameters, and where the link ends: at the first comma outside quotes. */
function parametersFrom(
  text: string,
  from: number,
): { readonly relations: readonly string[]; readonly end: number } {
  let relations: readonly string[] | null = null;
  let at = from;
  while (at < text.length && text[at] !== ',') {
    const begin = at + 1;
    let value: string | null = null;
    let equals = -1;
    for (at = begin; at < text.length && text[at] !== ';' && text[at] !== ','; at++) {
      if (text[at] === '=' && equals === -1) equals = at;
      if (text[at] !== '"') continue;
      const quoted = quotedFrom(text, at);
      value = quoted.value;
      at = quoted.end - 1;
    }
    const name = text
      .slice(begin, equals === -1 ? at : equals)
      .trim()
      .toLowerCase();
    if (name !== 'rel' || equals === -1) continue;
    // The first one counts (RFC 8288, 3.3).
    relations ??= (value ?? text.slice(equals + 1, at)).trim().toLowerCase().split(/\s+/);
  }
  return { relations: relations ?? [], end: at + 1 };
}

function quotedFrom(text: string, from: number): { readonly value: string; readonly end: number } {
  let value = '';
  let at = from + 1;
  for (; at < text.length && text[at] !== '"'; at++) {
    if (text[at] === '\\') at++;
    value += text[at] ?? '';
  }
  return { value, end: at + 1 };
}

/** A link of a list of links. */
export interface ListedLink {
  readonly relations: readonly string[];
  /** Its address; null if that is null or empty, true if it has none. */
  readonly address: string | true | null;
}

/** The links of `[{"rel": "next", "href": "…"}]`. */
export function listedLinks(list: readonly unknown[]): readonly ListedLink[] {
  return list.flatMap((link) => {
    if (typeof link !== 'object' || link === null) return [];
    const members = new Map(Object.entries(link).map(([name, value]) => [name.toLowerCase(), value]));
    const relations = RELATIONS.flatMap((name) => members.get(name) ?? []).flatMap((each) =>
      String(each).split(/\s+/),
    );
    const address = ADDRESSES.map((name) => members.get(name)).find((value) => value !== undefined);
    const isEmpty = address === null || address === '';
    return [{ relations, address: isEmpty ? null : typeof address === 'string' ? address : true }];
  });
}

/** The address of the link with this relation in a list of links; undefined if no link has the relation. */
export function listedLink(list: readonly unknown[], relation: string): ListedLink['address'] | undefined {
  const wanted = relation.toLowerCase();
  return listedLinks(list).find(({ relations }) => relations.some((each) => each.toLowerCase() === wanted))
    ?.address;
}
