import { memberReader } from '../../fields.ts';
import type { Token } from '../beside/page-facts.ts';
import { kindOfValue } from '../beside/said-value.ts';

/** Reads what the next page is asked with where that is a field of the page's last record; null where it has none. */
export function lastTokenReader(field: string): (last: unknown) => Token | null {
  const read = memberReader(field);
  return (last) => {
    const [[, value] = ['', null]] = typeof last === 'object' && last !== null ? read(last) : [];
    const place = `last:${field}`;
    return kindOfValue(value) === 'nothing' ? null : { name: place, place, value: String(value) };
  };
}
