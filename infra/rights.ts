import { Stack } from 'aws-cdk-lib';
import type { IConstruct } from 'constructs';
import type { Config } from '../lib/config/config.ts';
import { PAGES } from '../lib/report/page-files.ts';
import { type Allowance, allow, arnHere, type Grantee } from './allow.ts';
import type { Storage } from './storage.ts';

/** A group of readers is `filtered` if it has a row filter: it gets rows from Lake Formation, and no file. */
const QUERY = ['readers', 'filtered', 'operators'] as const;
const READ = ['readers', 'filtered'] as const;
type Who =
  | (typeof QUERY)[number]
  | ('runbook' | 'stage' | 'secrets' | 'network' | 'catalog' | 'filters' | 'files')
  | ('start' | 'flow' | 'machine' | 'operate' | 'news' | 'watch' | 'schedule' | 'delivery');

/** Who has which rights on what, for every role and policy of the stack. */
const RIGHTS: readonly (readonly [who: readonly Who[], actions: string, on: PlaceName])[] = [
  // Both may query the tables by Athena. By one name with `*`: a policy has room for few characters.
  [QUERY, 'athena:*QueryExecution GetQueryResults', 'workgroup'],
  [QUERY, 'glue:GetDatabase GetTable GetTables GetPartition GetPartitions BatchGetPartition', 'queried'],
  [QUERY, 's3:GetObject PutObject AbortMultipartUpload', 'ownResults'],
  [QUERY, 'lakeformation:GetDataAccess', 'opened'],
  [[...QUERY, 'catalog'], 'kms:Decrypt Encrypt GenerateDataKey', 'catalogKey'],
  [[...QUERY, 'stage'], 'kms:Decrypt GenerateDataKey', 'lakeKey'],
  // With these, drivers of BI tools ask when they connect.
  [READ, 'athena:GetWorkGroup GetQueryResultsStream ListQueryExecutions ListNamedQueries', 'workgroup'],
  [READ, 'athena:GetNamedQuery BatchGetNamedQuery', 'workgroup'],
  [READ, 'glue:GetCatalog GetCatalogs GetDatabases', 'queried'],
  [READ, 's3:ListMultipartUploadParts', 'ownResults'],
  [READ, 'athena:GetDataCatalog ListDatabases GetDatabase ListTableMetadata GetTableMetadata', 'dataCatalog'],
  [READ, 'athena:ListDataCatalogs ListWorkGroups ListEngineVersions', 'names'],
  [READ, 's3:GetBucketLocation', 'buckets'],
  [READ, 's3:ListBucket ListBucketMultipartUploads', 'resultsBucket'],
  [['readers', 'files'], 's3:GetObject', 'tables'],
  [['readers'], 's3:ListBucket', 'namesOfTables'],
  [['readers'], 's3:GetObject', 'pages'],
  // The command line does the rest with --deployed.
  [['operators'], 's3:GetObject', 'stateAndTables'],
  [['operators'], 's3:ListBucket GetBucketLocation', 'buckets'],
  [['operators'], 'cloudformation:DescribeStacks', 'stack'],
  [['operators', 'watch', 'schedule'], 'lambda:InvokeFunction', 'called'],
  [['operators'], 'cloudwatch:SetAlarmState DescribeAlarmHistory', 'alarm'],
  [['operators'], 'states:StartExecution', 'operateMachine'],
  [['operators'], 'states:DescribeExecution GetExecutionHistory StopExecution', 'executions'],
  [['operators'], 'secretsmanager:CreateSecret PutSecretValue', 'secrets'],
  [['operators'], 'secretsmanager:UpdateSecret', 'secretsUnderKey'],
  [['operators'], 'kms:Decrypt GenerateDataKey', 'secretsKey'],
  // The runbook looks at these.
  [['runbook'], 'logs:DescribeLogStreams FilterLogEvents GetLogEvents StartQuery', 'logs'],
  [['runbook'], 'states:DescribeStateMachine ListExecutions', 'machines'],
  [['runbook'], 'states:RedriveExecution', 'executions'],
  [['runbook'], 'scheduler:GetSchedule', 'schedule'],
  [['runbook'], 'sqs:GetQueueUrl GetQueueAttributes ReceiveMessage DeleteMessage', 'letters'],
  [['runbook'], 'servicequotas:GetServiceQuota', 'quota'],
  [['runbook'], 'cloudwatch:GetDashboard', 'dashboard'],
  [['runbook'], 'cloudwatch:DescribeAlarms GetMetricData', 'everything'],
  [['runbook'], 'logs:DescribeLogGroups GetQueryResults', 'everything'],
  // Without the right to list names, S3 answers 403 instead of 404 for a missing object.
  [['stage', 'files'], 's3:ListBucket', 'lakeBucket'],
  [['stage'], 'logs:CreateLogStream PutLogEvents', 'log'],
  [['stage'], 's3:GetObject', 'reads'],
  [['stage'], 's3:PutObject AbortMultipartUpload', 'puts'],
  [['stage'], 's3:DeleteObject', 'removes'],
  [['secrets'], 'secretsmanager:GetSecretValue', 'secrets'],
  [['secrets'], 'kms:Decrypt', 'secretsKey'],
  [['network'], 'ec2:CreateNetworkInterface DescribeNetworkInterfaces', 'interfaces'],
  [['network'], 'ec2:DeleteNetworkInterface DescribeSubnets', 'interfaces'],
  [['catalog'], 'glue:GetTables CreateTable UpdateTable BatchDeleteTable DeleteTable', 'catalog'],
  [['catalog'], 'glue:GetPartitions BatchCreatePartition BatchUpdatePartition UpdatePartition', 'catalog'],
  [['catalog'], 'glue:BatchDeletePartition', 'catalog'],
  [['filters'], 'lakeformation:CreateDataCellsFilter DeleteDataCellsFilter ListDataCellsFilter', 'filters'],
  [['filters'], 'lakeformation:BatchGrantPermissions BatchRevokePermissions ListPermissions', 'filters'],
  // Its settings say whether new tables are open.
  [['filters'], 'lakeformation:GrantPermissions RevokePermissions GetDataLakeSettings', 'filters'],
  [['files'], 'kms:Decrypt', 'lakeKey'],
  // A run that finds a running operator's command waits in an execution of that state machine.
  [['start'], 'states:StartExecution', 'machines'],
  [['start'], 'states:DescribeExecution', 'runs'],
  [['start', 'delivery'], 'sqs:SendMessage', 'letters'],
  [['flow'], 'lambda:InvokeFunction', 'versions'],
  [['flow'], 'logs:CreateLogDelivery GetLogDelivery UpdateLogDelivery DeleteLogDelivery', 'deliveries'],
  [['flow'], 'logs:ListLogDeliveries PutResourcePolicy DescribeResourcePolicies', 'deliveries'],
  [['flow'], 'logs:DescribeLogGroups', 'deliveries'],
  // The flow of runs, beside what that of operators' commands may do too.
  [['machine'], 'states:StartExecution', 'machine'],
  [['machine'], 'states:DescribeExecution StopExecution', 'runs'],
  [['machine'], 'states:RedriveExecution', 'maps'],
  [['operate'], 'states:StartExecution', 'machine'],
  [['operate'], 'states:DescribeExecution', 'executions'],
  [['news'], 's3:PutObject', 'pages'],
  [['news'], 'events:PutEvents', 'bus'],
  [['news'], 'sns:Publish', 'topic'],
];

/** What a right is on; undefined if the config has no such thing, and then nobody has the right. */
type Place = Omit<Allowance, 'actions'> | undefined;
/** Those that have no fixed name; whoever grants says what they are. */
type Made =
  | ('called' | 'versions' | 'secrets' | 'secretsUnderKey' | 'letters' | 'topic')
  | ('log' | 'reads' | 'puts' | 'removes' | 'maps');
type PlaceName = keyof ReturnType<typeof placesOf> | Made;

/** The config and its buckets. */
export interface Queried {
  readonly config: Config;
  readonly storage: Storage;
}

interface Granted extends Queried {
  /** The workgroup of who queries, and its folder of results. */
  readonly workgroup?: string;
  readonly places?: Readonly<Partial<Record<Made, Place>>>;
}

/** Gives a role or a policy the rights that the table has for `who`. */
export function grant(to: Grantee, who: Who, granted: Granted): void {
  const places: Partial<Record<PlaceName, Place>> = { ...placesOf(to, granted), ...granted.places };
  for (const [whom, actions, on] of RIGHTS) {
    if (!whom.includes(who)) continue;
    if (!Object.hasOwn(places, on)) throw new Error(`${to.node.path}: nobody says where ${on} is.`);
    const place = places[on];
    if (place !== undefined) allow(to, { actions, ...place });
  }
}

/** A place; `because` is needed if it or an action on it has a wildcard. */
export function at(resources: readonly string[], because?: string): Omit<Allowance, 'actions'> {
  return { resources, because };
}

/** The secrets of these ARNs. */
export function secretsAt(arns: readonly string[]): Place {
  return at(arns, 'So many secrets that their names do not fit into a policy lie below common names.');
}

/** The state machine of runs, or of operators' commands, by its name: each is known before it is made. */
export function machineArn(scope: IConstruct, { name }: Config, machine: 'export' | 'operate'): string {
  return arnHere(scope, 'states', `stateMachine:${name}-${machine}`);
}

function placesOf(scope: IConstruct, { config, storage, workgroup = config.name }: Granted) {
  const { name, lakeFormation, catalogKmsKeyArn, secretsKmsKeyArn } = config;
  const { lake, results, key } = storage;
  const { partition, account, region, stackId } = Stack.of(scope);
  const here = (service: string, ...resources: readonly string[]) =>
    resources.map((resource) => arnHere(scope, service, resource));
  const run = machineArn(scope, config, 'export');
  const operate = machineArn(scope, config, 'operate');
  const ofRuns = 'Executions are named after runs, which are times.';
  const executionsOf = (...machines: readonly string[]) =>
    at(
      machines.map((arn) => `${arn.replace(':stateMachine:', ':execution:')}:*`),
      ofRuns,
    );
  // In China the name of the service may end with .cn.
  const through = (service: string) => ({
    StringLike: { 'kms:ViaService': `${service}.${region}.amazonaws.com*` },
  });
  /** A customer's key, which a role may use through one service alone. AWS's own keys need no right. */
  const keyOf = (service: string, keyArn: string | undefined): Place =>
    keyArn === undefined ? undefined : { resources: [keyArn], conditions: through(service) };
  const catalog = ['catalog', `database/${name}`, `table/${name}/*`];
  const logs = [`log-group:/aws/lambda/${name}-*`, `log-group:/aws/vendedlogs/states/${name}-*`];
  const ofWorkgroup = 'Start, Stop and Get of queries in this workgroup.';
  const ofQueries = 'Whoever queries reads every table of this database.';
  const ofOperators = 'status, report and query read tables and state; raw answers are for the stages.';
  const ofResults = 'Athena chooses the names of result files; nothing else is in this folder.';
  const ofLakeFormation =
    'Lake Formation has no resources in IAM; its own grants are on this database alone.';
  const ofDrivers = 'Drivers list names when they connect; Athena has no resources for these actions.';
  const ofInterfaces =
    'Network interfaces have no ARN before they are made, and describing them knows no resources.';
  return {
    workgroup: at(here('athena', `workgroup/${workgroup}`), ofWorkgroup),
    // Athena and its drivers look at the database `default` in every query.
    queried: at(here('glue', ...catalog, 'database/default'), ofQueries),
    ownResults: at([results.arnForObjects(`${workgroup}/*`)], ofResults),
    opened: lakeFormation?.rowFilters?.length
      ? at(['*'], 'Lake Formation opens the files; it has no resource for this.')
      : undefined,
    catalogKey: keyOf('glue', catalogKmsKeyArn),
    lakeKey: keyOf('s3', key?.keyArn),
    secretsKey: keyOf('secretsmanager', secretsKmsKeyArn),
    dataCatalog: at(here('athena', 'datacatalog/AwsDataCatalog')),
    names: at(['*'], ofDrivers),
    buckets: at([lake.bucketArn, results.bucketArn]),
    resultsBucket: at([results.bucketArn]),
    lakeBucket: at([lake.bucketArn]),
    tables: at([lake.arnForObjects('tables/*')], 'Readers read every file of the tables.'),
    namesOfTables: { ...at([lake.bucketArn]), conditions: { StringLike: { 's3:prefix': ['tables/*'] } } },
    stateAndTables: at([lake.arnForObjects('state*'), lake.arnForObjects('tables/*')], ofOperators),
    pages: at([results.arnForObjects(`${PAGES}*`)], 'The newest page, and one of each date.'),
    stack: at([stackId]),
    alarm: at(here('cloudwatch', `alarm:${name}-run-failed-count`)),
    machine: at([run]),
    operateMachine: at([operate]),
    machines: at([run, operate]),
    runs: executionsOf(run),
    executions: executionsOf(run, operate),
    logs: at(here('logs', ...logs), 'Each stage has a log of its own.'),
    schedule: at(here('scheduler', `schedule/default/${name}-export`)),
    quota: at(here('servicequotas', 'lambda/L-B99A9384')),
    dashboard: at([`arn:${partition}:cloudwatch::${account}:dashboard/${name}-export-${region}`]),
    everything: at(['*'], 'AWS has no resource for these; of log groups the console asks for all.'),
    interfaces: at(['*'], ofInterfaces),
    catalog: at(here('glue', ...catalog), 'Runs decide which tables its own database has.'),
    deliveries: at(['*'], 'Log deliveries have no resources, so only * can be granted.'),
    filters: lakeFormation === undefined ? undefined : at(['*'], ofLakeFormation),
    bus: at(here('events', 'event-bus/default')),
  };
}
