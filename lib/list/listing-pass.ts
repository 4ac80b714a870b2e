import { type KeyFields, type ListedKey, listKeys } from '../lake/keys.ts';
import type { Lake } from '../lake/lake.ts';
import { rawIndexAt } from '../lake/raw/raw-file.ts';

type ListingPlace = Pick<KeyFields<'raw'>, 'runId' | 'source' | 'resource'>;

/** The raw file of a listing's latest pass; undefined where raw has none. */
export async function latestRaw(lake: Lake, place: ListingPlace) {
  let latest: ListedKey<'raw'> | undefined;
  for await (const file of listKeys(lake, 'raw', place)) if (file.pass >= (latest?.pass ?? 0)) latest = file;
  return latest;
}

/**
 * The pass in which a listing is due. It is 0 where raw has no answer, and the next pass where the latest
 * answer failed. In a repair a denied answer counts as failed. Undefined where raw has a good answer.
 */
export async function listingPass(
  lake: Lake,
  place: ListingPlace,
  { isRepair }: { readonly isRepair: boolean },
): Promise<number | undefined> {
  const latest = await latestRaw(lake, place);
  if (latest === undefined) return 0;
  const index = await rawIndexAt(lake, latest.key);
  if (index === undefined) return latest.pass + 1;
  const isAskedAgain = index.rows.some(({ outcome }) =>
    isRepair ? outcome !== null && outcome !== 'ok' && outcome !== 'empty' : outcome === 'failed',
  );
  return isAskedAgain ? latest.pass + 1 : undefined;
}
