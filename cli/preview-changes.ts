import type { Config } from '#lib/config/config.ts';
import { previewOperation } from '#lib/repair/preview-operation.ts';
import type { OperationPreview, PreviewedOperation } from '#lib/run/payloads.ts';
import { existingLake } from './existing-lake.ts';
import { LOCAL_HOLDER } from './local-holder.ts';
import { localServices } from './local-services.ts';

/** What the operation would change, here or in the deployed stack. */
export async function previewChanges(
  of: PreviewedOperation,
  options: { readonly lake: string; readonly deployed: boolean; readonly config: Config },
): Promise<OperationPreview> {
  const { config } = options;
  if (!options.deployed) {
    const services = localServices(await existingLake(options.lake));
    return await previewOperation(of, { ...services, ...LOCAL_HOLDER, config });
  }
  const { operateDeployed } = await import('./operate-deployed.ts');
  const { changes } = await operateDeployed(config, { command: 'preview', of });
  if (changes === undefined) throw new Error('A preview gives what would change.');
  return changes;
}
