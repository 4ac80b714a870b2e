import { Aws, Duration, Validations } from 'aws-cdk-lib';
import { CfnEventInvokeConfig } from 'aws-cdk-lib/aws-lambda';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import type { CfnStateMachine } from 'aws-cdk-lib/aws-stepfunctions';
import { Construct } from 'constructs';
import type { Config } from '../lib/config/config.ts';
import { addSchedule } from './add-schedule.ts';
import { allow, arnHere, onExecutions } from './allow.ts';
import { definitionText, mapLabels, pascal } from './definition.ts';
import { Network } from './network.ts';
import { type Installed, StageFunction } from './stage-function.ts';
import { STAGES, type StageName } from './stages.ts';
import { addStateMachine } from './state-machine.ts';

/** How long the delivery of a start is tried; after that, the next scheduled start is near. */
const DELIVERY_HOURS = 6;
const DELIVERY_ATTEMPTS = 20;
/** Lambda retries a failed start after one minute and after two more. */
const START_RETRIES = 2;

/** The schedule, the function of every stage, and the state machine that calls them. */
export class Pipeline extends Construct {
  readonly stages: Readonly<Record<StageName, StageFunction>>;
  readonly stateMachineArn: string;
  readonly deadLetters: Queue;
  readonly network: Network;

  constructor(scope: Construct, id: string, props: Installed) {
    super(scope, id);
    const { config } = props;
    // A fixed name: the start function must know the state machine before it exists, and so must the machine's role.
    const machineName = `${config.name}-export`;
    this.stateMachineArn = arnHere(this, 'states', `stateMachine:${machineName}`);
    this.deadLetters = new Queue(this, 'DeadLetters', {
      encryption: QueueEncryption.SQS_MANAGED,
      enforceSSL: true,
      retentionPeriod: Duration.days(14),
    });
    Validations.of(this.deadLetters).acknowledge({
      id: 'AwsSolutions-SQS3',
      reason: 'It is the dead-letter queue itself, of the schedule and of the start function.',
    });
    this.network = new Network(this, 'Network', config);
    const stageFunction = (stage: (typeof STAGES)[number]) =>
      new StageFunction(this, pascal(stage.name), {
        ...{ ...props, stage, network: this.network },
        environment: {
          ...(stage.hasCatalog && { DATABASE: config.name, ACCOUNT: Aws.ACCOUNT_ID }),
          ...(stage.name === 'start' && {
            STATE_MACHINE_ARN: this.stateMachineArn,
            OPERATE_MACHINE_ARN: operateMachineArn(this, config),
          }),
        },
      });
    const stages = Object.fromEntries(STAGES.map((stage) => [stage.name, stageFunction(stage)]));
    this.stages = stages as Record<StageName, StageFunction>;
    this.addStart(config, this.addStateMachine(machineName));
    this.addSchedule(config);
  }

  private addStateMachine(name: string): CfnStateMachine {
    const text = definitionText();
    const { start, ...functions } = this.stages;
    const { role, machine } = addStateMachine(this, { name, text, functions });
    const executions = this.stateMachineArn.replace(':stateMachine:', ':execution:');
    allow(
      role,
      { actions: 'states:StartExecution', resources: [this.stateMachineArn] },
      onExecutions('states:DescribeExecution StopExecution', [this.stateMachineArn]),
      {
        actions: 'states:RedriveExecution',
        resources: mapLabels(text).map((label) => `${executions}/${label}:*`),
        because: 'Runs of a map are named by Step Functions.',
      },
    );
    return machine;
  }

  private addStart(config: Config, machine: CfnStateMachine): void {
    const { role, function: start } = this.stages.start;
    // A run that finds a running operator's command waits in an execution of that state machine.
    const machines = [this.stateMachineArn, operateMachineArn(this, config)];
    allow(
      role,
      { actions: 'states:StartExecution', resources: machines },
      onExecutions('states:DescribeExecution', [this.stateMachineArn]),
      { actions: 'sqs:SendMessage', resources: [this.deadLetters.queueArn] },
    );
    const invoke = new CfnEventInvokeConfig(this, 'StartRetries', {
      ...{ functionName: start.functionName, qualifier: '$LATEST', maximumRetryAttempts: START_RETRIES },
      destinationConfig: { onFailure: { destination: this.deadLetters.queueArn } },
    });
    invoke.node.addDependency(role, machine);
  }

  private addSchedule({ name, schedule, timeZone }: Config): void {
    const role = addSchedule(this, {
      name: `${name}-export`,
      description: 'One export a time; a run is named after its scheduled time',
      says: 'Starts an export on schedule',
      ...{ expression: schedule, timeZone },
      functionArn: this.stages.start.function.functionArn,
      input: { scheduledTime: '<aws.scheduler.scheduled-time>' },
      target: {
        retryPolicy: {
          maximumEventAgeInSeconds: DELIVERY_HOURS * 3600,
          maximumRetryAttempts: DELIVERY_ATTEMPTS,
        },
        deadLetterConfig: { arn: this.deadLetters.queueArn },
      },
    });
    allow(role, { actions: 'sqs:SendMessage', resources: [this.deadLetters.queueArn] });
  }
}

/** The state machine of an operator's commands, by its name: it is made after this one, and calls it. */
export function operateMachineArn(scope: Construct, { name }: Config): string {
  return arnHere(scope, 'states', `stateMachine:${name}-operate`);
}
