import { ArnFormat, Stack } from 'aws-cdk-lib';
import { ManagedPolicy } from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';
import type { Config } from '../lib/config/config.ts';
import { allow, allowKey, CATALOG_KEY_ACTIONS } from './allow.ts';
import type { LambdaArchitecture } from './bindings.ts';
import { definitionText } from './definition.ts';
import { operateMachineArn, type Pipeline } from './pipeline.ts';
import { operatorsName } from './readers-name.ts';
import { secretArns } from './secret-arns.ts';
import { StageFunction } from './stage-function.ts';
import { OPERATE } from './stages.ts';
import { addStateMachine } from './state-machine.ts';
import type { Storage } from './storage.ts';
import { addWorkgroup } from './workgroup.ts';

export interface OperationsProps {
  readonly config: Config;
  readonly storage: Storage;
  readonly pipeline: Pipeline;
  readonly architecture: LambdaArchitecture;
  /** Name of the Glue database. */
  readonly database: string;
}

/** IAM's limit of a managed policy, 6,144, without the other content of the operators' policy. */
const MOST_SECRET_CHARACTERS = 2400;

/** The function and state machine of an operator's commands with `--deployed`, and the policy for their users. */
export class Operations extends Construct {
  readonly function: StageFunction;
  readonly stateMachineArn: string;
  readonly policy: ManagedPolicy;
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
      environment: { DATABASE: props.database, STATE_MACHINE_ARN: pipeline.stateMachineArn },
    });
    const executions = [pipeline.stateMachineArn, this.stateMachineArn].map(
      (arn) => `${arn.replace(':stateMachine:', ':execution:')}:*`,
    );
    const because = 'Executions are named after runs, which are times.';
    allow(this.function.role, {
      actions: ['states:StartExecution'],
      resources: [pipeline.stateMachineArn],
    });
    allow(this.function.role, { actions: ['states:DescribeExecution'], resources: executions, because });
    addStateMachine(this, {
      name,
      text: definitionText('operate'),
      functions: new Map([['operate', this.function.function]]),
    });
    this.policy = new ManagedPolicy(this, 'Operators', {
      managedPolicyName: `${config.name}-operators-${region}`,
      // Never change it: AWS then makes a new policy, which cannot have the name of the old one.
      description:
        'All that the command line does with --deployed: starts and watches runs, repairs, puts secrets',
    });
    this.workgroup = operatorsName(config);
    addWorkgroup(this, 'Workgroup', { name: this.workgroup, storage });
    this.allowOperators(props, executions);
  }

  private allowOperators(
    { config, storage, pipeline }: OperationsProps,
    executions: readonly string[],
  ): void {
    const { lake } = storage;
    const called = ['start', 'list'] as const;
    const functions = called.map((name) => pipeline.stages.get(name)?.function.functionArn ?? '');
    const secrets = config.sources.map(({ secret }) => secret);
    const others = [config.maskSecret, config.notify?.webhookSecret].filter((name) => name !== undefined);
    allow(this.policy, { actions: ['cloudformation:DescribeStacks'], resources: [Stack.of(this).stackId] });
    allow(this.policy, { actions: ['lambda:InvokeFunction'], resources: functions });
    allow(this.policy, {
      actions: ['cloudwatch:SetAlarmState', 'cloudwatch:DescribeAlarmHistory'],
      resources: [
        Stack.of(this).formatArn({
          service: 'cloudwatch',
          resource: 'alarm',
          arnFormat: ArnFormat.COLON_RESOURCE_NAME,
          resourceName: `${config.name}-run-failed-count`,
        }),
      ],
    });
    allow(this.policy, { actions: ['states:StartExecution'], resources: [this.stateMachineArn] });
    allow(this.policy, {
      actions: ['states:DescribeExecution', 'states:GetExecutionHistory', 'states:StopExecution'],
      resources: executions,
      because: 'Executions are named after runs, which are times.',
    });
    allow(this.policy, {
      actions: ['s3:GetObject'],
      resources: ['state*', 'tables/*'].map((keys) => lake.arnForObjects(keys)),
      because: 'status, report and query read tables and state; raw answers are for the stages.',
    });
    allow(this.policy, {
      actions: [
        ...['secretsmanager:CreateSecret', 'secretsmanager:PutSecretValue'],
        // To put a secret under a key.
        ...(config.secretsKmsKeyArn === undefined ? [] : ['secretsmanager:UpdateSecret']),
      ],
      resources: secretArns(Stack.of(this), [...secrets, ...others], {
        mostCharacters: MOST_SECRET_CHARACTERS,
      }),
      because: 'So many secrets that their names do not fit into a policy lie below common names.',
    });
    this.allowQueries(config, storage);
    allowKey(this.policy, { keyArn: storage.key?.keyArn, service: 's3' });
    allowKey(this.policy, { keyArn: config.secretsKmsKeyArn, service: 'secretsmanager' });
  }

  /** The rights of `query --athena` and `smoke`. The readers' policy has them too, but shuts the state. */
  private allowQueries({ name, catalogKmsKeyArn }: Config, { lake, results }: Storage): void {
    const { partition, region, account } = Stack.of(this);
    const glue = `arn:${partition}:glue:${region}:${account}`;
    allow(this.policy, {
      actions: ['athena:*QueryExecution', 'athena:GetQueryResults'],
      resources: [`arn:${partition}:athena:${region}:${account}:workgroup/${this.workgroup}`],
      because: 'Start, Stop and Get by one name: a policy has room for few characters.',
    });
    allow(this.policy, {
      actions: [
        'glue:GetDatabase',
        'glue:GetTable',
        'glue:GetTables',
        'glue:GetPartition',
        'glue:GetPartitions',
        'glue:BatchGetPartition',
      ],
      // Athena looks at the database `default` in every query.
      resources: [
        ...[`${glue}:catalog`, `${glue}:database/${name}`, `${glue}:database/default`],
        `${glue}:table/${name}/*`,
      ],
      because: 'Operators read every table of this database.',
    });
    allow(this.policy, {
      actions: ['s3:ListBucket', 's3:GetBucketLocation'],
      resources: [lake.bucketArn, results.bucketArn],
    });
    allow(this.policy, {
      actions: ['s3:GetObject', 's3:PutObject', 's3:AbortMultipartUpload'],
      resources: [results.arnForObjects(`${this.workgroup}/*`)],
      because: 'Athena chooses the names of result files; nothing else is in this folder.',
    });
    allowKey(this.policy, { keyArn: catalogKmsKeyArn, service: 'glue', actions: CATALOG_KEY_ACTIONS });
  }
}
