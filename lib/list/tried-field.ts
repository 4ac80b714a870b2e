import { CallRefused } from '../api/call/call.ts';
import { inventedId } from '../api/contract/gone-proof.ts';
import { fetchListing, type ListingEnd } from '../api/listing.ts';
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
  const tried = fitting.slice(0, FIELDS_AT_MOST);
  let left = tried;
  const led = new Set<string>();
  const answerFor = (parentId: string) =>
    answerOf(fetchListing({ client, source, resource: child, parentId }));
  for (let parent = 0; parent < PARENTS_AT_MOST && left.length > 0; parent++) {
    for (const { field, ids } of left) {
      const parentId = ids[parent];
      if (parentId === undefined) continue;
      const answer = await answerFor(parentId);
      if (answer === 'gone') left = left.filter((each) => each.field !== field);
      else if (answer === 'records') led.add(field);
      else if (answer === 'failed') return undefined;
    }
    const found = left.filter(({ field }) => led.has(field));
    if (found.length === 1) return found[0]?.field;
  }
  const [only, another] = left;
  const [id] = only?.ids ?? [];
  if (only === undefined || id === undefined || another !== undefined) return undefined;
  // The server knows this id, and none of the others, or of an invented parent.
  return tried.length > 1 || (await answerFor(inventedId(id))) === 'gone' ? only.field : undefined;
}

async function answerOf(rows: ReturnType<typeof fetchListing>) {
  try {
    let next = await rows.next();
    while (next.done !== true) next = await rows.next();
    return kindOf(next.value);
  } catch (error) {
    if (error instanceof CallRefused) return 'failed';
    throw error;
  }
}

/** An answer that raises a question is one too: its records may have a form that only a setting can name. */
function kindOf({ outcome, errorCode, question, items }: ListingEnd) {
  if (outcome === 'ok' || outcome === 'empty' || outcome === 'gone')
    return outcome === 'ok' ? 'records' : outcome;
  if (question === undefined || errorCode === 'API_ERROR') return 'failed';
  return items > 0 || question.cures.some(({ isLikely }) => isLikely) ? 'records' : 'empty';
}
