import { Aws, RemovalPolicy, Validations } from 'aws-cdk-lib';
import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { LogGroup, RetentionDays } from 'aws-cdk-lib/aws-logs';
import { CfnStateMachine } from 'aws-cdk-lib/aws-stepfunctions';
import type { Construct } from 'constructs';
import { allow } from './allow.ts';
import { pascal } from './definition.ts';
import type { StageFunction } from './stage-function.ts';

export interface StateMachineProps {
  readonly name: string;
  /** The definition, with `${ListFunctionArn}` for the function of the stage `list`. */
  readonly text: string;
  /** The name of a stage → its function. */
  readonly functions: Readonly<Record<string, StageFunction>>;
}

/** Adds a state machine with its log, and a role that may call its functions, which CDK does not make. */
export function addStateMachine(scope: Construct, props: StateMachineProps) {
  const { name, text } = props;
  // Versions: a run ends on the code that it began with, whatever is deployed meanwhile.
  const functions = Object.entries(props.functions).map(([stage, { function: called }]) => ({
    stage,
    functionArn: called.functionArn,
    version: called.currentVersion.functionArn,
  }));
  const logs = new LogGroup(scope, 'ExecutionLog', {
    // With this prefix, CloudWatch's policy of log deliveries stays below its 5,120 characters.
    logGroupName: `/aws/vendedlogs/states/${name}`,
    retention: RetentionDays.THREE_MONTHS,
    removalPolicy: RemovalPolicy.DESTROY,
  });
  const role = new Role(scope, 'MachineRole', {
    assumedBy: new ServicePrincipal('states.amazonaws.com', {
      conditions: { StringEquals: { 'aws:SourceAccount': Aws.ACCOUNT_ID } },
    }),
    description: `${name}: calls the stages. A definition from a file brings no policy with it.`,
  });
  allow(role, {
    actions: 'lambda:InvokeFunction',
    resources: functions.map(({ functionArn }) => `${functionArn}:*`),
    because: 'A run that began before a deployment still calls the versions that it began with.',
  });
  allow(role, {
    actions: [
      'logs:CreateLogDelivery GetLogDelivery UpdateLogDelivery DeleteLogDelivery ListLogDeliveries',
      'logs:PutResourcePolicy DescribeResourcePolicies DescribeLogGroups',
    ],
    resources: ['*'],
    because: 'Log deliveries have no resources, so only * can be granted.',
  });
  const machine = new CfnStateMachine(scope, 'Machine', {
    stateMachineName: name,
    stateMachineType: 'STANDARD',
    definitionString: text,
    definitionSubstitutions: Object.fromEntries(
      functions.map(({ stage, version }) => [`${pascal(stage)}FunctionArn`, version]),
    ),
    roleArn: role.roleArn,
    loggingConfiguration: {
      level: 'ERROR',
      // The payloads are names and numbers; the answers are in the lake.
      includeExecutionData: true,
      destinations: [{ cloudWatchLogsLogGroup: { logGroupArn: logs.logGroupArn } }],
    },
  });
  machine.node.addDependency(role);
  const kept = 'Step Functions keeps the history of every execution for 90 days, with all that';
  Validations.of(machine).acknowledge(
    {
      id: 'AwsSolutions-SF1',
      reason: `${kept} a log of level ALL would have: three events a transition, paid for twice.`,
    },
    {
      id: 'AwsSolutions-SF2',
      reason: `${kept} a trace would show: the stages call nothing that X-Ray would see.`,
    },
  );
  return { machine, role };
}
