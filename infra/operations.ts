import { ArnFormat, Stack } from 'aws-cdk-lib';
import { ManagedPolicy } from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';
import type { Config } from '../lib/config/config.ts';
import { allow, allowKey } from './allow.ts';
import type { LambdaArchitecture } from './bindings.ts';
import { definitionText } from './definition.ts';
import type { Pipeline } from './pipeline.ts';
import { secretArns } from './secret-arns.ts';
import { StageFunction } from './stage-function.ts';
import { OPERATE } from './stages.ts';
import { addStateMachine } from './state-machine.ts';
import type { Storage } from './storage.ts';

export interface OperationsProps {
  readonly config: Config;
  readonly storage: Storage;
  readonly pipeline: Pipeline;
  readonly architecture: LambdaArchitecture;
  /** Name of the Glue database. */
  readonly database: string;
}

/** The function and state machine of an operator's commands with `--deployed`, and the policy for who may use them. */
export class Operations extends Construct {
  readonly function: StageFunction;
  readonly stateMachineArn: string;
  readonly policy: ManagedPolicy;

  constructor(scope: Construct, id: string, props: OperationsProps) {
    super(scope, id);
    const { config, pipeline } = props;
    const { partition, region, account } = Stack.of(this);
    const name = `${config.name}-operate`;
    this.stateMachineArn = `arn:${partition}:states:${region}:${account}:stateMachine:${name}`;
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
      description:
        'All that the command line does with --deployed: starts and watches runs, repairs, puts secrets',
    });
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
      resources: [lake.arnForObjects('state/*'), lake.arnForObjects('tables/*')],
      because: 'status, report and query read tables and state; raw answers are for the stages.',
    });
    allow(this.policy, { actions: ['s3:ListBucket'], resources: [lake.bucketArn] });
    allow(this.policy, {
      actions: ['secretsmanager:CreateSecret', 'secretsmanager:PutSecretValue'],
      resources: secretArns(Stack.of(this), [...secrets, ...others]),
      because: 'So many secrets that their names do not fit into a policy lie below common names.',
    });
    allowKey(this.policy, { keyArn: storage.key?.keyArn, service: 's3', actions: ['kms:Decrypt'] });
    allowKey(this.policy, { keyArn: config.secretsKmsKeyArn, service: 'secretsmanager' });
  }
}
