import { Duration, Validations } from 'aws-cdk-lib';
import { CfnEventInvokeConfig } from 'aws-cdk-lib/aws-lambda';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import { addSchedule } from './add-schedule.ts';
import { definitionText, mapLabels, pascal } from './definition.ts';
import { at, grant, machineArn } from './rights.ts';
import { addFunction, type Installed, type StageFunction } from './stage-function.ts';
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
  const deadLetters = new Queue(scope, 'DeadLetters', {
    encryption: QueueEncryption.SQS_MANAGED,
    enforceSSL: true,
    retentionPeriod: Duration.days(14),
  });
  Validations.of(deadLetters).acknowledge({
    id: 'AwsSolutions-SQS3',
    reason: 'It is the dead-letter queue itself, of the schedule and of the start function.',
  });
  const named = STAGES.map((stage) => [
    stage.name,
    addFunction(scope, pascal(stage.name), { ...props, stage }),
  ]);
  const stages = Object.fromEntries(named) as Record<StageName, StageFunction>;
  const { start, ...functions } = stages;
  const text = definitionText();
  const { role, machine } = addStateMachine(scope, { ...props, name: machineName, text, functions });
  const executions = stateMachineArn.replace(':stateMachine:', ':execution:');
  const because = 'Runs of a map are named by Step Functions.';
  const maps = at(
    mapLabels(text).map((label) => `${executions}/${label}:*`),
    because,
  );
  grant(role, 'machine', { ...props, places: { maps } });
  const places = { letters: at([deadLetters.queueArn]) };
  grant(start.role, 'start', { ...props, places });
  const invoke = new CfnEventInvokeConfig(scope, 'StartRetries', {
    functionName: start.function.functionName,
    ...{ qualifier: '$LATEST', maximumRetryAttempts: START_RETRIES },
    destinationConfig: { onFailure: { destination: deadLetters.queueArn } },
  });
  invoke.node.addDependency(start.role, machine);
  const scheduleRole = addSchedule(scope, props, {
    name: machineName,
    description: 'One export a time; a run is named after its scheduled time',
    says: 'Starts an export on schedule',
    ...{ scheduleExpression: schedule, scheduleExpressionTimezone: timeZone },
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
  grant(scheduleRole, 'delivery', { ...props, places });
  return { stages, stateMachineArn, deadLetters };
}
