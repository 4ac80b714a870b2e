import { lastFieldOf, type PagingStyle } from '../../config/paging-style.ts';
import { memberReader } from '../../fields.ts';
import type { Signals } from '../read/said.ts';
import { kindOfValue } from '../read/value-kind.ts';

/** The signals of a page behind which the next is requested with a field of its last record (`cursor:starting_after@last:id`). */
export function withLastToken(
  signals: Signals,
  { style, last }: { readonly style: PagingStyle; readonly last: unknown },
): Signals {
  const field = lastFieldOf(style);
  if (field === null) return signals;
  const [[, value] = ['', null]] = typeof last === 'object' && last !== null ? memberReader(field)(last) : [];
  const place = `last:${field}`;
  const token =
    kindOfValue(value) === 'nothing'
      ? null
      : { name: place, place, value: String(value), param: style.param };
  return { ...signals, token, ended: token === null ? { name: place, by: 'cursor' } : null };
}
