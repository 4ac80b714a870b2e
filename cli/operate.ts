import type { Config } from '#lib/config/config.ts';
import type { Lake } from '#lib/lake/lake.ts';
import type { RepairServices } from '#lib/repair/run-again.ts';
import type { Operation } from '#lib/run/payloads.ts';
import { existingLake } from './existing-lake.ts';
import { onInterruptByHand } from './interrupts.ts';
import { leavingDatabase } from './leaving-database.ts';
import { LOCAL_HOLDER } from './local-holder.ts';
import { localServices, openSecrets } from './local-services.ts';
import type { OperatedLake } from './operate-deployed.ts';
import type { GlobalOptions } from './options.ts';
import { showProgress } from './progress.ts';

export interface Operate<Done> {
  readonly operation: Operation;
  readonly config: Config;
  /** Does the same from this machine. */
  readonly here: (services: RepairServices) => Promise<Done>;
}

/**
 * Does an operation in the deployed stack, or here. Here it calls no API, and reads the masks' key only if something is
 * masked.
 */
export async function operate<Done extends object>(
  { deployed, lake, secrets }: Pick<GlobalOptions, 'lake' | 'secrets'> & { readonly deployed: boolean },
  { operation, config, here }: Operate<Done>,
): Promise<OperatedLake | (Done & { readonly lake: Lake })> {
  if (deployed) {
    const { operateDeployed } = await import('./operate-deployed.ts');
    return await operateDeployed(config, operation);
  }
  using _ = onInterruptByHand();
  using progress = showProgress();
  const services = leavingDatabase(localServices(await existingLake(lake), progress.on));
  const maskKey = async (name: string) => (await (await openSecrets(secrets)).readKey?.(name)) ?? '';
  const done = await here({ ...services, ...LOCAL_HOLDER, maskKey, config });
  return { ...done, lake: services.lake };
}
