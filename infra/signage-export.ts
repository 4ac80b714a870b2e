import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { Annotations, CfnOutput, Stack, Tags, Token } from 'aws-cdk-lib';
import { type IManagedPolicy, ManagedPolicy, PermissionsBoundary } from 'aws-cdk-lib/aws-iam';
import type { IBucket } from 'aws-cdk-lib/aws-s3';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import { Construct } from 'constructs';
import type { Config } from '../lib/config/config.ts';
import { parseConfig } from '../lib/config/parse-config.ts';
import { readSchedule } from '../lib/config/schedule.ts';
import { UsageError } from '../lib/errors.ts';
import { addWatch } from './add-schedule.ts';
import { addAlarms } from './alarms.ts';
import { addDashboard } from './dashboard.ts';
import { writeExecutionPolicy } from './execution-policy.ts';
import { FEATURE_FLAGS } from './feature-flags.ts';
import { addGrants } from './lake-formation.ts';
import { addNetwork } from './network.ts';
import { addNews } from './news.ts';
import { addOperations } from './operations.ts';
import { addPipeline } from './pipeline.ts';
import { addReporting } from './readers.ts';
import { refuseMisfits } from './refuse-misfits.ts';
import { machineArn } from './rights.ts';
import { addStorage } from './storage.ts';

/** What an installation is made of. */
export interface SignageExportProps {
  /**
   * The config: the path of a file, or such a file's content as an object. Paths in it (`caFile`) begin in the file's
   * folder, or in the current folder. A mistake ends the synthesis with its field, value and cure. Its `name` names the
   * Glue database, the workgroup and the functions, so it must be unique in account and region.
   *
   * @see docs/use/config.md in the package
   * @default export.config.json in the current folder
   */
  readonly config?: string | object;

  /**
   * The processor of the functions. `npx signage-export bindings ARCHITECTURE` fetches DuckDB for it once; then synthesis needs
   * no network.
   *
   * @default 'arm64'
   */
  readonly architecture?: 'arm64' | 'x86_64';

  /**
   * The name of a bucket that already has a lake, such as that of a destroyed installation. The installation continues
   * with it, and leaves the settings of the bucket as they are. Every later deployment needs it too.
   *
   * @see docs/run/ways-back.md in the package
   * @default `existingLake` of the context, from cdk.json or `-c`; without it a new bucket
   */
  readonly existingLake?: string;
}

/** The id with which an app acknowledges the warning, such as one that subscribes to `alarmTopic` itself. */
const NOBODY_HEARS = 'signage-export:nobody-hears-alarms';
const SAYS_NOBODY_HEARS =
  'alarmEmail and alarmTopicArn are missing in the config, so nobody hears an alarm: set one of them.';

/**
 * One installation: the lake, the pipeline that fills it on a schedule, and what its readers and operators need.
 *
 * Under the id `Default` its resources and outputs have the same names as with `npm run deploy` of the repository.
 * In a stack with the config's `name` as its own, the commands with `--deployed` find it.
 *
 * The config's tags are on every resource that can have tags, unless its stack already has such a tag.
 */
export class SignageExport extends Construct {
  /** The bucket with tables, raw answers and state. It stays when the stack is removed. */
  readonly lake: IBucket;
  /** The name of the Glue database, which has a table for each resource and a view for each question. */
  readonly database: string;
  /** The name of the Athena workgroup of readers. */
  readonly workgroup: string;
  /** Lets its holders read only tables, results and pages. */
  readonly readersPolicy: IManagedPolicy;
  /** Lets its holders start runs, repair and roll back. */
  readonly operatorsPolicy: IManagedPolicy;
  /** The ARN of the state machine of a run. */
  readonly stateMachineArn: string;
  /** The receiver of the alarms. */
  readonly alarmTopic: ITopic;

  constructor(scope: Construct, id: string, props: SignageExportProps = {}) {
    super(scope, id);
    try {
      // Those of the app may be of another version of CDK, and the same config must make the same template.
      for (const [flag, value] of Object.entries(FEATURE_FLAGS)) this.node.setContext(flag, value);
      const config = configOf(props.config ?? 'export.config.json');
      const architecture = props.architecture ?? 'arm64';
      const schedule = readSchedule(config, new Date());
      const { account, region } = Stack.of(this);
      const target = Object.entries({ account, region }).filter(([, value]) => !Token.isUnresolved(value));
      refuseMisfits(config, Object.fromEntries(target));
      const inContext: unknown = this.node.tryGetContext('existingLake') || undefined;
      const existingLake = props.existingLake ?? (typeof inContext === 'string' ? inContext : undefined);
      refuseTwins(this, config.name, existingLake);
      if (config.alarmEmail === undefined && config.alarmTopicArn === undefined)
        Annotations.of(this).addWarningV2(NOBODY_HEARS, SAYS_NOBODY_HEARS);
      const ofStack = Stack.of(this).tags.tagValues();
      for (const [key, value] of Object.entries(config.tags ?? {}))
        if (ofStack[key] !== value) Tags.of(this).add(key, value);
      if (config.permissionsBoundaryArn !== undefined) {
        const boundary = ManagedPolicy.fromManagedPolicyArn(this, 'Boundary', config.permissionsBoundaryArn);
        PermissionsBoundary.of(this).apply(boundary);
      }
      const storage = addStorage(new Construct(this, 'Storage'), { config, existingLake });
      const reporting = new Construct(this, 'Reporting');
      const readers = addReporting(reporting, { config, storage });
      const inPipeline = new Construct(this, 'Pipeline');
      const placements = addNetwork(inPipeline, config);
      const installed = { config, storage, architecture, placements };
      const pipeline = addPipeline(inPipeline, installed);
      const operations = addOperations(new Construct(this, 'Operations'), installed, pipeline);
      const { start, list, commit } = pipeline.stages;
      if (config.lakeFormation !== undefined) {
        const granted = new Construct(this, 'LakeFormation');
        addGrants(granted, installed, { start, commit, operate: operations.operate });
        granted.node.addDependency(reporting);
      }
      const { news, page } = addNews(new Construct(this, 'News'), installed);
      const watched = { ...installed, schedule, news };
      const watch = addWatch(new Construct(this, 'Watch'), watched);
      const { topic, alarms } = addAlarms(new Construct(this, 'Alarms'), { ...watched, pipeline, watch });
      addDashboard(new Construct(this, 'Dashboard'), { config, pipeline, alarms });
      const catalog = `WorkGroup=${config.name};Catalog=AwsDataCatalog`;
      const outputs = {
        Lake: `s3://${storage.lake.bucketName}`,
        StateMachineArn: pipeline.stateMachineArn,
        StartFunction: start.function.functionName,
        ListFunction: list.function.functionName,
        OperateMachineArn: machineArn(this, config, 'operate'),
        OperatorsWorkgroup: operations.workgroup,
        OperatorsPolicy: operations.policy.managedPolicyArn,
        RunbookPolicy: operations.runbookPolicy.managedPolicyArn,
        Database: config.name,
        Workgroup: config.name,
        Results: readers.results,
        ReportPage: page,
        ReadersPolicy: readers.policy.managedPolicyArn,
        Jdbc: `jdbc:athena://Region=${region};${catalog};Database=${config.name};`,
        Odbc: `Driver={Amazon Athena ODBC (x64)};AwsRegion=${region};${catalog};Schema=${config.name};`,
      };
      for (const [name, value] of Object.entries(outputs)) new CfnOutput(this, name, { value });
      writeExecutionPolicy(this, config);
      this.lake = storage.lake;
      this.database = config.name;
      this.workgroup = config.name;
      this.readersPolicy = readers.policy;
      this.operatorsPolicy = operations.policy;
      this.stateMachineArn = pipeline.stateMachineArn;
      this.alarmTopic = topic;
    } catch (error) {
      throw toldBriefly(error);
    }
  }
}

/**
 * A mistake of the config or the app without its stack. Node prints the whole error that ends an app, and
 * code would hide the sentence with the cure. Any other error stays as it is.
 */
function toldBriefly(error: unknown): unknown {
  if (!(error instanceof UsageError)) return error;
  for (const name of ['name', 'code', 'faults'])
    if (Object.hasOwn(error, name)) Object.defineProperty(error, name, { enumerable: false });
  Reflect.deleteProperty(error, 'cause');
  error.stack = `${error.code}: ${error.message}`;
  return error;
}

/**
 * Throws UsageError if the app has another installation over that lake, or of that name in the same stack, or account
 * and region.
 */
function refuseTwins(one: SignageExport, name: string, existingLake: string | undefined): void {
  const placeOf = (each: SignageExport) => {
    const { account, region } = Stack.of(each);
    // Stacks without an environment may be deployed to different ones.
    const isOpen = Token.isUnresolved(account) || Token.isUnresolved(region);
    return isOpen ? Stack.of(each) : `${account} ${region}`;
  };
  for (const other of one.node.root.node.findAll()) {
    if (!(other instanceof SignageExport) || other === one) continue;
    const both = `${one.node.path} and ${other.node.path}`;
    if (other.lake.bucketName === existingLake)
      throw new UsageError(
        `${both} would both write to the lake ${existingLake}: name it in the prop existingLake of one of them, not in the context.`,
      );
    if (other.database === name && placeOf(other) === placeOf(one))
      throw new UsageError(
        `${both} are both named ${JSON.stringify(name)}, and would give their resources the same names: give each a name of its own in its config.`,
      );
  }
}

/** Reads and checks a config. Throws UsageError. */
function configOf(given: string | object): Config {
  if (typeof given !== 'string')
    return parseConfig(JSON.stringify(given), resolve('config of SignageExport'));
  if (existsSync(given)) return parseConfig(readFileSync(given, 'utf8'), given);
  throw new UsageError(
    `The config ${resolve(given)} does not exist: \`npx signage-export init\` writes one, or name another as \`config\`.`,
    'CONFIG_MISSING',
  );
}
