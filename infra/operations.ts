import { Aws, Stack } from 'aws-cdk-lib';
import { ManagedPolicy } from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';
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

/** The function and state machine of an operator's commands with `--deployed`, and the policy for their users. */
export class Operations extends Construct {
  readonly function: StageFunction;
  readonly stateMachineArn: string;
  readonly policy: ManagedPolicy;
  /** Beside it: IAM has no room for both in one. */
  readonly runbookPolicy: ManagedPolicy;
  /** The name of the Athena workgroup of operators. */
  readonly workgroup: string;
  private readonly machineArns: readonly string[];

  constructor(scope: Construct, id: string, installed: Installed, pipeline: Pipeline) {
    super(scope, id);
    const { config, storage } = installed;
    const { region } = Stack.of(this);
    this.stateMachineArn = operateMachineArn(this, config);
    this.machineArns = [pipeline.stateMachineArn, this.stateMachineArn];
    this.function = new StageFunction(this, 'Operate', {
      ...installed,
      stage: OPERATE,
      network: pipeline.network,
      environment: {
        DATABASE: config.name,
        ACCOUNT: Aws.ACCOUNT_ID,
        STATE_MACHINE_ARN: pipeline.stateMachineArn,
      },
    });
    allow(
      this.function.role,
      { actions: 'states:StartExecution', resources: [pipeline.stateMachineArn] },
      onExecutions('states:DescribeExecution', this.machineArns),
    );
    const functions = { operate: this.function };
    addStateMachine(this, { name: `${config.name}-operate`, text: definitionText('operate'), functions });
    this.policy = new ManagedPolicy(this, 'Operators', {
      managedPolicyName: `${config.name}-operators-${region}`,
      // Never change it: AWS then makes a new policy, which cannot have the name of the old one.
      description:
        'All that the command line does with --deployed: starts and watches runs, repairs, puts secrets',
    });
    this.workgroup = operatorsName(config);
    addWorkgroup(this, 'Workgroup', { name: this.workgroup, config, storage });
    this.allowOperators(installed, pipeline);
    this.runbookPolicy = new ManagedPolicy(this, 'Runbook', {
      managedPolicyName: `${config.name}-runbook-${region}`,
      // Never change it: see above.
      description: 'What the runbook looks at: logs, letters, the dashboard; redrives executions',
    });
    this.allowRunbook(installed, pipeline);
  }

  private allowOperators({ config, storage }: Installed, { stages: { start, list } }: Pipeline): void {
    const { lake, results } = storage;
    const { secretsKmsKeyArn } = config;
    const stack = Stack.of(this);
    const secrets = secretsOf(config).map(([, name]) => name);
    // To put a secret under a key.
    const underKey = secretsKmsKeyArn === undefined ? '' : ' UpdateSecret';
    allow(
      this.policy,
      { actions: 'cloudformation:DescribeStacks', resources: [stack.stackId] },
      {
        actions: 'lambda:InvokeFunction',
        resources: [start, list].map((stage) => stage.function.functionArn),
      },
      {
        actions: 'cloudwatch:SetAlarmState DescribeAlarmHistory',
        resources: [arnHere(this, 'cloudwatch', `alarm:${config.name}-run-failed-count`)],
      },
      { actions: 'states:StartExecution', resources: [this.stateMachineArn] },
      onExecutions('states:DescribeExecution GetExecutionHistory StopExecution', this.machineArns),
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
    allowQueries(this.policy, { config, storage }, { workgroup: this.workgroup });
    allow(this.policy, {
      actions: 's3:ListBucket GetBucketLocation',
      resources: [lake.bucketArn, results.bucketArn],
    });
    allowKey(this.policy, { keyArn: config.catalogKmsKeyArn, service: 'glue' });
    allowKey(this.policy, { keyArn: storage.key?.keyArn, service: 's3' });
    allowKey(this.policy, { keyArn: secretsKmsKeyArn, service: 'secretsmanager' });
  }

  /** What the runbook looks at: executions, the schedule, logs, letters, the dashboard, a quota. */
  private allowRunbook({ config: { name } }: Installed, { deadLetters }: Pipeline): void {
    const { partition, account, region } = Stack.of(this);
    allow(
      this.runbookPolicy,
      {
        actions: 'logs:DescribeLogStreams FilterLogEvents GetLogEvents StartQuery',
        resources: ['lambda', 'vendedlogs/states'].map((kind) =>
          arnHere(this, 'logs', `log-group:/aws/${kind}/${name}-*`),
        ),
        because: 'Each stage has a log of its own.',
      },
      { actions: 'states:DescribeStateMachine ListExecutions', resources: this.machineArns },
      onExecutions('states:RedriveExecution', this.machineArns),
      {
        actions: 'scheduler:GetSchedule',
        resources: [arnHere(this, 'scheduler', `schedule/default/${name}-export`)],
      },
      {
        actions: 'sqs:GetQueueUrl GetQueueAttributes ReceiveMessage DeleteMessage',
        resources: [deadLetters.queueArn],
      },
      {
        actions: 'servicequotas:GetServiceQuota',
        resources: [arnHere(this, 'servicequotas', 'lambda/L-B99A9384')],
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
}
