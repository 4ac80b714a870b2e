import { syncCatalogWithin } from '#lib/lambda/after-commit.ts';
import { bundledConfig } from '#lib/lambda/bundled-config.ts';
import { parsed } from '#lib/lambda/parsed.ts';
import { stageLambda } from '#lib/lambda/stage-lambda.ts';
import { startEvent } from '#lib/run/payloads.ts';
import { describeError, log } from '#lib/runtime/log.ts';
import { emitMetrics } from '#lib/runtime/metrics.ts';
import { startDeployed } from '#lib/start/start-deployed.ts';

/** A start has 60 s, and the run has begun by now. */
const CATALOG_MS = 15_000;

/**
 * Returns the execution, or the reason why there is none. An earlier commit may have died before it updated
 * the catalog. This start then does so once the run has begun: a slow catalog holds up no run.
 */
export const handler = stageLambda('start')
  .use(parsed(startEvent))
  .handler(async (event, { services }) => {
    const { stepFunctionsExecutions } = await import('#lib/aws/step-functions.ts');
    const { stack, stateMachineArn, operateMachineArn } = services.environment;
    const executions = stepFunctionsExecutions(stateMachineArn);
    const waiting = stepFunctionsExecutions(operateMachineArn);
    const config = await bundledConfig();
    const answer = await startDeployed(event, { ...services, config, executions, waiting });
    log('info', answer.kind, { stage: 'start', ...answer });
    if (answer.kind === 'skipped' && answer.code === 'LEASE_HELD') {
      emitMetrics({ stack, at: services.now(), values: { RunsSkippedByLease: 1 }, properties: answer });
    }
    await syncCatalogWithin(services, CATALOG_MS).catch((error) =>
      // The run's own commit tries again, and fails if it still cannot.
      log('error', 'catalog is not in step', { stage: 'start', error: describeError(error) }),
    );
    return answer;
  });
