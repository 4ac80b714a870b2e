import { Aws, Stack } from 'aws-cdk-lib';
import { ManagedPolicy } from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';
import { type Allowance, allow, allowKey, arnHere, CATALOG_KEY_ACTIONS, onExecutions } from './allow.ts';
import { definitionText } from './definition.ts';
import { operateMachineArn, type Pipeline } from './pipeline.ts';
import { queryRights } from './readers.ts';
import { operatorsName } from './readers-name.ts';
import { secretArns, secretsOf } from './secret-arns.ts';
import { type Installed, StageFunction } from './stage-function.ts';
import { OPERATE } from './stages.ts';
import { addStateMachine } from './state-machine.ts';
import { addWorkgroup } from './workgroup.ts';

export interface OperationsProps extends Installed {
  readonly pipeline: Pipeline;
}

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

  constructor(scope: Construct, id: string, props: OperationsProps) {
    super(scope, id);
    const { config, pipeline, storage } = props;
    const { region } = Stack.of(this);
    const name = `${config.name}-operate`;
    this.stateMachineArn = operateMachineArn(this, config);
    this.function = new StageFunction(this, 'Operate', {
      ...props,
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
      { actions: ['states:StartExecution'], resources: [pipeline.stateMachineArn] },
      onExecutions(['states:DescribeExecution'], [pipeline.stateMachineArn, this.stateMachineArn]),
    );
    addStateMachine(this, {
      name,
      text: definitionText('operate'),
      functions: { operate: this.function },
    });
    this.policy = new ManagedPolicy(this, 'Operators', {
      managedPolicyName: `${config.name}-operators-${region}`,
      // Never change it: AWS then makes a new policy, which cannot have the name of the old one.
      description:
        'All that the command line does with --deployed: starts and watches runs, repairs, puts secrets',
    });
    this.workgroup = operatorsName(config);
    addWorkgroup(this, 'Workgroup', { name: this.workgroup, config, storage });
    this.allowOperators(props);
    this.runbookPolicy = new ManagedPolicy(this, 'Runbook', {
      managedPolicyName: `${config.name}-runbook-${region}`,
      // Never change it: see above.
      description: 'What the runbook looks at: logs, letters, the dashboard; redrives executions',
    });
    allow(this.runbookPolicy, ...this.runbookRights(props));
  }

  private allowOperators(props: OperationsProps): void {
    const { config, storage, pipeline } = props;
    const { lake, results } = storage;
    const stack = Stack.of(this);
    const { start, list } = pipeline.stages;
    const secrets = secretsOf(config).map(([, name]) => name);
    // To put a secret under a key.
    const underKey = config.secretsKmsKeyArn === undefined ? [] : ['secretsmanager:UpdateSecret'];
    allow(
      this.policy,
      { actions: ['cloudformation:DescribeStacks'], resources: [stack.stackId] },
      {
        actions: ['lambda:InvokeFunction'],
        resources: [start, list].map((stage) => stage.function.functionArn),
      },
      {
        actions: ['cloudwatch:SetAlarmState', 'cloudwatch:DescribeAlarmHistory'],
        resources: [arnHere(this, 'cloudwatch', `alarm:${config.name}-run-failed-count`)],
      },
      { actions: ['states:StartExecution'], resources: [this.stateMachineArn] },
      onExecutions(
        ['states:DescribeExecution', 'states:GetExecutionHistory', 'states:StopExecution'],
        [pipeline.stateMachineArn, this.stateMachineArn],
      ),
      {
        actions: ['s3:GetObject'],
        resources: ['state*', 'tables/*'].map((keys) => lake.arnForObjects(keys)),
        because: 'status, report and query read tables and state; raw answers are for the stages.',
      },
      {
        actions: ['secretsmanager:CreateSecret', 'secretsmanager:PutSecretValue', ...underKey],
        resources: secretArns(stack, secrets, { mostCharacters: MOST_SECRET_CHARACTERS }),
        because: 'So many secrets that their names do not fit into a policy lie below common names.',
      },
      // For `query --athena` and `smoke`. The readers' policy has more, but shuts the state.
      ...queryRights(this, { config, storage, workgroup: this.workgroup }),
      { actions: ['s3:ListBucket', 's3:GetBucketLocation'], resources: [lake.bucketArn, results.bucketArn] },
    );
    const { secretsKmsKeyArn, catalogKmsKeyArn } = config;
    allowKey(this.policy, { keyArn: catalogKmsKeyArn, service: 'glue', actions: CATALOG_KEY_ACTIONS });
    allowKey(this.policy, { keyArn: storage.key?.keyArn, service: 's3' });
    allowKey(this.policy, { keyArn: secretsKmsKeyArn, service: 'secretsmanager' });
  }

  /** What the runbook looks at: executions, the schedule, logs, letters, the dashboard, a quota. */
  private runbookRights({ config, pipeline }: OperationsProps): readonly Allowance[] {
    const { partition, account, region } = Stack.of(this);
    return [
      {
        actions: [
          ...['logs:DescribeLogStreams', 'logs:FilterLogEvents', 'logs:GetLogEvents', 'logs:StartQuery'],
        ],
        resources: ['lambda', 'vendedlogs/states'].map((kind) =>
          arnHere(this, 'logs', `log-group:/aws/${kind}/${config.name}-*`),
        ),
        because: 'Each stage has a log of its own.',
      },
      {
        actions: ['states:DescribeStateMachine', 'states:ListExecutions'],
        resources: [pipeline.stateMachineArn, this.stateMachineArn],
      },
      onExecutions(['states:RedriveExecution'], [pipeline.stateMachineArn, this.stateMachineArn]),
      {
        actions: ['scheduler:GetSchedule'],
        resources: [arnHere(this, 'scheduler', `schedule/default/${config.name}-export`)],
      },
      {
        actions: ['sqs:GetQueueUrl', 'sqs:GetQueueAttributes', 'sqs:ReceiveMessage', 'sqs:DeleteMessage'],
        resources: [pipeline.deadLetters.queueArn],
      },
      {
        actions: ['servicequotas:GetServiceQuota'],
        resources: [arnHere(this, 'servicequotas', 'lambda/L-B99A9384')],
      },
      {
        actions: ['cloudwatch:GetDashboard'],
        resources: [`arn:${partition}:cloudwatch::${account}:dashboard/${config.name}-export-${region}`],
      },
      {
        actions: [
          ...['cloudwatch:DescribeAlarms', 'cloudwatch:GetMetricData'],
          ...['logs:DescribeLogGroups', 'logs:GetQueryResults'],
        ],
        resources: ['*'],
        because: 'AWS has no resource for these; of log groups the console asks for all.',
      },
    ];
  }
}
