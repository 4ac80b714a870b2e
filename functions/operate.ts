import { afterCommit, syncCatalogOf } from '#lib/lambda/after-commit.ts';
import { bundledConfig } from '#lib/lambda/bundled-config.ts';
import { lambdaHandler } from '#lib/lambda/lambda-handler.ts';
import { readMaskKey } from '#lib/lambda/mask-key.ts';
import { operate } from '#lib/repair/operate.ts';
import { operateEvent } from '#lib/run/payloads.ts';

/** What an operator asked of the deployed lake: repair, rebuild, rollback, purge, another type for a column, the catalog anew. */
export const handler = lambdaHandler('operate', async (event, services) => {
  const { stepFunctionsExecutions } = await import('#lib/aws/step-functions.ts');
  return await operate(operateEvent.parse(event), {
    ...services,
    config: await bundledConfig(),
    executions: stepFunctionsExecutions(services.environment.stateMachineArn),
    maskKey: readMaskKey,
    syncCatalog: () => syncCatalogOf(services),
    afterCommit: (head) => afterCommit(head, services),
  });
});
