import type { Head } from '../lake/head.ts';
import { withMaskKey } from '../run/history/masks.ts';
import { rewriteHistory } from './rewrite-history.ts';
import type { RepairServices } from './run-again.ts';

/**
 * Makes all masks again by the present key of `maskSecret`, in all days with one commit: from raw, which
 * knows what they hide. In `changes` and `rejects` it masks a mask once more, so that the old key opens none.
 * With `acceptLoss`, masks that cannot be made again without raw go to rejects; else throws HISTORY_LOST.
 */
export async function newMaskKey(
  { acceptLoss = false }: { readonly acceptLoss?: boolean },
  services: RepairServices,
): Promise<Head> {
  return await rewriteHistory(services, {
    schemaOf: ({ base, record }) =>
      withMaskKey(base.schema, { committed: undefined, services, config: record.config }),
    acceptLoss,
  });
}
