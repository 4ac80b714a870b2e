import { Duration, RemovalPolicy, Size, Stack } from 'aws-cdk-lib';
import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Architecture, Function as LambdaFunction, LoggingFormat, Runtime } from 'aws-cdk-lib/aws-lambda';
import { LogGroup, RetentionDays } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import type { LambdaArchitecture } from './bindings.ts';
import type { Network } from './network.ts';
import { at, grant, type Queried, secretsAt } from './rights.ts';
import { secretArns } from './secret-arns.ts';
import { stageCode } from './stage-code.ts';
import { memoryOf, type StageForm } from './stages.ts';

/** What the functions of an installation have in common. */
export interface Installed extends Queried {
  readonly architecture: LambdaArchitecture;
}

export interface StageFunctionProps extends Installed {
  readonly stage: StageForm;
  readonly network: Network;
  readonly environment: Readonly<Record<string, string>>;
}

/** The Lambda of a stage, with a role that has only the rights of the stage's form. */
export class StageFunction extends Construct {
  readonly function: LambdaFunction;
  readonly role: Role;
  private readonly installed: Installed;

  constructor(scope: Construct, id: string, props: StageFunctionProps) {
    super(scope, id);
    this.installed = props;
    const { stage, config, storage } = props;
    const functionName = `${config.name}-${stage.name}`;
    const logGroup = new LogGroup(this, 'Log', {
      logGroupName: `/aws/lambda/${functionName}`,
      retention: RetentionDays.THREE_MONTHS,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    this.role = new Role(this, 'Role', {
      assumedBy: new ServicePrincipal('lambda.amazonaws.com'),
      description: `${functionName}: ${stage.says}`,
    });
    const log = at(
      [logGroup.logGroupArn],
      'The streams of its own log group, one for each of its instances.',
    );
    const of = (prefixes: readonly string[]) =>
      prefixes.length === 0
        ? undefined
        : at(
            prefixes.map((prefix) => storage.lake.arnForObjects(prefix)),
            `The stage ${stage.name} has these prefixes; the names below them are runs, sources and numbers.`,
          );
    const places = { log, reads: of(stage.reads), puts: of(stage.puts), removes: of(stage.removes) };
    grant(this.role, 'stage', { ...props, places });
    const { maskSecret, notify, sources } = config;
    const apart = { maskSecret, 'notify.webhookSecret': notify?.webhookSecret };
    const secrets = sources.map(({ secret }) => secret);
    if (stage.callsApi) this.allowSecrets(secrets, apart);
    if (stage.masks && maskSecret !== undefined) this.allowSecrets([maskSecret]);
    if (props.network.groupOf(stage) !== undefined) grant(this.role, 'network', props);
    this.function = new LambdaFunction(this, 'Function', {
      functionName,
      description: `${stage.name}: ${stage.says}`,
      code: stageCode(props),
      handler: 'index.handler',
      runtime: Runtime.NODEJS_24_X,
      architecture: props.architecture === 'arm64' ? Architecture.ARM_64 : Architecture.X86_64,
      memorySize: memoryOf(stage, config),
      ephemeralStorageSize: Size.mebibytes(stage.diskMiB),
      timeout: Duration.seconds(stage.timeoutSeconds),
      role: this.role.withoutPolicyUpdates(),
      // Old versions stay, because a run ends on the version that it began with.
      currentVersionOptions: { removalPolicy: RemovalPolicy.RETAIN },
      logGroup,
      loggingFormat: LoggingFormat.TEXT,
      environment: {
        LAKE: `s3://${storage.lake.bucketName}`,
        STACK: config.name,
        ...props.environment,
      },
      ...props.network.placement(stage),
    });
  }

  /** Lets it read these secrets, and none of those that are `apart`. */
  allowSecrets(names: readonly string[], apart: Readonly<Record<string, string | undefined>> = {}): void {
    const secrets = secretsAt(secretArns(Stack.of(this), names, { apart }));
    grant(this.role, 'secrets', { ...this.installed, places: { secrets } });
  }
}
