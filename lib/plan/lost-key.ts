import { failListings, type ListingsOfSource } from '../run/outcomes/set-aside.ts';
import type { DuckDb } from '../runtime/duckdb.ts';
import { countOf } from '../schema/columns/value-classes.ts';
import type { RecordKey } from '../schema/record-key.ts';
import type { Observed } from './observe.ts';
import { planMessage } from './plan-cures.ts';

/** The most keys that a message shows. */
const SHOWN = 12;

/** The key field of a source's records in earlier runs, if no record has it any more. Otherwise undefined. */
export function lostKey(locked: RecordKey | undefined, { profiles }: Observed): string | undefined {
  if (locked?.kind !== 'field') return undefined;
  const hasIt = profiles.some(({ path, profile }) => {
    const name = path.join('.');
    // The field may be inside an object that stays text in its column.
    return (name === locked.field || locked.field.startsWith(`${name}.`)) && countOf(profile) > 0;
  });
  return hasIt ? undefined : locked.field;
}

/** Fails the listing, so that its rows stay. Without the key, every record counts as removed and added. */
export async function failForLostKey(
  db: DuckDb,
  listing: ListingsOfSource,
  { field, observed }: { readonly field: string; readonly observed: Observed },
): Promise<void> {
  const keys = [...new Set(observed.profiles.map(({ path: [first = ''] }) => first))].slice(0, SHOWN);
  const code = 'SHAPE_CHANGED';
  const says = `The records have no ${JSON.stringify(field)} any more, by which they were told apart (seen: ${keys.join(', ')})`;
  const message = planMessage(says, { code, resource: listing.resource });
  await failListings(db, listing, { error_code: code, message, says });
}
