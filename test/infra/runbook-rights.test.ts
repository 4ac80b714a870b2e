import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { spelled, statementsIn, templateOf } from './synthesized.ts';

/** Without what only those do who deploy. */
const [page = ''] = readFileSync('docs/run/runbook.md', 'utf8').split('### A deployment fails');

/** What steps of the runbook without a command of AWS ask for, by their words. */
const STEPS: Readonly<Record<string, readonly string[]>> = {
  'the execution in the Step Functions console': [
    ...['states:DescribeStateMachine', 'states:ListExecutions'],
    ...['states:DescribeExecution', 'states:GetExecutionHistory'],
  ],
  '"Redrive" in the console': ['states:RedriveExecution'],
  'The log of a stage': [
    ...['logs:DescribeLogGroups', 'logs:DescribeLogStreams', 'logs:GetLogEvents', 'logs:FilterLogEvents'],
  ],
  'SQS console': ['sqs:GetQueueUrl', 'sqs:GetQueueAttributes', 'sqs:ReceiveMessage'],
  'remove the letter': ['sqs:DeleteMessage'],
  'The dashboard': [
    ...['cloudwatch:GetDashboard', 'cloudwatch:GetMetricData', 'logs:StartQuery', 'logs:GetQueryResults'],
  ],
  '### Alarm: run failed': ['cloudwatch:DescribeAlarms'],
  'renew the key in the secret': ['secretsmanager:PutSecretValue'],
};
/** Names of services in IAM where they differ from the command line's. */
const IN_IAM: Readonly<Record<string, string>> = {
  stepfunctions: 'states',
  'service-quotas': 'servicequotas',
};

const commands = [...page.matchAll(/\baws ([a-z-]+) ([a-z-]+)/g)].map(([, service = '', command = '']) => {
  const words = command.split('-').map((word) => `${word.slice(0, 1).toUpperCase()}${word.slice(1)}`);
  return `${IN_IAM[service] ?? service}:${words.join('')}`;
});

it('each step of the runbook is in the policies of operators', () => {
  const allowed = templateOf()
    .ofType('AWS::IAM::ManagedPolicy')
    .filter(({ Properties }) => /-(operators|runbook)-/.test(spelled(Properties['ManagedPolicyName'])))
    .flatMap(({ Properties }) => statementsIn(Properties))
    .flatMap(({ actions }) => actions);
  const asked = [...commands, ...Object.values(STEPS).flat()];
  expect(commands).toEqual(expect.arrayContaining(['scheduler:GetSchedule', 'sqs:ReceiveMessage']));
  expect([...new Set(asked)].filter((action) => !allowed.includes(action))).toEqual([]);
});

it.each(Object.keys(STEPS))('the runbook still says: %s', (words) => {
  expect(page).toContain(words);
});
