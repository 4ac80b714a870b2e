import { memberReader } from '../../member-reader.ts';
import type { Fact } from '../beside/page-roles.ts';
import { kindOfValue } from '../beside/said-value.ts';

/** Reads what the next page is asked with where that is a field of the page's last record; null where it has none. */
export function lastTokenReader(field: string): (last: unknown) => Fact<string> | null {
  const read = memberReader(field);
  return (last) => {
    const [[, value] = ['', null]] = typeof last === 'object' && last !== null ? read(last) : [];
    return kindOfValue(value) === 'nothing' ? null : { name: `last:${field}`, value: String(value) };
  };
}
