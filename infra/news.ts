import { Aws, CfnMapping, Stack } from 'aws-cdk-lib';
import { CfnRule } from 'aws-cdk-lib/aws-events';
import { CfnEventInvokeConfig, CfnPermission } from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';
import { CONSOLES } from '../lib/aws/console-host.ts';
import { PAGES } from '../lib/report/page-files.ts';
import { at, grant, machineArn } from './rights.ts';
import { addFunction, type Installed } from './stage-function.ts';
import { NEWS } from './stages.ts';

/** Lambda repeats a failed call after one minute and after two more. */
const RETRIES = 2;

/**
 * Adds the function for every ended execution: it sends events and a message, then puts the page. It is separate
 * from the state machine, so that no run waits for it or fails with it. Returns it, and where the AWS console shows the
 * newest page.
 */
export function addNews(scope: Construct, installed: Installed) {
  const { config, storage } = installed;
  const { region } = Stack.of(scope);
  const { bucketName } = storage.results;
  const environment = { RESULTS: bucketName };
  const news = addFunction(scope, 'News', { ...installed, stage: NEWS, environment });
  const hosts = Object.entries(CONSOLES).map(([partition, host]) => [partition, { host }]);
  const consoles = new CfnMapping(scope, 'Console', { mapping: Object.fromEntries(hosts) });
  const page = `https://${region}.${consoles.findInMap(Aws.PARTITION, 'host')}/s3/object/${bucketName}?region=${region}&prefix=${PAGES}report.html`;
  const topic = config.notify?.topicArn === undefined ? undefined : at([config.notify.topicArn]);
  grant(news.role, 'news', { ...installed, places: { topic } });
  const { functionName, functionArn } = news.function;
  const rule = new CfnRule(scope, 'Ended', {
    description: 'Executions of signage-export that ended',
    eventPattern: {
      source: ['aws.states'],
      'detail-type': ['Step Functions Execution Status Change'],
      detail: {
        stateMachineArn: [machineArn(scope, config, 'export'), machineArn(scope, config, 'operate')],
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
