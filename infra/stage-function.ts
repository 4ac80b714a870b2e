import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Duration, RemovalPolicy, Size, Stack } from 'aws-cdk-lib';
import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Architecture, LoggingFormat, Runtime } from 'aws-cdk-lib/aws-lambda';
import { NodejsFunction, OutputFormat } from 'aws-cdk-lib/aws-lambda-nodejs';
import { LogGroup, RetentionDays } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import type { Config } from '../lib/config/config.ts';
import { allow, allowKey } from './allow.ts';
import { fetchedBinding, type LambdaArchitecture } from './bindings.ts';
import { bundleOptions, entryOf } from './bundle.ts';
import type { Network } from './network.ts';
import { secretArns } from './secret-arns.ts';
import { memoryOf, type StageForm } from './stages.ts';
import type { Storage } from './storage.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
/** The folder into which Lambda puts a bundle. */
const TASK_ROOT = '/var/task';

export interface StageFunctionProps {
  readonly stage: StageForm;
  readonly config: Config;
  readonly storage: Storage;
  readonly network: Network;
  readonly architecture: LambdaArchitecture;
  readonly environment: Readonly<Record<string, string>>;
}

/** The Lambda of a stage, with a role that has the rights of the stage's form and no others. */
export class StageFunction extends Construct {
  readonly function: NodejsFunction;
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
      actions: ['logs:CreateLogStream', 'logs:PutLogEvents'],
      resources: [logGroup.logGroupArn],
      because: 'The streams of its own log group, one for each of its instances.',
    });
    this.allowLake(props);
    if (stage.callsApi)
      this.allowSecrets(
        config.sources.map(({ secret }) => secret),
        config,
      );
    if (stage.masks && config.maskSecret !== undefined) this.allowSecrets([config.maskSecret], config);
    props.network.allow(this.role, stage);
    const { external, ...bundling } = bundleOptions(stage);
    this.function = new NodejsFunction(this, 'Function', {
      functionName,
      description: `${stage.name}: ${stage.says}`,
      entry: entryOf(stage),
      projectRoot: ROOT,
      depsLockFilePath: join(ROOT, 'package-lock.json'),
      runtime: Runtime.NODEJS_24_X,
      architecture: props.architecture === 'arm64' ? Architecture.ARM_64 : Architecture.X86_64,
      memorySize: memoryOf(stage, config),
      ephemeralStorageSize: Size.mebibytes(stage.diskMiB),
      timeout: Duration.seconds(stage.timeoutSeconds),
      role: this.role.withoutPolicyUpdates(),
      // Old versions stay, for a run ends on the version that it began with.
      currentVersionOptions: { removalPolicy: RemovalPolicy.RETAIN },
      logGroup,
      loggingFormat: LoggingFormat.TEXT,
      environment: {
        LAKE: `s3://${storage.lake.bucketName}`,
        STACK: config.name,
        NODE_OPTIONS: '--enable-source-maps',
        ...props.environment,
      },
      bundling: {
        ...bundling,
        externalModules: external,
        format: OutputFormat.ESM,
        // Bundled, so that the SDK that was tested is the one that runs.
        bundleAwsSDK: true,
        commandHooks: hooks(props, Stack.of(this).bundlingRequired),
      },
      ...props.network.placement(stage),
    });
  }

  private allowLake({ stage, storage }: StageFunctionProps): void {
    const { lake } = storage;
    const objects = (prefixes: readonly string[]) => prefixes.map((prefix) => lake.arnForObjects(prefix));
    const because = `The stage ${stage.name} has these prefixes; the names below them are runs, sources and numbers.`;
    // Without the right to list names, S3 answers 403 in place of 404 for an object that does not exist.
    allow(this.role, { actions: ['s3:ListBucket'], resources: [lake.bucketArn] });
    allow(this.role, { actions: ['s3:GetObject'], resources: objects(stage.reads), because });
    if (stage.puts.length > 0) {
      const actions = ['s3:PutObject', 's3:AbortMultipartUpload'];
      allow(this.role, { actions, resources: objects(stage.puts), because });
    }
    if (stage.removes.length > 0) {
      allow(this.role, { actions: ['s3:DeleteObject'], resources: objects(stage.removes), because });
    }
    allowKey(this.role, { keyArn: storage.key?.keyArn, service: 's3' });
  }

  private allowSecrets(names: readonly string[], { secretsKmsKeyArn }: Config): void {
    allow(this.role, {
      actions: ['secretsmanager:GetSecretValue'],
      resources: secretArns(Stack.of(this), names),
      because: 'So many secrets that their names do not fit into a policy lie below common names.',
    });
    allowKey(this.role, { keyArn: secretsKmsKeyArn, service: 'secretsmanager', actions: ['kms:Decrypt'] });
  }
}

interface Beside {
  /** A file or folder of this machine. */
  readonly from: string;
  /** Where it is in the bundle. */
  readonly to: string;
}

/** The files that are copied beside a bundle. */
function beside({ stage, config, architecture }: StageFunctionProps): readonly Beside[] {
  const files: Beside[] = [];
  if (stage.hasDuckDb) {
    const from = fetchedBinding(architecture);
    const cpu = architecture === 'arm64' ? 'arm64' : 'x64';
    files.push({ from, to: `node_modules/@duckdb/node-bindings-linux-${cpu}` });
  }
  if (stage.hasConfig) {
    const from = join(mkdtempSync(join(tmpdir(), 'signage-export-synth-')), 'export.config.json');
    writeFileSync(from, JSON.stringify(deployedConfig(config)));
    files.push({ from, to: 'export.config.json' });
  }
  if (stage.hasCatalog || stage.tells) files.push({ from: join(ROOT, 'queries'), to: 'queries' });
  if (stage.callsApi) {
    for (const { name, caFile } of config.sources) {
      if (caFile !== undefined) files.push({ from: caFile, to: `ca/${name}.pem` });
    }
  }
  return files;
}

/** The config with the paths that certificates have in the Lambda. */
function deployedConfig(config: Config): Config {
  const sources = config.sources.map((source) =>
    source.caFile === undefined ? source : { ...source, caFile: `${TASK_ROOT}/ca/${source.name}.pem` },
  );
  return { ...config, sources };
}

/** CDK calls the hooks also without bundling; tests of the template need neither bundle nor binding. */
function hooks(props: StageFunctionProps, isBundled: boolean) {
  const copy = join(ROOT, 'infra', 'copy.ts');
  const page = join(ROOT, 'infra', 'bundle-page.ts');
  return {
    beforeBundling: () => [],
    beforeInstall: () => [],
    afterBundling: (_input: string, output: string) =>
      isBundled
        ? [
            ...beside(props).map(
              ({ from, to }) => `"${process.execPath}" "${copy}" "${from}" "${join(output, to)}"`,
            ),
            ...(props.stage.tells ? [`"${process.execPath}" "${page}" "${output}"`] : []),
          ]
        : [],
  };
}
