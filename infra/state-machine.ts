import { Aws, RemovalPolicy, Validations } from 'aws-cdk-lib';
import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { LogGroup, RetentionDays } from 'aws-cdk-lib/aws-logs';
import { CfnStateMachine } from 'aws-cdk-lib/aws-stepfunctions';
import type { Construct } from 'constructs';
import { pascal } from './definition.ts';
import { at, grant, type Queried } from './rights.ts';
import type { StageFunction } from './stage-function.ts';

interface StateMachineProps extends Queried {
  readonly name: string;
  /** The definition, with `${ListFunctionArn}` for the function of the stage `list`. */
  readonly text: string;
  /** The name of a stage → its function. */
  readonly functions: Readonly<Record<string, StageFunction>>;
}

/** Adds a state machine with its log, and a role that may call its functions, which CDK does not make. */
export function addStateMachine(scope: Construct, props: StateMachineProps) {
  const { name, text } = props;
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
  const functions = Object.entries(props.functions).map(([stage, made]) => [stage, made.function] as const);
  const because = 'A run that began before a deployment still calls the versions that it began with.';
  const versions = at(
    functions.map(([, { functionArn }]) => `${functionArn}:*`),
    because,
  );
  grant(role, 'flow', { ...props, places: { versions } });
  const machine = new CfnStateMachine(scope, 'Machine', {
    stateMachineName: name,
    stateMachineType: 'STANDARD',
    definitionString: text,
    // Versions: a run ends on the code that it began with, whatever is deployed meanwhile.
    definitionSubstitutions: Object.fromEntries(
      functions.map(([stage, each]) => [`${pascal(stage)}FunctionArn`, each.currentVersion.functionArn]),
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
  const reasons = {
    SF1: `${kept} a log of level ALL would have: three events a transition, paid for twice.`,
    SF2: `${kept} a trace would show: the stages call nothing that X-Ray would see.`,
  };
  for (const [rule, reason] of Object.entries(reasons))
    Validations.of(machine).acknowledge({ id: `AwsSolutions-${rule}`, reason });
  return { machine, role };
}
