import { listKeys } from '../lake/keys.ts';
import type { Lake } from '../lake/lake.ts';
import { rawIndexAt } from '../lake/raw/raw-file.ts';
import type { ResourceName } from '../sources/resources.ts';

/**
 * The pass in which a listing is due. It is 0 where raw has no answer, and the next pass where the latest
 * answer failed. In a repair a denied answer counts as failed. Undefined where raw has a good answer.
 */
export async function listingPass(
  lake: Lake,
  place: { readonly runId: string; readonly source: string; readonly resource: ResourceName },
  { isRepair }: { readonly isRepair: boolean },
): Promise<number | undefined> {
  let latest: { readonly key: string; readonly pass: number } | undefined;
  for await (const file of listKeys(lake, 'raw', place)) if (file.pass >= (latest?.pass ?? 0)) latest = file;
  if (latest === undefined) return 0;
  const index = await rawIndexAt(lake, latest.key);
  if (index === undefined) return latest.pass + 1;
  const isAskedAgain = index.rows.some(({ outcome }) =>
    isRepair ? outcome !== null && outcome !== 'ok' && outcome !== 'empty' : outcome === 'failed',
  );
  return isAskedAgain ? latest.pass + 1 : undefined;
}
