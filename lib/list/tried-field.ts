import { CallRefused } from '../api/call/call.ts';
import { fetchListing } from '../api/listing.ts';
import { childrenOf } from '../sources/resources.ts';
import type { Fitting } from './id-leaves.ts';
import type { ListOneOptions } from './list-one.ts';

const FIELDS_AT_MOST = 3;
const PARENTS_AT_MOST = 3;

/**
 * The only field by whose ids the server returns children. Each field is tried for up to three parents. A 404 rules a
 * field out. Undefined where several fields lead to children, or none does.
 */
export async function triedField(
  { client, source, resource }: Pick<ListOneOptions, 'client' | 'source' | 'resource'>,
  fitting: readonly Fitting[],
): Promise<string | undefined> {
  const child = childrenOf(resource.name).find(({ isQueue }) => !isQueue);
  if (child === undefined) return undefined;
  let left = fitting.slice(0, FIELDS_AT_MOST);
  const led = new Set<string>();
  for (let parent = 0; parent < PARENTS_AT_MOST && left.length > 0; parent++) {
    for (const { field, ids } of left) {
      const parentId = ids[parent];
      if (parentId === undefined) continue;
      const outcome = await outcomeOf(fetchListing({ client, source, resource: child, parentId }));
      if (outcome === 'gone') left = left.filter((each) => each.field !== field);
      else if (outcome === 'ok') led.add(field);
      else if (outcome !== 'empty') return undefined;
    }
    const found = left.filter(({ field }) => led.has(field));
    if (found.length === 1) return found[0]?.field;
  }
  return undefined;
}

async function outcomeOf(rows: ReturnType<typeof fetchListing>): Promise<string> {
  try {
    let next = await rows.next();
    while (next.done !== true) next = await rows.next();
    return next.value.outcome;
  } catch (error) {
    if (error instanceof CallRefused) return 'failed';
    throw error;
  }
}
