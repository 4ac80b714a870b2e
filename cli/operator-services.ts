import type { ProgressEvent, Services } from '#lib/runtime/services.ts';
import { existingLake } from './existing-lake.ts';
import { leavingDatabase } from './leaving-database.ts';
import { localServices, openSecrets } from './local-services.ts';

/** What an operator's command needs. It calls no API, and reads the masks' key only if something is masked. */
export async function operatorServices(
  options: { readonly lake: string; readonly secrets?: string | undefined },
  onProgress?: (event: ProgressEvent) => void,
): Promise<Services> {
  return {
    ...leavingDatabase(localServices(await existingLake(options.lake), onProgress)),
    maskKey: async (name) => (await (await openSecrets(options.secrets)).readKey?.(name)) ?? '',
  };
}
