import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { someOf } from '../support/some-of.ts';
import { kmsKeyArn } from './settings.ts';
import { spelled, statementsIn, templateOf } from './synthesized.ts';

/** What the drivers of BI tools call in addition to the query. @see https://docs.aws.amazon.com/aws-managed-policy/latest/reference/AWSQuicksightAthenaAccess.html */
const DRIVERS = Object.entries({
  athena:
    'ListDataCatalogs GetDataCatalog ListDatabases GetDatabase ListTableMetadata GetTableMetadata ListWorkGroups GetWorkGroup ListEngineVersions *QueryExecution GetQueryResults GetQueryResultsStream',
  glue: 'GetCatalog GetCatalogs GetDatabase GetDatabases GetTable GetTables GetPartition GetPartitions BatchGetPartition',
  s3: 'GetBucketLocation ListBucket ListBucketMultipartUploads ListMultipartUploadParts AbortMultipartUpload GetObject PutObject',
}).flatMap(([service, calls]) => calls.split(' ').map((call) => `${service}:${call}`));
const notify = { webhookSecret: 'signage-export/hook' };
const template = templateOf({ readers: ['finance', 'ops'], kmsKeyArn, notify });
const managed = template.ofType('AWS::IAM::ManagedPolicy').map(({ Properties }) => ({
  name: spelled(Properties['ManagedPolicyName']),
  statements: statementsIn(Properties),
  denials: statementsIn(Properties, 'Deny'),
}));
const policies = managed.filter(({ name }) => name.includes('-readers-'));

describe('readers', () => {
  it('have a policy and a workgroup for each group, and one for who is in none', () => {
    const groups = ['signage', 'signage.finance', 'signage.ops'];
    const due = groups.map((group) => `${group}-readers-<AWS::Region>`);
    expect(policies.map(({ name }) => name).sort()).toEqual(due);
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
    const places = (Resource as readonly unknown[]).map((arn) => spelled(arn).replace(/^<\w+\.Arn>/, ''));
    expect([Effect, Action, places]).toEqual([
      ...['Deny', ['s3:GetObject', 's3:GetObjectVersion']],
      ['/raw/*', '/state*'],
    ]);
    expect(JSON.stringify(Condition)).toContain('role/service-role/aws-quicksight-*');
  });
});

it('a policy keeps its description, for AWS would make another one, which cannot have the name while this one is there', () => {
  const described = template
    .ofType('AWS::IAM::ManagedPolicy')
    .map(({ Properties }) => Properties['Description']);
  expect([...new Set(described)].toSorted()).toEqual([
    'All that the command line does with --deployed: starts and watches runs, repairs, puts secrets',
    'Queries the tables of signage-export in its workgroup; sees neither raw answers nor state',
    'What the runbook looks at: logs, letters, the dashboard; redrives executions',
  ]);
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

  it('read raw answers from nowhere, and need no right on all resources', () => {
    const rights = rightsOf('operators');
    expect(rights).toContain('lambda:InvokeFunction Start');
    expect(rights.filter((right) => / (\*|Lake\/raw)/.test(right) || right.includes('Lake/*'))).toEqual([]);
  });

  it('have a folder of results of their own, which no reader may read', () => {
    const locations = template
      .ofType('AWS::Athena::WorkGroup')
      .map(({ Properties }) => JSON.stringify(Properties['WorkGroupConfiguration']));
    expect(locations.filter((each) => each.includes('/signage._ops/'))).toHaveLength(1);
    const readers = managed.filter(({ name }) => name.includes('-readers-'));
    expect(readers).not.toEqual([]);
    expect(JSON.stringify(readers)).not.toContain('_ops');
  });
});

/** Without what only those do who deploy. */
const [page = ''] = readFileSync('docs/run/runbook.md', 'utf8').split('### A deployment fails');

/** What steps of the runbook without a command of AWS ask for, by their words. */
const STEPS: Readonly<Record<string, readonly string[]>> = {
  'the execution in the Step Functions console': [
    ...['states:DescribeStateMachine', 'states:ListExecutions'],
    ...['states:DescribeExecution', 'states:GetExecutionHistory'],
  ],
  '"Redrive" in the console': ['states:RedriveExecution'],
  'The log of a stage': [
    ...['logs:DescribeLogGroups', 'logs:DescribeLogStreams', 'logs:GetLogEvents', 'logs:FilterLogEvents'],
  ],
  'SQS console': ['sqs:GetQueueUrl', 'sqs:GetQueueAttributes', 'sqs:ReceiveMessage'],
  'remove the letter': ['sqs:DeleteMessage'],
  'The dashboard': [
    ...['cloudwatch:GetDashboard', 'cloudwatch:GetMetricData', 'logs:StartQuery', 'logs:GetQueryResults'],
  ],
  '### Alarm: run failed': ['cloudwatch:DescribeAlarms'],
  'renew the key in the secret': ['secretsmanager:PutSecretValue'],
};
/** Names of services in IAM where they differ from the command line's. */
const IN_IAM: Record<string, string> = { stepfunctions: 'states', 'service-quotas': 'servicequotas' };

const commands = [...page.matchAll(/\baws ([a-z-]+) ([a-z-]+)/g)].map(([, service = '', command = '']) => {
  const words = command.split('-').map((word) => `${word.slice(0, 1).toUpperCase()}${word.slice(1)}`);
  return `${IN_IAM[service] ?? service}:${words.join('')}`;
});

it('each step of the runbook is in the policies of operators', () => {
  const granted = templateOf()
    .ofType('AWS::IAM::ManagedPolicy')
    .filter(({ Properties }) => /-(operators|runbook)-/.test(spelled(Properties['ManagedPolicyName'])))
    .flatMap(({ Properties }) => statementsIn(Properties))
    .flatMap(({ actions }) => actions);
  const asked = [...commands, ...Object.values(STEPS).flat()];
  expect(commands).toEqual(expect.arrayContaining(['scheduler:GetSchedule', 'sqs:ReceiveMessage']));
  expect([...new Set(asked)].filter((action) => !granted.includes(action))).toEqual([]);
});

it.each(Object.keys(STEPS))('the runbook still says: %s', (words) => {
  expect(page).toContain(words);
});
