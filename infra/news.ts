import { Aws, CfnMapping, Stack } from 'aws-cdk-lib';
import { CfnRule } from 'aws-cdk-lib/aws-events';
import { CfnEventInvokeConfig, CfnPermission } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import { CONSOLES } from '../lib/aws/console-host.ts';
import { PAGES } from '../lib/report/page-files.ts';
import { allow, arnHere } from './allow.ts';
import type { Operations } from './operations.ts';
import type { Pipeline } from './pipeline.ts';
import { type Installed, StageFunction } from './stage-function.ts';
import { NEWS } from './stages.ts';

interface Runs {
  readonly pipeline: Pipeline;
  readonly operations: Operations;
}

/** Lambda repeats a failed call after one minute and after two more. */
const RETRIES = 2;

/**
 * The function for every ended execution: it sends events and a message, then puts the page. It is separate
 * from the state machine, so that no run waits for it or fails with it.
 */
export class News extends Construct {
  /** Where the AWS console shows the newest page. */
  readonly page: string;
  readonly news: StageFunction;

  constructor(scope: Construct, id: string, installed: Installed, { pipeline, operations }: Runs) {
    super(scope, id);
    const { config, storage } = installed;
    const { network, stateMachineArn } = pipeline;
    const { region } = Stack.of(this);
    const { bucketName } = storage.results;
    const environment = { RESULTS: bucketName, STATE_MACHINE_ARN: stateMachineArn };
    this.news = new StageFunction(this, 'News', { ...installed, network, stage: NEWS, environment });
    const { role } = this.news;
    this.page = `https://${region}.${consoleHost(this)}/s3/object/${bucketName}?region=${region}&prefix=${PAGES}report.html`;
    allow(
      role,
      {
        actions: 's3:PutObject',
        resources: [storage.results.arnForObjects(`${PAGES}*`)],
        because: 'The newest page, and one of each date.',
      },
      { actions: 'events:PutEvents', resources: [arnHere(this, 'events', 'event-bus/default')] },
    );
    const { topicArn, webhookSecret } = config.notify ?? {};
    if (topicArn !== undefined) allow(role, { actions: 'sns:Publish', resources: [topicArn] });
    if (webhookSecret !== undefined) this.news.allowSecrets([webhookSecret], config);
    const { functionName, functionArn } = this.news.function;
    const rule = new CfnRule(this, 'Ended', {
      description: 'Executions of signage-export that ended',
      eventPattern: {
        source: ['aws.states'],
        'detail-type': ['Step Functions Execution Status Change'],
        detail: {
          stateMachineArn: [stateMachineArn, operations.stateMachineArn],
          status: ['SUCCEEDED', 'FAILED', 'TIMED_OUT', 'ABORTED'],
        },
      },
      targets: [{ id: 'News', arn: functionArn }],
    });
    new CfnPermission(this, 'MayInvoke', {
      action: 'lambda:InvokeFunction',
      functionName: functionArn,
      principal: 'events.amazonaws.com',
      sourceArn: rule.attrArn,
    });
    const retries = { qualifier: '$LATEST', maximumRetryAttempts: RETRIES };
    new CfnEventInvokeConfig(this, 'Retries', { functionName, ...retries });
  }
}

/** The AWS console's host in the stack's partition. */
function consoleHost(scope: Construct): string {
  const hosts = Object.entries(CONSOLES).map(([partition, host]) => [partition, { host }]);
  const mapping = new CfnMapping(scope, 'Console', { mapping: Object.fromEntries(hosts) });
  return mapping.findInMap(Aws.PARTITION, 'host');
}
