import { Aws, CfnMapping, Stack } from 'aws-cdk-lib';
import { CfnRule } from 'aws-cdk-lib/aws-events';
import { CfnEventInvokeConfig, CfnPermission } from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';
import { CONSOLES } from '../lib/aws/console-host.ts';
import { PAGES } from '../lib/report/page-files.ts';
import type { Pipeline } from './pipeline.ts';
import { at, grant } from './rights.ts';
import { type Installed, StageFunction } from './stage-function.ts';
import { NEWS } from './stages.ts';

/** Lambda repeats a failed call after one minute and after two more. */
const RETRIES = 2;

/**
 * Adds the function for every ended execution: it sends events and a message, then puts the page. It is separate
 * from the state machine, so that no run waits for it or fails with it. Returns it, and where the AWS console shows the
 * newest page.
 */
export function addNews(scope: Construct, installed: Installed, { pipeline, operateMachineArn }: Runs) {
  const { config, storage } = installed;
  const { network, stateMachineArn } = pipeline;
  const { region } = Stack.of(scope);
  const { bucketName } = storage.results;
  const environment = { RESULTS: bucketName, STATE_MACHINE_ARN: stateMachineArn };
  const news = new StageFunction(scope, 'News', { ...installed, network, stage: NEWS, environment });
  const page = `https://${region}.${consoleHost(scope)}/s3/object/${bucketName}?region=${region}&prefix=${PAGES}report.html`;
  const { topicArn, webhookSecret } = config.notify ?? {};
  const topic = topicArn === undefined ? undefined : at([topicArn]);
  grant(news.role, 'news', { ...installed, places: { topic } });
  if (webhookSecret !== undefined) news.allowSecrets([webhookSecret]);
  const { functionName, functionArn } = news.function;
  const rule = new CfnRule(scope, 'Ended', {
    description: 'Executions of signage-export that ended',
    eventPattern: {
      source: ['aws.states'],
      'detail-type': ['Step Functions Execution Status Change'],
      detail: {
        stateMachineArn: [stateMachineArn, operateMachineArn],
        status: ['SUCCEEDED', 'FAILED', 'TIMED_OUT', 'ABORTED'],
      },
    },
    targets: [{ id: 'News', arn: functionArn }],
  });
  new CfnPermission(scope, 'MayInvoke', {
    action: 'lambda:InvokeFunction',
    functionName: functionArn,
    principal: 'events.amazonaws.com',
    sourceArn: rule.attrArn,
  });
  const retries = { qualifier: '$LATEST', maximumRetryAttempts: RETRIES };
  new CfnEventInvokeConfig(scope, 'Retries', { functionName, ...retries });
  return { news, page };
}

interface Runs {
  readonly pipeline: Pipeline;
  /** The state machine of operators' commands. */
  readonly operateMachineArn: string;
}

/** The AWS console's host in the stack's partition. */
function consoleHost(scope: Construct): string {
  const hosts = Object.entries(CONSOLES).map(([partition, host]) => [partition, { host }]);
  const mapping = new CfnMapping(scope, 'Console', { mapping: Object.fromEntries(hosts) });
  return mapping.findInMap(Aws.PARTITION, 'host');
}
