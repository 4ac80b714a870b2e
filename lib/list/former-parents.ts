import { lakePrefix, parseKey } from '../lake/keys.ts';
import type { Lake } from '../lake/lake.ts';
import { readBatch } from '../run/batch.ts';

/** The parents that a committed run asked for; none where its working state is gone. */
export async function formerParents(
  lake: Lake,
  { runId, source }: { readonly runId: string | undefined; readonly source: string },
): Promise<readonly string[]> {
  if (runId === undefined) return [];
  const parents = new Set<string>();
  for await (const { key } of lake.list(lakePrefix('batch', { runId, source, pass: 0 }))) {
    const parsed = parseKey(key);
    if (parsed?.kind !== 'batch') continue;
    for (const group of await readBatch(lake, parsed)) for (const id of group.parents) parents.add(id);
  }
  return [...parents];
}
