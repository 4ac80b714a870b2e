import type { Lake } from '../lake/lake.ts';
import { listKeys } from '../lake/list-keys.ts';
import { readBatch } from '../run/batch.ts';

/** The parents that a committed run asked for. None where that run's batches were removed. */
export async function formerParents(
  lake: Lake,
  { runId, source }: { readonly runId: string | undefined; readonly source: string },
): Promise<readonly string[]> {
  if (runId === undefined) return [];
  const parents = new Set<string>();
  for await (const place of listKeys(lake, 'batch', { runId, source, pass: 0 })) {
    for (const group of await readBatch(lake, place)) for (const id of group.parents) parents.add(id);
  }
  return [...parents];
}
