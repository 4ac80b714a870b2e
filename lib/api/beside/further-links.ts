import type { HeaderFields } from '../headers.ts';
import { isIgnored, type Said } from './beside.ts';
import { linksIn, listedLinks } from './page-links.ts';
import { isAddress } from './said-value.ts';
import { wordsOf } from './words.ts';

/** Relations that lead to no further page (RFC 8288 and the IANA registry). */
const ELSEWHERE = new Set(
  'self first start prev previous last up canonical current collection index contents search edit alternate profile'.split(
    ' ',
  ),
);

/**
 * Links that lead to other pages of the listing by a relation that nobody knows. Those of the header have the path `link`,
 * relation; those of a list its path, relation.
 */
export function furtherLinks(answer: LinkedAnswer): readonly Said[] {
  const found = linksOf(answer);
  if (found.length === 0) return [];
  const here = new URL(`http://localhost${answer.target}`);
  return found.flatMap(({ relation, said }) => {
    const there = URL.parse(String(said.value), here.href);
    return ELSEWHERE.has(relation) || there === null || !leadsOn(there, here) ? [] : [said];
  });
}

/** The links to a last page that is behind this one. */
export function lastBeyond(answer: LinkedAnswer): readonly Said[] {
  const found = linksOf(answer);
  if (found.length === 0) return [];
  const here = new URL(`http://localhost${answer.target}`);
  const first = found.find(({ relation }) => relation === 'first');
  return found.flatMap(({ relation, said }) => {
    const there = URL.parse(String(said.value), here.href);
    if (relation !== 'last' || there === null || !leadsOn(there, here)) return [];
    const numbers = numbersIn(there);
    const [other] = numbers.filter(([name, value]) => here.searchParams.get(name) !== value);
    if (other === undefined && numbers.length > 0) return [];
    if (other !== undefined) {
      const [name, number] = other;
      // Only the first page is asked for without its number.
      const asked = here.searchParams.get(name) ?? numberOf(first, name) ?? '1';
      return Number(number) > Number(asked) ? [said] : [];
    }
    const isFirst = first === undefined || first.said.value === said.value;
    return isFirst || isAskedFurther(here, there) ? [] : [said];
  });
}

/** The number in the link to the first page. */
function numberOf(first: FurtherLink | undefined, name: string): string | null {
  const there = URL.parse(String(first?.said.value ?? ''), 'http://localhost');
  return there?.searchParams.get(name) ?? null;
}

/** True for a page that is asked for by a parameter of the links, whose value says nothing of its order. */
function isAskedFurther(here: URL, there: URL): boolean {
  return [...there.searchParams.keys()].some((name) => here.searchParams.has(name) && !isOfSize(name));
}

function linksOf({ headers, beside, lists, ignore }: LinkedAnswer): readonly FurtherLink[] {
  const all = [...inHeader(headers['link']), ...inBody(beside), ...lists.flatMap(inList)];
  return all.filter(({ said }) => !isIgnored(said, ignore));
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

/** The parameter of a link to the last page that is its number; undefined where none is. */
export function numberedParam(address: string): string | undefined {
  const there = URL.parse(address, 'http://localhost');
  return there === null ? undefined : numbersIn(there)[0]?.[0];
}

/** The parameters of an address that may be the number of a page or record, with their values. */
function numbersIn({ searchParams }: URL): readonly (readonly [string, string])[] {
  return [...searchParams].filter(([name, value]) => /^\d{1,9}$/.test(value) && !isOfSize(name));
}

function isOfSize(name: string): boolean {
  return /size|limit|per|count/i.test(name);
}
