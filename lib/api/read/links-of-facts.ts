import type { PagingStyle } from '../../config/paging-style.ts';
import { type Fact, nameOf } from './facts.ts';
import { linkOf, linksIn, listedLink, listedLinks } from './links.ts';
import type { Draft } from './said.ts';
import { ELSEWHERE, FIRST } from './vocabulary.ts';
import { wordsOf } from './words.ts';

/** What a Link header says. */
export function linkHeaderInto(
  draft: Draft,
  header: string | string[] | undefined,
  { follow, target }: { readonly follow: PagingStyle | null; readonly target: string },
): void {
  if (header === undefined) return;
  const relation = follow?.name === 'link' && follow.param !== '' ? follow.param : 'next';
  const link = linkOf(header, relation);
  if (link !== null) draft.next = { name: 'Link', value: link, by: 'link' };
  else if (isLast(header)) draft.ended = { name: 'Link', by: 'link' };
  else
    for (const { target: value, relations } of linksIn(String(header)))
      linkInto(draft, { fact: { path: ['link'], isHeader: true }, relations, value, target });
}

/** A Link header with a first or previous page, and none that is the last, belongs to the last page. */
function isLast(header: string | string[]): boolean {
  const has = (relation: string): boolean => linkOf(header, relation) !== null;
  return (has('first') || has('prev') || has('previous')) && !has('last');
}

/** A list of links: `[{"rel": "next", "href": "…"}]`. */
export function listInto(draft: Draft, fact: Fact, target: string): void {
  const address = listedLink(fact.value as readonly unknown[], 'next');
  const name = nameOf(fact);
  if (typeof address === 'string') draft.next ??= { name, value: address, by: 'next' };
  else if (address === null) draft.ended ??= { name, by: 'next' };
  else if (address === true) draft.more ??= { name, value: true };
  else
    for (const { relations, address: value } of listedLinks(fact.value as readonly unknown[]))
      if (typeof value === 'string') linkInto(draft, { fact, relations, value, target });
}

/** A link to the same listing by a relation that nobody knows may lead on. */
function linkInto(
  draft: Draft,
  link: {
    readonly fact: Pick<Fact, 'path' | 'isHeader'>;
    readonly relations: readonly string[];
    readonly value: string;
    readonly target: string;
  },
): void {
  const { fact, relations, value, target } = link;
  const here = new URL(target, 'http://localhost');
  const there = URL.parse(value, here.href);
  const isElsewhere = relations.some((relation) =>
    wordsOf(relation).some((word) => ELSEWHERE.has(word) || FIRST.has(word) || word === 'last'),
  );
  if (isElsewhere || there === null || there.pathname !== here.pathname || there.search === here.search)
    return;
  draft.open.push({ ...fact, path: [...fact.path, relations[0] ?? 'link'], kind: 'address', value });
}
