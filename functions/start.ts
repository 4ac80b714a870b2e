import { syncCatalogOf } from '#lib/lambda/after-commit.ts';
import { bundledConfig } from '#lib/lambda/bundled-config.ts';
import { lambdaHandler } from '#lib/lambda/lambda-handler.ts';
import { startEvent } from '#lib/run/payloads.ts';
import { describeError, log } from '#lib/runtime/log.ts';
import { emitMetrics } from '#lib/runtime/metrics.ts';
import { startDeployed } from '#lib/start/start-deployed.ts';

/**
 * Gives the execution, or the reason why there is none. Where an earlier commit died before it brought the catalog up
 * to date, this start does so.
 */
export const handler = lambdaHandler('start', async (event, services) => {
  const { stepFunctionsExecutions } = await import('#lib/aws/step-functions.ts');
  await syncCatalogOf(services).catch((error) =>
    // The run's own commit tries again, and fails where it still cannot.
    log('error', 'catalog is not in step', { stage: 'start', error: describeError(error) }),
  );
  const { stack, stateMachineArn } = services.environment;
  const executions = stepFunctionsExecutions(stateMachineArn);
  const config = await bundledConfig();
  const answer = await startDeployed(startEvent.parse(event), { ...services, config, executions });
  log('info', answer.kind, { stage: 'start', ...answer });
  if (answer.kind === 'skipped' && answer.code === 'LEASE_HELD') {
    emitMetrics({ stack, at: services.now(), values: { RunsSkippedByLease: 1 }, properties: answer });
  }
  return answer;
});
