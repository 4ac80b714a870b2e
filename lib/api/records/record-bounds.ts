import type { Resource } from '../../sources/resources.ts';
import type { Source } from '../../sources/source.ts';
import { ListingError } from '../listing-error.ts';

/**
 * Refuses records with more fields than the source's `maxFields`. Each field may become a column, and what a table of
 * thousands of columns costs is paid by the whole run. Throws ListingError RECORD_TOO_WIDE.
 */
export function checkWidth(
  records: readonly unknown[],
  { source: { maxFields }, resource }: { readonly source: Source; readonly resource: Resource },
): void {
  if (records.every((record) => fieldsOf(record, maxFields) <= maxFields)) return;
  const says = `A record has more than ${maxFields} fields, those of the objects in it included`;
  throw new ListingError('RECORD_TOO_WIDE', says, { resource: resource.name });
}

/** The members of a record and of the objects in it, what is in lists aside; counted to a little above `most`. */
function fieldsOf(record: unknown, most: number): number {
  let fields = 0;
  const open: unknown[] = [record];
  for (let next = open.pop(); next !== undefined && fields <= most; next = open.pop()) {
    if (typeof next !== 'object' || next === null || Array.isArray(next)) continue;
    const values = Object.values(next);
    fields += values.length;
    for (const value of values) if (typeof value === 'object' && value !== null) open.push(value);
  }
  return fields;
}
