import { Aws, Duration, RemovalPolicy, Size, Stack } from 'aws-cdk-lib';
import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Architecture, Function as LambdaFunction, LoggingFormat, Runtime } from 'aws-cdk-lib/aws-lambda';
import { LogGroup, RetentionDays } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import type { LambdaArchitecture } from './bindings.ts';
import type { Placements } from './network.ts';
import { at, grant, machineArn, type Queried, secretsAt } from './rights.ts';
import { type SecretArnsOptions, secretArns } from './secret-arns.ts';
import { type StageCodeProps, stageCode } from './stage-code.ts';
import { memoryOf, type StageForm } from './stages.ts';

/** What the functions of an installation have in common. */
export interface Installed extends Queried {
  readonly architecture: LambdaArchitecture;
  readonly placements: Placements;
}

interface StageFunctionProps extends Installed, StageCodeProps {
  readonly environment?: Readonly<Record<string, string>>;
}

/** They start runs, or look at them. */
const SEES_RUNS: readonly StageForm['name'][] = ['start', 'operate', 'watch', 'news'];

export type StageFunction = ReturnType<typeof addFunction>;

/** Adds the Lambda of a stage, with a role that has only the rights of the stage's form. */
export function addFunction(parent: Construct, id: string, props: StageFunctionProps) {
  const scope = new Construct(parent, id);
  const { stage, config, storage } = props;
  const functionName = `${config.name}-${stage.name}`;
  const logGroup = new LogGroup(scope, 'Log', {
    logGroupName: `/aws/lambda/${functionName}`,
    retention: RetentionDays.THREE_MONTHS,
    removalPolicy: RemovalPolicy.DESTROY,
  });
  const role = new Role(scope, 'Role', {
    assumedBy: new ServicePrincipal('lambda.amazonaws.com'),
    description: `${functionName}: ${stage.says}`,
  });
  const log = at([logGroup.logGroupArn], 'The streams of its own log group, one for each of its instances.');
  const because = `The stage ${stage.name} has these prefixes; the names below them are runs, sources and numbers.`;
  const of = (keys: readonly string[]) =>
    keys.length === 0
      ? undefined
      : at(
          keys.map((each) => storage.lake.arnForObjects(each)),
          because,
        );
  const places = { log, reads: of(stage.reads), puts: of(stage.puts), removes: of(stage.removes) };
  grant(role, 'stage', { ...props, places });
  const { maskSecret, notify: { webhookSecret } = {}, sources } = config;
  const apart = { maskSecret, 'notify.webhookSecret': webhookSecret };
  const allowSecrets = (names: readonly string[], options?: SecretArnsOptions) => {
    const secrets = secretsAt(secretArns(Stack.of(scope), names, options));
    grant(role, 'secrets', { ...props, places: { secrets } });
  };
  const ofSources = sources.map(({ secret }) => secret);
  if (stage.callsApi) allowSecrets(ofSources, { apart });
  if (stage.masks && maskSecret !== undefined) allowSecrets([maskSecret]);
  if (stage.tells && webhookSecret !== undefined) allowSecrets([webhookSecret]);
  if (stage.hasCatalog) grant(role, 'catalog', props);
  if (stage.hasCatalog && stage.name !== 'start') grant(role, 'filters', props);
  const placement = props.placements(stage);
  if (placement !== undefined) grant(role, 'network', props);
  const made = new LambdaFunction(scope, 'Function', {
    functionName,
    description: `${stage.name}: ${stage.says}`,
    code: stageCode(props),
    handler: 'index.handler',
    runtime: Runtime.NODEJS_24_X,
    architecture: props.architecture === 'arm64' ? Architecture.ARM_64 : Architecture.X86_64,
    memorySize: memoryOf(stage, config),
    ephemeralStorageSize: Size.mebibytes(stage.diskMiB),
    timeout: Duration.seconds(stage.timeoutSeconds),
    role: role.withoutPolicyUpdates(),
    // Old versions stay, because a run ends on the version that it began with.
    currentVersionOptions: { removalPolicy: RemovalPolicy.RETAIN },
    logGroup,
    loggingFormat: LoggingFormat.TEXT,
    environment: {
      LAKE: `s3://${storage.lake.bucketName}`,
      STACK: config.name,
      ...(stage.hasCatalog && { DATABASE: config.name, ACCOUNT: Aws.ACCOUNT_ID }),
      ...(SEES_RUNS.includes(stage.name) && { STATE_MACHINE_ARN: machineArn(scope, config, 'export') }),
      ...(stage.name === 'start' && { OPERATE_MACHINE_ARN: machineArn(scope, config, 'operate') }),
      ...props.environment,
    },
    ...placement,
  });
  return { function: made, role };
}
