import type { PagingStyle } from '../../config/paging-style.ts';
import { type Fact, placeOf } from './facts.ts';
import { listedLink } from './links.ts';
import type { Signals } from './said.ts';

type Lead = Pick<Signals, 'next' | 'token' | 'ended'>;

/** What stands at the place that the setting `paging` names: a member, `header:NAME`, or a relation in a list of links. */
export function leadAt(
  { name, place, param }: Pick<PagingStyle, 'name' | 'param'> & { readonly place: string },
  facts: readonly Fact[],
): Lead {
  const by = name === 'next' ? 'next' : 'cursor';
  const found = factAtPlace(facts, place.toLowerCase());
  const none: Lead = { next: null, token: null, ended: null };
  if (found === undefined) return none;
  // Behind the last page some servers count from 0 again.
  const isNone = found.kind === 'nothing' || found.value === false || Number(found.value) <= 0;
  if (isNone) return { ...none, ended: { name: place, by } };
  const said = { name: place, value: String(found.value) };
  return name === 'next'
    ? { ...none, next: { ...said, by: 'next' } }
    : { ...none, token: { ...said, place, param } };
}

function factAtPlace(facts: readonly Fact[], wanted: string): Pick<Fact, 'kind' | 'value'> | undefined {
  const at = (fact: Fact): string => placeOf(fact).toLowerCase();
  const exact = facts.find((fact) => at(fact) === wanted);
  const inner = exact ?? facts.find((fact) => at(fact).startsWith(`${wanted}.`) && fact.kind === 'address');
  if (inner !== undefined) return inner;
  // `links.older` in a list of links.
  const cut = wanted.lastIndexOf('.');
  const list = facts.find((fact) => cut !== -1 && at(fact) === wanted.slice(0, cut));
  if (list === undefined || !Array.isArray(list.value)) return undefined;
  const value = listedLink(list.value, wanted.slice(cut + 1));
  return value === undefined ? undefined : { kind: value === null ? 'nothing' : 'address', value };
}
