import { describe, expect, it } from 'vitest';
import { someOf } from '../support/some-of.ts';
import { spelled, statementsIn, templateOf } from './synthesized.ts';

/** What the drivers of BI tools call in addition to the query. @see https://docs.aws.amazon.com/aws-managed-policy/latest/reference/AWSQuicksightAthenaAccess.html */
const DRIVERS = Object.entries({
  athena:
    'ListDataCatalogs GetDataCatalog ListDatabases GetDatabase ListTableMetadata GetTableMetadata ListWorkGroups GetWorkGroup ListEngineVersions *QueryExecution GetQueryResults GetQueryResultsStream',
  glue: 'GetCatalog GetCatalogs GetDatabase GetDatabases GetTable GetTables GetPartition GetPartitions BatchGetPartition',
  s3: 'GetBucketLocation ListBucket ListBucketMultipartUploads ListMultipartUploadParts AbortMultipartUpload GetObject PutObject',
}).flatMap(([service, calls]) => calls.split(' ').map((call) => `${service}:${call}`));
const kmsKeyArn = 'arn:aws:kms:eu-central-1:111122223333:key/12345678-1234-1234-1234-123456789012';
const template = templateOf({
  readers: ['finance', 'ops'],
  kmsKeyArn,
  notify: { webhookSecret: 'signage-export/hook' },
});
const managed = template.ofType('AWS::IAM::ManagedPolicy').map(({ Properties }) => ({
  name: spelled(Properties['ManagedPolicyName']),
  statements: statementsIn(Properties),
  denials: statementsIn(Properties, 'Deny'),
}));
const policies = managed.filter(({ name }) => name.includes('-readers-'));

describe('readers', () => {
  it('have a policy and a workgroup for each group, and one for who is in none', () => {
    expect(policies.map(({ name }) => name).sort()).toEqual([
      'signage-readers-<AWS::Region>',
      'signage.finance-readers-<AWS::Region>',
      'signage.ops-readers-<AWS::Region>',
    ]);
    const workgroups = template.ofType('AWS::Athena::WorkGroup').map(({ Properties }) => Properties['Name']);
    expect(workgroups.sort()).toEqual(['signage', 'signage._ops', 'signage.finance', 'signage.ops']);
  });

  it.each(policies)('$name has what the drivers of BI tools ask for', ({ statements }) => {
    const allowed = new Set(statements.flatMap(({ actions }) => actions));
    expect(DRIVERS.filter((action) => !allowed.has(action))).toEqual([]);
  });

  it('read tables and their own results, neither raw answers nor state nor the results of others', () => {
    for (const { name, statements } of someOf(policies)) {
      const [, group = ''] = /^signage\.(finance|ops)-readers-/.exec(name) ?? [];
      const at = (action: string) =>
        statements
          .filter(({ actions }) => actions.includes(action))
          .flatMap(({ resources }) => resources)
          .map((arn) => arn.replace(/<Storage(\w+?)[0-9A-F]{8}\.Arn>/, '$1'));
      const results = `Results/${group === '' ? 'signage' : `signage.${group}`}/*`;
      expect(at('s3:GetObject').toSorted(), name).toEqual(['Lake/tables/*', 'Results/_report/*', results]);
      expect(at('s3:PutObject'), name).toEqual([results]);
      const workgroups = at('athena:*QueryExecution').map((arn) => arn.split(':workgroup/')[1]);
      expect(workgroups, name).toEqual([group === '' ? 'signage' : `signage.${group}`]);
      const listed = statements.filter(
        ({ actions, conditions }) => actions.includes('s3:ListBucket') && conditions !== undefined,
      );
      expect(listed.map(({ conditions }) => conditions)).toEqual([
        { StringLike: { 's3:prefix': ['tables/*'] } },
      ]);
    }
  });

  it('use the key on behalf of S3 alone', () => {
    for (const { statements } of someOf(policies)) {
      const keyed = statements.filter(({ resources }) => resources.includes(kmsKeyArn));
      expect(JSON.stringify(keyed.map(({ conditions }) => conditions))).toMatch(
        /^\[\{"StringLike":\{"kms:ViaService":.*"s3\.".*"\.amazonaws\.com\*"/,
      );
    }
  });

  it('are told by outputs where and how to connect', () => {
    const { outputs } = template;
    expect(Object.keys(outputs)).toEqual(
      expect.arrayContaining(['Workgroup', 'Database', 'Results', 'ReadersPolicy', 'Jdbc', 'Odbc']),
    );
    expect(spelled(outputs['Jdbc']?.Value)).toBe(
      'jdbc:athena://Region=<AWS::Region>;WorkGroup=signage;Catalog=AwsDataCatalog;Database=signage;',
    );
    expect(spelled(outputs['Odbc']?.Value)).toBe(
      'Driver={Amazon Athena ODBC (x64)};AwsRegion=<AWS::Region>;WorkGroup=signage;Catalog=AwsDataCatalog;Schema=signage;',
    );
    expect(spelled(outputs['Results']?.Value)).toMatch(/^s3:\/\/<StorageResults\w+>\/signage\/$/);
  });
});

describe('what readers need not see', () => {
  it.each(policies)(
    'raw answers and state are denied by $name, whatever else opens the bucket',
    ({ denials }) => {
      const denied = denials.flatMap(({ actions, resources }) =>
        actions.map((action) => `${action} ${resources.map((arn) => arn.replace(/^<\w+\.Arn>/, ''))}`),
      );
      expect(denied).toEqual(['s3:GetObject /raw/*,/state*', 's3:GetObjectVersion /raw/*,/state*']);
    },
  );

  it('raw answers and state are denied to QuickSight, whose console opens whole buckets', () => {
    const statements = template.ofType('AWS::S3::BucketPolicy').flatMap(({ Properties }) => {
      const { Statement } = Properties['PolicyDocument'] as {
        readonly Statement: readonly Readonly<Record<string, unknown>>[];
      };
      return Statement.filter(({ Sid }) => String(Sid).includes('QuickSight'));
    });
    expect(statements).toHaveLength(1);
    const [{ Effect, Action, Resource, Condition } = {}] = statements;
    expect([Effect, Action]).toEqual(['Deny', ['s3:GetObject', 's3:GetObjectVersion']]);
    expect((Resource as readonly unknown[]).map((arn) => spelled(arn).replace(/^<\w+\.Arn>/, ''))).toEqual([
      '/raw/*',
      '/state*',
    ]);
    expect(JSON.stringify(Condition)).toContain('role/service-role/aws-quicksight-*');
  });
});

describe('a policy with a name', () => {
  it('keeps its description, for AWS would make another policy, which cannot have the name while this one is there', () => {
    const described = template
      .ofType('AWS::IAM::ManagedPolicy')
      .map(({ Properties }) => Properties['Description']);
    expect([...new Set(described)].toSorted()).toEqual([
      'All that the command line does with --deployed: starts and watches runs, repairs, puts secrets',
      'Queries the tables of signage-export in its workgroup; sees neither raw answers nor state',
      'What the runbook looks at: logs, letters, the dashboard; redrives executions',
    ]);
  });
});

describe('operators', () => {
  const rightsOf = (policy: string) => {
    const [found] = managed.filter(({ name }) => name.startsWith(`signage-${policy}-`));
    return (found?.statements ?? [])
      .flatMap(({ actions, resources }) =>
        actions.flatMap((action) => resources.map((resource) => `${action} ${resource}`)),
      )
      .map((each) =>
        each
          .replace(/arn:<AWS::Partition>:(\w+):<AWS::Region>:<AWS::AccountId>:/, '$1:')
          .replace(/<Storage(\w+?)[0-9A-F]{8}\.Arn>/, '$1')
          .replace(/<Pipeline(\w+?)(?:Function)?[0-9A-F]{8}\.Arn>/, '$1'),
      )
      .sort();
  };

  it('have a folder of results of their own, which no reader may read', () => {
    const locations = template
      .ofType('AWS::Athena::WorkGroup')
      .map(({ Properties }) => JSON.stringify(Properties['WorkGroupConfiguration']));
    expect(locations.filter((each) => each.includes('/signage._ops/'))).toHaveLength(1);
    const readers = managed.filter(({ name }) => name.includes('-readers-'));
    expect(readers).not.toEqual([]);
    expect(JSON.stringify(readers)).not.toContain('_ops');
  });

  it('have what the command line asks for with --deployed, and raw answers from nowhere', () => {
    expect(rightsOf('operators')).toEqual([
      ...['*QueryExecution', 'GetQueryResults'].map((call) => `athena:${call} athena:workgroup/signage._ops`),
      'cloudformation:DescribeStacks <AWS::StackId>',
      'cloudwatch:DescribeAlarmHistory cloudwatch:alarm:signage-run-failed-count',
      'cloudwatch:SetAlarmState cloudwatch:alarm:signage-run-failed-count',
      ...'BatchGetPartition GetDatabase GetPartition GetPartitions GetTable GetTables'
        .split(' ')
        .flatMap((call) =>
          ['catalog', 'database/default', 'database/signage', 'table/signage/*'].map(
            (each) => `glue:${call} glue:${each}`,
          ),
        ),
      `kms:Decrypt ${kmsKeyArn}`,
      `kms:GenerateDataKey ${kmsKeyArn}`,
      'lambda:InvokeFunction List',
      'lambda:InvokeFunction Start',
      's3:AbortMultipartUpload Results/signage._ops/*',
      's3:GetBucketLocation Lake',
      's3:GetBucketLocation Results',
      's3:GetObject Lake/state*',
      's3:GetObject Lake/tables/*',
      's3:GetObject Results/signage._ops/*',
      's3:ListBucket Lake',
      's3:ListBucket Results',
      's3:PutObject Results/signage._ops/*',
      ...['CreateSecret', 'PutSecretValue'].flatMap((call) =>
        ['berlin', 'hook', 'vault'].map(
          (name) => `secretsmanager:${call} secretsmanager:secret:signage-export/${name}-??????`,
        ),
      ),
      ...['DescribeExecution', 'GetExecutionHistory'].flatMap((call) => [
        `states:${call} states:execution:signage-export:*`,
        `states:${call} states:execution:signage-operate:*`,
      ]),
      'states:StartExecution states:stateMachine:signage-operate',
      'states:StopExecution states:execution:signage-export:*',
      'states:StopExecution states:execution:signage-operate:*',
    ]);
  });

  it('have beside it what the runbook looks at', () => {
    const logs = ['lambda', 'vendedlogs/states'].map((kind) => `logs:log-group:/aws/${kind}/signage-*`);
    expect(rightsOf('runbook')).toEqual(
      [
        'cloudwatch:DescribeAlarms *',
        'cloudwatch:GetDashboard arn:<AWS::Partition>:cloudwatch::<AWS::AccountId>:dashboard/signage-export-<AWS::Region>',
        'cloudwatch:GetMetricData *',
        'logs:GetQueryResults *',
        'logs:DescribeLogGroups *',
        ...['DescribeLogStreams', 'FilterLogEvents', 'GetLogEvents', 'StartQuery'].flatMap((call) =>
          logs.map((log) => `logs:${call} ${log}`),
        ),
        'scheduler:GetSchedule scheduler:schedule/default/signage-export',
        'servicequotas:GetServiceQuota servicequotas:lambda/L-B99A9384',
        'sqs:DeleteMessage DeadLetters',
        'sqs:GetQueueAttributes DeadLetters',
        'sqs:GetQueueUrl DeadLetters',
        'sqs:ReceiveMessage DeadLetters',
        ...['export', 'operate'].flatMap((machine) =>
          ['DescribeStateMachine', 'ListExecutions'].map(
            (call) => `states:${call} states:stateMachine:signage-${machine}`,
          ),
        ),
        'states:RedriveExecution states:execution:signage-export:*',
        'states:RedriveExecution states:execution:signage-operate:*',
      ].sort(),
    );
  });
});
