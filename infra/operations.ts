import { Aws, Stack } from 'aws-cdk-lib';
import { ManagedPolicy } from 'aws-cdk-lib/aws-iam';
import type { Construct } from 'constructs';
import { allow, allowKey, arnHere, onExecutions } from './allow.ts';
import { definitionText } from './definition.ts';
import { operateMachineArn, type Pipeline } from './pipeline.ts';
import { addWorkgroup, allowQueries } from './readers.ts';
import { secretArns, secretsOf } from './secret-arns.ts';
import { type Installed, StageFunction } from './stage-function.ts';
import { OPERATE } from './stages.ts';
import { addStateMachine } from './state-machine.ts';
import { operatorsName } from './storage.ts';

/** IAM's limit of a managed policy, 6,144, without the other content of the operators' policy. */
const MOST_SECRET_CHARACTERS = 2400;

/** Adds the function and state machine of an operator's commands with `--deployed`, and the policies for their users. */
export function addOperations(scope: Construct, installed: Installed, pipeline: Pipeline) {
  const { config, storage } = installed;
  const { name } = config;
  const { region } = Stack.of(scope);
  const stateMachineArn = operateMachineArn(scope, config);
  const machineArns = [pipeline.stateMachineArn, stateMachineArn];
  const operate = new StageFunction(scope, 'Operate', {
    ...installed,
    stage: OPERATE,
    network: pipeline.network,
    environment: { DATABASE: name, ACCOUNT: Aws.ACCOUNT_ID, STATE_MACHINE_ARN: pipeline.stateMachineArn },
  });
  allow(
    operate.role,
    { actions: 'states:StartExecution', resources: [pipeline.stateMachineArn] },
    onExecutions('states:DescribeExecution', machineArns),
  );
  addStateMachine(scope, {
    ...{ name: `${name}-operate`, text: definitionText('operate'), functions: { operate } },
  });
  // Never change a description: AWS then makes a new policy, which cannot have the name of the old one.
  const policy = new ManagedPolicy(scope, 'Operators', {
    managedPolicyName: `${name}-operators-${region}`,
    description:
      'All that the command line does with --deployed: starts and watches runs, repairs, puts secrets',
  });
  const workgroup = operatorsName(config);
  addWorkgroup(scope, 'Workgroup', { name: workgroup, config, storage });
  allowOperators(policy, installed, { pipeline, stateMachineArn, machineArns, workgroup });
  // IAM has no room for both in one.
  const runbookPolicy = new ManagedPolicy(scope, 'Runbook', {
    managedPolicyName: `${name}-runbook-${region}`,
    description: 'What the runbook looks at: logs, letters, the dashboard; redrives executions',
  });
  allowRunbook(runbookPolicy, { name, machineArns, deadLetters: pipeline.deadLetters });
  return { operate, stateMachineArn, policy, runbookPolicy, workgroup };
}

interface Operated {
  readonly pipeline: Pipeline;
  readonly stateMachineArn: string;
  /** Of runs and of operators' commands. */
  readonly machineArns: readonly string[];
  /** Of operators, in Athena. */
  readonly workgroup: string;
}

function allowOperators(policy: ManagedPolicy, { config, storage }: Installed, operated: Operated): void {
  const { lake, results } = storage;
  const { secretsKmsKeyArn } = config;
  const { start, list } = operated.pipeline.stages;
  const stack = Stack.of(policy);
  const secrets = secretsOf(config).map(([, name]) => name);
  // To put a secret under a key.
  const underKey = secretsKmsKeyArn === undefined ? '' : ' UpdateSecret';
  allow(
    policy,
    { actions: 'cloudformation:DescribeStacks', resources: [stack.stackId] },
    {
      actions: 'lambda:InvokeFunction',
      resources: [start, list].map((stage) => stage.function.functionArn),
    },
    {
      actions: 'cloudwatch:SetAlarmState DescribeAlarmHistory',
      resources: [arnHere(policy, 'cloudwatch', `alarm:${config.name}-run-failed-count`)],
    },
    { actions: 'states:StartExecution', resources: [operated.stateMachineArn] },
    onExecutions('states:DescribeExecution GetExecutionHistory StopExecution', operated.machineArns),
    {
      actions: 's3:GetObject',
      resources: ['state*', 'tables/*'].map((keys) => lake.arnForObjects(keys)),
      because: 'status, report and query read tables and state; raw answers are for the stages.',
    },
    {
      actions: `secretsmanager:CreateSecret PutSecretValue${underKey}`,
      resources: secretArns(stack, secrets, { mostCharacters: MOST_SECRET_CHARACTERS }),
      because: 'So many secrets that their names do not fit into a policy lie below common names.',
    },
  );
  // For `query --athena` and `smoke`. The readers' policy has more, but shuts the state.
  allowQueries(policy, { config, storage }, { workgroup: operated.workgroup });
  allow(policy, {
    actions: 's3:ListBucket GetBucketLocation',
    resources: [lake.bucketArn, results.bucketArn],
  });
  allowKey(policy, { keyArn: config.catalogKmsKeyArn, service: 'glue' });
  allowKey(policy, { keyArn: storage.key?.keyArn, service: 's3' });
  allowKey(policy, { keyArn: secretsKmsKeyArn, service: 'secretsmanager' });
}

/** What the runbook looks at: executions, the schedule, logs, letters, the dashboard, a quota. */
function allowRunbook(
  policy: ManagedPolicy,
  {
    name,
    machineArns,
    deadLetters,
  }: Pick<Pipeline, 'deadLetters'> & Pick<Operated, 'machineArns'> & { readonly name: string },
): void {
  const { partition, account, region } = Stack.of(policy);
  allow(
    policy,
    {
      actions: 'logs:DescribeLogStreams FilterLogEvents GetLogEvents StartQuery',
      resources: ['lambda', 'vendedlogs/states'].map((kind) =>
        arnHere(policy, 'logs', `log-group:/aws/${kind}/${name}-*`),
      ),
      because: 'Each stage has a log of its own.',
    },
    { actions: 'states:DescribeStateMachine ListExecutions', resources: machineArns },
    onExecutions('states:RedriveExecution', machineArns),
    {
      actions: 'scheduler:GetSchedule',
      resources: [arnHere(policy, 'scheduler', `schedule/default/${name}-export`)],
    },
    {
      actions: 'sqs:GetQueueUrl GetQueueAttributes ReceiveMessage DeleteMessage',
      resources: [deadLetters.queueArn],
    },
    {
      actions: 'servicequotas:GetServiceQuota',
      resources: [arnHere(policy, 'servicequotas', 'lambda/L-B99A9384')],
    },
    {
      actions: 'cloudwatch:GetDashboard',
      resources: [`arn:${partition}:cloudwatch::${account}:dashboard/${name}-export-${region}`],
    },
    {
      actions: ['cloudwatch:DescribeAlarms GetMetricData', 'logs:DescribeLogGroups GetQueryResults'],
      resources: ['*'],
      because: 'AWS has no resource for these; of log groups the console asks for all.',
    },
  );
}
