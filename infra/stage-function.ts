import { Duration, RemovalPolicy, Size, Stack } from 'aws-cdk-lib';
import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Architecture, Function as LambdaFunction, LoggingFormat, Runtime } from 'aws-cdk-lib/aws-lambda';
import { LogGroup, RetentionDays } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import type { Config } from '../lib/config/config.ts';
import { type Allowance, allow, allowKey } from './allow.ts';
import type { LambdaArchitecture } from './bindings.ts';
import type { Network } from './network.ts';
import { secretArns } from './secret-arns.ts';
import { stageCode } from './stage-code.ts';
import { memoryOf, type StageForm } from './stages.ts';
import type { Storage } from './storage.ts';

/** What the functions of an installation have in common. */
export interface Installed {
  readonly config: Config;
  readonly storage: Storage;
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

  constructor(scope: Construct, id: string, props: StageFunctionProps) {
    super(scope, id);
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
    allow(this.role, {
      actions: 'logs:CreateLogStream PutLogEvents',
      resources: [logGroup.logGroupArn],
      because: 'The streams of its own log group, one for each of its instances.',
    });
    this.allowLake(props);
    const { maskSecret, notify, sources } = config;
    const apart = { maskSecret, 'notify.webhookSecret': notify?.webhookSecret };
    const secrets = sources.map(({ secret }) => secret);
    if (stage.callsApi) this.allowSecrets(secrets, config, apart);
    if (stage.masks && maskSecret !== undefined) this.allowSecrets([maskSecret], config);
    props.network.allow(this.role, stage);
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

  private allowLake({ stage, storage: { lake, key } }: StageFunctionProps): void {
    const objects = (actions: string, prefixes: readonly string[]): readonly Allowance[] => {
      const because = `The stage ${stage.name} has these prefixes; the names below them are runs, sources and numbers.`;
      const resources = prefixes.map((prefix) => lake.arnForObjects(prefix));
      return prefixes.length === 0 ? [] : [{ actions, resources, because }];
    };
    allow(
      this.role,
      // Without the right to list names, S3 answers 403 instead of 404 for a missing object.
      { actions: 's3:ListBucket', resources: [lake.bucketArn] },
      ...objects('s3:GetObject', stage.reads),
      ...objects('s3:PutObject AbortMultipartUpload', stage.puts),
      ...objects('s3:DeleteObject', stage.removes),
    );
    allowKey(this.role, { keyArn: key?.keyArn, service: 's3' });
  }

  /** Lets it read these secrets, and none of those that are `apart`. */
  allowSecrets(
    names: readonly string[],
    { secretsKmsKeyArn }: Config,
    apart: Readonly<Record<string, string | undefined>> = {},
  ): void {
    allow(this.role, {
      actions: 'secretsmanager:GetSecretValue',
      resources: secretArns(Stack.of(this), names, { apart }),
      because: 'So many secrets that their names do not fit into a policy lie below common names.',
    });
    allowKey(this.role, { keyArn: secretsKmsKeyArn, service: 'secretsmanager', isReadOnly: true });
  }
}
