import type { HeaderFields } from '../headers.ts';
import { isIgnored, type Said } from './beside.ts';
import { linksIn, listedLinks } from './page-links.ts';
import { isAddress } from './said-value.ts';
import { wordsOf } from './words.ts';

/** Relations that lead to no further page (RFC 8288 and the IANA registry). */
const ELSEWHERE = new Set(
  'self first start prev previous up canonical current collection index contents search edit alternate profile'.split(
    ' ',
  ),
);

/**
 * Links that lead to other pages of the listing by a relation that is not `next`: one that nobody knows, and `last` where it
 * is another page than the first. Those of the header have the path `link`, relation; those of a list its path, relation.
 */
export function furtherLinks({ headers, beside, lists, ignore, target }: LinkedAnswer): readonly Said[] {
  const found = [...inHeader(headers['link']), ...inBody(beside), ...lists.flatMap(inList)];
  if (found.length === 0) return [];
  const here = new URL(`http://localhost${target}`);
  const first = found.find(({ relation }) => relation === 'first');
  return found.flatMap(({ relation, said }) => {
    if (ELSEWHERE.has(relation) || isIgnored(said, ignore)) return [];
    const there = URL.parse(String(said.value), here.href);
    if (there === null || !leadsOn(there, here)) return [];
    if (relation !== 'last') return [said];
    const isFirst = first === undefined ? !hasNumber(there) : first.said.value === said.value;
    return isFirst ? [] : [said];
  });
}

interface LinkedAnswer {
  readonly headers: HeaderFields;
  readonly beside: readonly Said[];
  /** Of what stands beside the records, the lists of links. */
  readonly lists: readonly Said[];
  /** `resources.NAME.ignore` */
  readonly ignore: readonly string[];
  /** Path and query of the call. */
  readonly target: string;
}

interface FurtherLink {
  /** In lower case. */
  readonly relation: string;
  readonly said: Said;
}

function inHeader(header: string | string[] | undefined): readonly FurtherLink[] {
  if (header === undefined) return [];
  return linksIn(Array.isArray(header) ? header.join(', ') : header).flatMap(({ relations, target }) =>
    relations.map((relation) => ({
      relation,
      said: { path: ['link', relation], isHeader: true, value: target, isAside: false },
    })),
  );
}

/** `"links": [{"rel": "older", "href": "…"}]` */
function inList({ path, value: list }: Said): readonly FurtherLink[] {
  return listedLinks(list as readonly unknown[]).flatMap(({ relations, address: value }) =>
    relations.map((relation) => ({
      relation: relation.toLowerCase(),
      said: { path: [...path, relation], isHeader: false, value, isAside: false },
    })),
  );
}

/** `links.last`, `_links.last.href`: others are found by their own names. */
function inBody(beside: readonly Said[]): readonly FurtherLink[] {
  return beside.flatMap((said) => {
    const { path, value, isHeader } = said;
    if (isHeader || typeof value !== 'string' || !isAddress(value)) return [];
    const words = path.slice(-2).flatMap((name) => wordsOf(name));
    const relation = ['first', 'last'].find((each) => words.includes(each));
    return relation === undefined ? [] : [{ relation, said }];
  });
}

/** True for an address of the same listing that is another than the asked one. */
function leadsOn(there: URL, here: URL): boolean {
  if (there.pathname === here.pathname) return there.search !== here.search;
  const below = here.pathname.endsWith('/') ? here.pathname : `${here.pathname}/`;
  return there.pathname.startsWith(below);
}

/** True if a parameter is a number beyond 1. */
function hasNumber({ searchParams }: URL): boolean {
  return [...searchParams.values()].some((value) => /^\d{1,9}$/.test(value) && Number(value) > 1);
}

/** The parameter of a link to the last page that is its number; undefined where none is. */
export function numberedParam(address: string): string | undefined {
  const query = URL.parse(address, 'http://localhost')?.searchParams ?? [];
  return [...query].find(
    ([name, value]) => /^\d{1,9}$/.test(value) && !/size|limit|per|count/i.test(name),
  )?.[0];
}
