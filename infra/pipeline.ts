import { Aws, Duration, Validations } from 'aws-cdk-lib';
import { CfnEventInvokeConfig } from 'aws-cdk-lib/aws-lambda';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import { addSchedule } from './add-schedule.ts';
import { allow } from './allow.ts';
import { definitionText, mapLabels, pascal } from './definition.ts';
import { Network } from './network.ts';
import { at, grant, machineArn } from './rights.ts';
import { type Installed, StageFunction } from './stage-function.ts';
import { STAGES, type StageName } from './stages.ts';
import { addStateMachine } from './state-machine.ts';

/** How long the delivery of a start is tried; after that, the next scheduled start is near. */
const DELIVERY_HOURS = 6;
const DELIVERY_ATTEMPTS = 20;
/** Lambda retries a failed start after one minute and after two more. */
const START_RETRIES = 2;

export type Pipeline = ReturnType<typeof addPipeline>;

/** Adds the schedule, the function of every stage, and the state machine that calls them. */
export function addPipeline(scope: Construct, props: Installed) {
  const { config } = props;
  const { name, schedule, timeZone } = config;
  // A fixed name: the start function must know the state machine before it exists, and so must the machine's role.
  const machineName = `${name}-export`;
  const stateMachineArn = machineArn(scope, config, 'export');
  const operateArn = machineArn(scope, config, 'operate');
  const deadLetters = new Queue(scope, 'DeadLetters', {
    encryption: QueueEncryption.SQS_MANAGED,
    enforceSSL: true,
    retentionPeriod: Duration.days(14),
  });
  Validations.of(deadLetters).acknowledge({
    id: 'AwsSolutions-SQS3',
    reason: 'It is the dead-letter queue itself, of the schedule and of the start function.',
  });
  const network = new Network(scope, 'Network', config);
  const stageFunction = (stage: (typeof STAGES)[number]) =>
    new StageFunction(scope, pascal(stage.name), {
      ...{ ...props, stage, network },
      environment: {
        ...(stage.hasCatalog && { DATABASE: name, ACCOUNT: Aws.ACCOUNT_ID }),
        ...(stage.name === 'start' && {
          STATE_MACHINE_ARN: stateMachineArn,
          OPERATE_MACHINE_ARN: operateArn,
        }),
      },
    });
  const named = Object.fromEntries(STAGES.map((stage) => [stage.name, stageFunction(stage)]));
  const stages = named as Record<StageName, StageFunction>;
  const { start, ...functions } = stages;
  const text = definitionText();
  const { role, machine } = addStateMachine(scope, { name: machineName, text, functions });
  const executions = stateMachineArn.replace(':stateMachine:', ':execution:');
  const maps = at(
    mapLabels(text).map((label) => `${executions}/${label}:*`),
    'Runs of a map are named by Step Functions.',
  );
  grant(role, 'machine', { ...props, places: { maps } });
  grant(start.role, 'start', props);
  const toLetters = { actions: 'sqs:SendMessage', resources: [deadLetters.queueArn] };
  allow(start.role, toLetters);
  const invoke = new CfnEventInvokeConfig(scope, 'StartRetries', {
    functionName: start.function.functionName,
    ...{ qualifier: '$LATEST', maximumRetryAttempts: START_RETRIES },
    destinationConfig: { onFailure: { destination: deadLetters.queueArn } },
  });
  invoke.node.addDependency(start.role, machine);
  const scheduleRole = addSchedule(scope, {
    name: machineName,
    description: 'One export a time; a run is named after its scheduled time',
    says: 'Starts an export on schedule',
    ...{ expression: schedule, timeZone },
    functionArn: start.function.functionArn,
    input: { scheduledTime: '<aws.scheduler.scheduled-time>' },
    target: {
      retryPolicy: {
        maximumEventAgeInSeconds: DELIVERY_HOURS * 3600,
        maximumRetryAttempts: DELIVERY_ATTEMPTS,
      },
      deadLetterConfig: { arn: deadLetters.queueArn },
    },
  });
  allow(scheduleRole, toLetters);
  return { stages, stateMachineArn, deadLetters, network };
}
