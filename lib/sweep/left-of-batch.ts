import { mayPass } from '../api/codes.ts';
import type { Contract } from '../api/contract/contract.ts';
import { lakeKey } from '../lake/keys.ts';
import type { Lake } from '../lake/lake.ts';
import { rawIndexAt } from '../lake/raw/raw-file.ts';
import type { BatchGroup } from '../run/batch.ts';
import { dialectIn } from '../run/dialects.ts';
import type { ResourceName } from '../sources/resources.ts';

export interface LeftOfBatch {
  /** The items to request again. `failures` counts the sweeps in which an item failed. */
  readonly groups: readonly BatchGroup[];
  /** The items that a dead call left without an answer. This counts as a failure of each item. */
  readonly lost: readonly BatchGroup[];
  /** The number of items that this pass finished. */
  readonly decided: number;
  /** How the answers are built, as the raw files note it. */
  readonly found: ReadonlyArray<readonly [ResourceName, Contract]>;
}

/** Returns the items of a batch that its raw files lack. */
export async function leftOfBatch(
  lake: Lake,
  place: { readonly runId: string; readonly source: string; readonly pass: number; readonly batch: number },
  groups: readonly BatchGroup[],
): Promise<LeftOfBatch> {
  const left: BatchGroup[] = [];
  const lost: BatchGroup[] = [];
  const found: [ResourceName, Contract][] = [];
  let decided = 0;
  for (const group of groups) {
    const key = lakeKey('raw', { ...place, resource: group.resource });
    const index = await rawIndexAt(lake, key);
    if (index === undefined) {
      lost.push({ ...group, failures: group.failures + 1 });
      continue;
    }
    const ended = new Set<string>();
    const failed: string[] = [];
    const dialect = dialectIn(index.metadata.dialect);
    if (dialect !== undefined) found.push([group.resource, dialect]);
    for (const { parentId, outcome, errorCode } of index.rows) {
      if (parentId === null || outcome === null) continue;
      ended.add(parentId);
      if (outcome === 'failed' && errorCode !== null && mayPass(errorCode)) failed.push(parentId);
    }
    decided += ended.size;
    left.push({ ...group, parents: group.parents.filter((parent) => !ended.has(parent)) });
    left.push({ ...group, failures: group.failures + 1, parents: failed });
  }
  return { groups: left.filter(({ parents }) => parents.length > 0), lost, decided, found };
}
