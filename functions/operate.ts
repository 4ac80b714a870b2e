import { afterCommit, syncCatalogOf } from '#lib/lambda/after-commit.ts';
import { bundledConfig } from '#lib/lambda/bundled-config.ts';
import { parsed } from '#lib/lambda/parsed.ts';
import { stageLambda } from '#lib/lambda/stage-lambda.ts';
import { withMaskKey } from '#lib/lambda/with-mask-key.ts';
import { operate } from '#lib/repair/operate.ts';
import { operateEvent } from '#lib/run/payloads.ts';

/** An operator's command for the deployed lake: repair, rebuild, rollback, recover, purge, a column's type, the catalog. */
export const handler = stageLambda('operate')
  .use(withMaskKey())
  .use(parsed(operateEvent))
  .handler(async (event, { services }) => {
    const { stepFunctionsExecutions } = await import('#lib/aws/step-functions.ts');
    const config = await bundledConfig();
    return await operate(event, {
      ...services,
      config,
      executions: stepFunctionsExecutions(services.environment.stateMachineArn),
      syncCatalog: () => syncCatalogOf(services, { config }),
      afterCommit: (head) => afterCommit(head, services),
    });
  });
