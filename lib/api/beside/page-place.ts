import { nameOf, type Said } from './beside.ts';
import { isListOfLinks, listedLink } from './page-links.ts';

const HEADER = 'header:';
/** Members that stand for the object that holds them. */
const STANDS_FOR = ['href', 'url', 'uri', 'link', 'value', 'path'];

/**
 * The value at the place that a setting names: a member's path, `header:NAME`, or a list of links and a relation
 * (`links.older`). Undefined if nothing is there.
 */
export function valueAt(beside: readonly Said[], place: string): unknown {
  const wanted = place.toLowerCase();
  const isHeader = wanted.startsWith(HEADER);
  const name = isHeader ? wanted.slice(HEADER.length) : wanted;
  const among = beside.filter((said) => said.isHeader === isHeader);
  const exact = among.find((said) => nameOf(said).toLowerCase() === name);
  if (exact !== undefined) return exact.value;
  for (const member of STANDS_FOR) {
    const inner = among.find((said) => nameOf(said).toLowerCase() === `${name}.${member}`);
    if (inner !== undefined) return inner.value;
  }
  const cut = name.lastIndexOf('.');
  const list =
    cut === -1 ? undefined : among.find((said) => nameOf(said).toLowerCase() === name.slice(0, cut));
  if (list === undefined || !Array.isArray(list.value) || !isListOfLinks(list.value)) return undefined;
  return listedLink(list.value, name.slice(cut + 1));
}
