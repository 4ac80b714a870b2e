import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { METRICS } from '#lib/runtime/metrics.ts';
import { anchor, RUNBOOK } from '../../infra/alarms.ts';
import { definitionText, placeholders } from '../../infra/definition.ts';
import { memoryOf, STAGES } from '../../infra/stages.ts';
import { ALARM_METRICS } from '../../lib/estimate/prices.ts';
import { cliHere } from '../cli/support.ts';
import { temporaryFolder } from '../support/lake-children.ts';
import { someOf } from '../support/some-of.ts';
import { CONFIG_FILE, spelled, statementsIn, statementsOf, templateOf } from './synthesized.ts';

const { config, resources, ofType } = templateOf();
const functions = ofType('AWS::Lambda::Function');
const functionOf = (stage: string) =>
  functions.find(({ Properties }) => Properties['FunctionName'] === `${config.name}-${stage}`);
const pascal = (name: string) => `${name.slice(0, 1).toUpperCase()}${name.slice(1)}`;
const roleOf = (stage: string) => statementsOf(resources, `Pipeline${pascal(stage)}Role`);
const EXECUTIONS = 'arn:<AWS::Partition>:states:<AWS::Region>:<AWS::AccountId>:execution:signage-export';
const MACHINE = EXECUTIONS.replace(':execution:', ':stateMachine:');

it('the dashboard is full of boxes, of which none covers another', () => {
  const [dashboard] = ofType('AWS::CloudWatch::Dashboard');
  const { widgets } = JSON.parse(spelled(dashboard?.Properties['DashboardBody']));
  const cells = (widgets as readonly Readonly<Record<'x' | 'y' | 'width' | 'height', number>>[]).flatMap(
    ({ x, y, width, height }) =>
      Array.from({ length: width * height }, (_, at) => `${x + (at % width)},${y + Math.floor(at / width)}`),
  );
  const rows = new Set(cells.map((cell) => cell.split(',')[1]));
  expect(widgets.length).toBeGreaterThan(10);
  expect(new Set(cells).size).toBe(cells.length);
  expect(cells.length).toBe(24 * rows.size);
});

it('the dashboard reads no log of a stage that is called for each source', () => {
  const [dashboard] = ofType('AWS::CloudWatch::Dashboard');
  const read = spelled(dashboard?.Properties['DashboardBody']).matchAll(/SOURCE '\/aws\/lambda\/([\w-]+)'/g);
  const names = [...read].map(([, name]) => name?.replace(`${config.name}-`, ''));
  expect(names).toEqual(['start', 'plan', 'publish', 'commit']);
});

describe('the state machine of the stack', () => {
  const [machine] = ofType('AWS::StepFunctions::StateMachine');

  it('is the file, with every function put in', () => {
    const properties = machine?.Properties ?? {};
    expect(properties['DefinitionString']).toBe(definitionText());
    expect(Object.keys(properties['DefinitionSubstitutions'] ?? {}).sort()).toEqual(
      placeholders(definitionText()).toSorted(),
    );
    for (const version of Object.values(properties['DefinitionSubstitutions'] ?? {})) {
      const id = spelled(version).slice(1, -1);
      expect(resources[id]).toMatchObject({
        Type: 'AWS::Lambda::Version',
        DeletionPolicy: 'Retain',
        UpdateReplacePolicy: 'Retain',
      });
    }
    expect(properties['LoggingConfiguration']).toMatchObject({ Level: 'ERROR' });
    // Its history is kept for 90 days; a trace would show no more.
    expect(properties['TracingConfiguration']).toBeUndefined();
  });

  it('stands beside that of operators, and there is no other', () => {
    const names = ofType('AWS::StepFunctions::StateMachine').map(({ Properties }) => [
      Properties['StateMachineName'],
      Properties['DefinitionString'],
    ]);
    expect(names.toSorted()).toEqual([
      ['signage-export', definitionText()],
      ['signage-operate', definitionText('operate')],
    ]);
  });

  it('has a role that may exactly what the file asks for', () => {
    const role = statementsOf(resources, 'PipelineMachineRole');
    const allowed = (action: string) =>
      role.filter(({ actions }) => actions.includes(action)).flatMap(({ resources }) => resources);
    const called = STAGES.filter(({ name }) => name !== 'start');
    const arns = called.map(({ name }) => `<${functionOf(name)?.id}.Arn>:*`);
    expect(allowed('lambda:InvokeFunction').toSorted()).toEqual(arns.toSorted());
    expect(allowed('states:StartExecution')).toEqual([MACHINE]);
    expect(allowed('states:DescribeExecution')).toEqual([`${EXECUTIONS}:*`]);
    expect(allowed('states:StopExecution')).toEqual([`${EXECUTIONS}:*`]);
    expect(allowed('states:RedriveExecution')).toEqual([`${EXECUTIONS}/Sources:*`]);
    const known = /^(lambda:InvokeFunction|states:\w+|logs:\w+)$/;
    expect(role.flatMap(({ actions }) => actions).filter((action) => !known.test(action))).toEqual([]);
  });
});

describe('the functions', () => {
  it.each(STAGES.map((stage) => ({ stage, name: stage.name })))(
    '$name runs Node 24 on arm64 within its limits',
    ({ stage }) => {
      expect(functionOf(stage.name)?.Properties).toMatchObject({
        Runtime: 'nodejs24.x',
        Architectures: ['arm64'],
        Handler: 'index.handler',
        MemorySize: memoryOf(stage, config),
        Timeout: stage.timeoutSeconds,
      });
      expect(stage.timeoutSeconds).toBeLessThanOrEqual(900);
    },
  );

  it('has no secret and no name of one in an environment', () => {
    for (const { Properties } of someOf(functions)) {
      const { Variables } = Properties['Environment'] as { Variables: Record<string, unknown> };
      expect(Object.keys(Variables).sort()).toEqual(expect.arrayContaining(['LAKE', 'STACK']));
      expect(JSON.stringify(Variables)).not.toMatch(/signage-export\/|secret/i);
    }
  });

  it('reads secrets in list and collect alone, and those of the config alone', () => {
    for (const { name, callsApi } of STAGES) {
      const secrets = roleOf(name)
        .filter(({ actions }) => actions.some((action) => action.startsWith('secretsmanager:')))
        .flatMap(({ resources }) => resources.map((arn) => arn.split(':secret:')[1]));
      expect(secrets, name).toEqual(
        callsApi ? ['signage-export/berlin-??????', 'signage-export/vault-??????'] : [],
      );
    }
  });

  it('reads the key of masks in plan and publish alone, where the config has one', () => {
    const masked = templateOf({ maskSecret: 'signage-export/mask' });
    const readers = STAGES.filter(({ name }) =>
      statementsOf(masked.resources, `Pipeline${pascal(name)}Role`).some(({ resources }) =>
        resources.some((arn) => arn.includes('signage-export/mask')),
      ),
    );
    expect(readers.map(({ name }) => name)).toEqual(['plan', 'publish']);
  });

  it('reads, puts and removes below the prefixes of its stage', () => {
    const lake = ofType('AWS::S3::Bucket').find(({ id }) => id.startsWith('StorageLake'))?.id;
    for (const stage of STAGES) {
      const at = (action: string) =>
        roleOf(stage.name)
          .filter(({ actions }) => actions.includes(action))
          .flatMap(({ resources }) => resources)
          .toSorted();
      const objects = (prefixes: readonly string[]) =>
        prefixes.map((prefix) => `<${lake}.Arn>/${prefix}`).sort();
      expect(at('s3:GetObject'), stage.name).toEqual(objects(stage.reads));
      expect(at('s3:PutObject'), stage.name).toEqual(objects(stage.puts));
      expect(at('s3:DeleteObject'), stage.name).toEqual(objects(stage.removes));
    }
    // Who reads foreign data holds no key, who holds a key writes no table, and one alone moves the head.
    expect(STAGES.filter(({ puts }) => puts.includes('state/head.json')).map(({ name }) => name)).toEqual([
      'commit',
    ]);
    expect(STAGES.filter(({ puts }) => puts.includes('tables/*')).map(({ name }) => name)).toEqual([
      'publish',
    ]);
    expect(STAGES.filter(({ callsApi, hasDuckDb }) => callsApi && hasDuckDb)).toEqual([]);
  });

  it('may make every call of the catalog where it writes it', () => {
    const text = readFileSync('lib/aws/glue-catalog.ts', 'utf8');
    const calls = new Set([...text.matchAll(/new (\w+)Command\(/g)].map(([, call]) => `glue:${call}`));
    expect(calls.size).toBeGreaterThan(5);
    for (const role of ['PipelineStartRole', 'PipelineCommitRole', 'OperationsOperateRole']) {
      const allowed = new Set(statementsOf(resources, role).flatMap(({ actions }) => actions));
      expect(
        [...calls].filter((call) => !allowed.has(call)),
        role,
      ).toEqual([]);
    }
  });

  it('may list the lake in every stage: else S3 says 403 where nothing is, and a first run would be refused', () => {
    const lake = ofType('AWS::S3::Bucket').find(({ id }) => id.startsWith('StorageLake'))?.id;
    const listed = STAGES.filter(({ name }) =>
      roleOf(name).some(
        ({ actions, resources }) => actions.includes('s3:ListBucket') && resources.join() === `<${lake}.Arn>`,
      ),
    );
    expect(listed).toEqual(STAGES);
  });

  it('grants no `*` as a resource but for logs, traces and network interfaces', () => {
    const all = ofType('AWS::IAM::Policy').flatMap(({ Properties }) => statementsIn(Properties));
    const wide = all.filter(({ resources }) => resources.includes('*')).flatMap(({ actions }) => actions);
    expect(
      wide.filter(
        (action) => !/^(logs:\w+LogDeliver\w+|logs:PutResourcePolicy|logs:Describe\w+)$/.test(action),
      ),
    ).toEqual([]);
    expect(all.flatMap(({ actions }) => actions).filter((action) => action.includes('*'))).toEqual([]);
  });
});

describe('what holds data', () => {
  it('is private, encrypted, spoken to over TLS and outlives the stack', () => {
    const buckets = ofType('AWS::S3::Bucket');
    expect(buckets).toHaveLength(3);
    const policies = ofType('AWS::S3::BucketPolicy').map(({ Properties }) => JSON.stringify(Properties));
    for (const bucket of buckets) {
      // Kept when the stack goes, but not by the rollback of a deployment that never was.
      expect(bucket.DeletionPolicy, bucket.id).toBe('RetainExceptOnCreate');
      expect(bucket.Properties['PublicAccessBlockConfiguration']).toEqual({
        BlockPublicAcls: true,
        BlockPublicPolicy: true,
        IgnorePublicAcls: true,
        RestrictPublicBuckets: true,
      });
      expect(bucket.Properties['BucketEncryption']).toBeDefined();
      const policy = policies.find((text) => text.includes(`"Ref":"${bucket.id}"`)) ?? '';
      expect(policy).toContain('"aws:SecureTransport":"false"');
    }
    const lake = buckets.find(({ id }) => id.startsWith('StorageLake'));
    expect(lake?.Properties).toMatchObject({ VersioningConfiguration: { Status: 'Enabled' } });
    expect(lake?.Properties['LoggingConfiguration']).toBeDefined();
    expect(ofType('AWS::Glue::Database')[0]?.DeletionPolicy).toBe('RetainExceptOnCreate');
  });

  it('keeps what purge and hiding removed for one more day, and versions of the head for 30', () => {
    const [lake] = ofType('AWS::S3::Bucket')
      .map(({ Properties }) => JSON.stringify(Properties['LifecycleConfiguration'] ?? ''))
      .filter((rules) => rules.includes('"raw/"'));
    const { Rules } = JSON.parse(lake ?? '{}') as {
      readonly Rules: readonly { readonly Prefix?: string; readonly NoncurrentVersionExpiration?: object }[];
    };
    const daysOf = (prefix?: string) =>
      Rules.filter((rule) => rule.Prefix === prefix).map((rule) => rule.NoncurrentVersionExpiration);
    for (const prefix of ['raw/', 'tables/', 'state/runs/', 'state/parents/']) {
      expect(daysOf(prefix), prefix).toEqual([{ NoncurrentDays: 1 }]);
    }
    expect(daysOf()).toContainEqual({ NoncurrentDays: 30 });
  });

  it('has tables that CloudFormation does not own', () => {
    expect([...ofType('AWS::Glue::Table'), ...ofType('AWS::Glue::Partition')]).toEqual([]);
  });

  it('is under the customer’s key where there is one', () => {
    const kmsKeyArn = 'arn:aws:kms:eu-central-1:111122223333:key/12345678-1234-1234-1234-123456789012';
    const keyed = templateOf({ kmsKeyArn });
    const [lake] = keyed.ofType('AWS::S3::Bucket').filter(({ id }) => id.startsWith('StorageLake'));
    expect(JSON.stringify(lake?.Properties['BucketEncryption'])).toContain(kmsKeyArn);
    for (const { name } of STAGES) {
      const actions = statementsOf(keyed.resources, `Pipeline${pascal(name)}Role`).filter(({ resources }) =>
        resources.includes(kmsKeyArn),
      );
      expect(
        actions.flatMap((each) => each.actions),
        name,
      ).toEqual(['kms:Decrypt', 'kms:GenerateDataKey']);
      expect(
        actions.map(({ conditions }) => spelledCondition(conditions)),
        name,
      ).toEqual(['StringLike kms:ViaService s3.<AWS::Region>.amazonaws.com*']);
    }
  });

  it('is queried in a workgroup with limits', () => {
    expect(ofType('AWS::Athena::WorkGroup')[0]?.Properties['WorkGroupConfiguration']).toMatchObject({
      EnforceWorkGroupConfiguration: true,
      PublishCloudWatchMetricsEnabled: true,
      BytesScannedCutoffPerQuery: 10 * 1024 ** 3,
      ResultConfiguration: { EncryptionConfiguration: { EncryptionOption: 'SSE_S3' } },
    });
    const wide = templateOf({ queryGiB: 50 }).ofType('AWS::Athena::WorkGroup');
    for (const { Properties } of someOf(wide))
      expect(Properties['WorkGroupConfiguration']).toMatchObject({
        BytesScannedCutoffPerQuery: 50 * 1024 ** 3,
      });
  });
});

describe('the schedule', () => {
  it('starts runs in the zone of the config, again where it must, and leaves what it could not deliver', () => {
    const [schedule] = ofType('AWS::Scheduler::Schedule');
    expect(schedule?.Properties).toMatchObject({
      ScheduleExpression: 'cron(0 3 * * ? *)',
      ScheduleExpressionTimezone: 'Europe/Berlin',
      FlexibleTimeWindow: { Mode: 'OFF' },
      Target: {
        Input: '{"scheduledTime":"<aws.scheduler.scheduled-time>"}',
        RetryPolicy: { MaximumEventAgeInSeconds: 21_600, MaximumRetryAttempts: 20 },
      },
    });
    const target = schedule?.Properties['Target'] as { DeadLetterConfig: { Arn: unknown } } | undefined;
    const [queue] = ofType('AWS::SQS::Queue');
    expect(spelled(target?.DeadLetterConfig.Arn)).toBe(`<${queue?.id}.Arn>`);
    const [retries] = ofType('AWS::Lambda::EventInvokeConfig');
    expect(retries?.Properties).toMatchObject({ MaximumRetryAttempts: 2 });
  });
});

describe('a late run', () => {
  it.each([
    ['cron(0 3 * * ? *)', 25, 28],
    ['cron(0 3 ? * FRI-MON *)', 96, 99],
    ['cron(0 22-2 * * ? *)', 21, 24],
    ['rate(12 hours)', 12, 15],
    ['cron(0 3 1 * ? *)', 31 * 24 + 1, 31 * 24 + 4],
  ])('by %s is one thing to the alarm, to synth and to `estimate`', async (schedule, gap, late) => {
    const template = templateOf({ schedule });
    const [rule] = template.ofType('AWS::Scheduler::Schedule');
    expect(rule?.Properties['ScheduleExpression']).toBe(schedule);
    const names = template.ofType('AWS::CloudWatch::Alarm').map(({ Properties }) => Properties);
    const lateOnes = names.filter(({ AlarmName }) => String(AlarmName).includes('run-late'));
    expect(lateOnes.map(({ AlarmName }) => AlarmName)).toEqual([`signage-run-late-${late}-hours`]);
    const environments = template.ofType('AWS::Lambda::Function').map(({ Properties }) => {
      const { Variables } = Properties['Environment'] as { Variables: Record<string, unknown> };
      return Variables['LATE_AFTER_HOURS'];
    });
    expect(environments.filter((hours) => hours !== undefined)).toEqual([String(late)]);
    await using folder = await temporaryFolder();
    const file = join(folder.path, 'export.config.json');
    writeFileSync(file, JSON.stringify({ ...JSON.parse(readFileSync(CONFIG_FILE, 'utf8')), schedule }));
    const { stdout } = await cliHere('estimate', '--json', '--config', file, '--lake', folder.path);
    const { longestGapHours, lateAfterHours } = JSON.parse(stdout);
    expect({ longestGapHours, lateAfterHours }).toEqual({ longestGapHours: gap, lateAfterHours: late });
  });
});

describe('the alarms', () => {
  const alarms = ofType('AWS::CloudWatch::Alarm');
  const headings = readFileSync(RUNBOOK, 'utf8').matchAll(/^#+ (.+)$/gm);
  const anchors = new Set([...headings].map(([, heading]) => anchor(heading ?? '')));

  it.each(alarms.map(({ id, Properties }) => ({ id, properties: Properties })))(
    '$id says its unit, what missing data mean, and where to read on',
    ({ properties }) => {
      const { AlarmName, AlarmDescription, TreatMissingData, AlarmActions, InsufficientDataActions } =
        properties as unknown as { readonly [key: string]: string };
      expect(AlarmName).toMatch(/-(count|hours|percent)$/);
      // None breaches by missing data: after a deployment there are none yet, and nothing is wrong.
      const quiet = /below-coverage|drifting/.test(AlarmName ?? '') ? 'ignore' : 'notBreaching';
      expect(TreatMissingData).toBe(InsufficientDataActions === undefined ? quiet : 'missing');
      expect(AlarmActions).toHaveLength(1);
      const [, link = ''] = /docs\/run\/runbook\.md#(\S+)$/.exec(AlarmDescription ?? '') ?? [];
      expect(anchors, AlarmDescription).toContain(link);
    },
  );

  // Name; what it watches: threshold; how many of how many hours; what missing data mean; whether they are told.
  const HOUR_S = 3600;
  it.each([
    // A commit says it once: hours without a commit change nothing.
    ['columns-drifting-count', 'Maximum of ColumnsDrifting', 1, '1 of 1', 'ignore'],
    ['dead-letters-count', 'Maximum of ApproximateNumberOfMessagesVisible', 1, '1 of 1', 'notBreaching'],
    [
      'duration-near-limit-90-percent',
      'MAX(METRICS()): Maximum of Duration, Maximum of Duration, Maximum of Duration, Maximum of Duration, Maximum of Duration',
      810_000,
      '1 of 1',
      'notBreaching',
    ],
    ['news-not-told-count', 'Sum of Errors', 3, '1 of 1', 'notBreaching'],
    [
      'run-failed-count',
      'SUM(METRICS()): Sum of ExecutionsFailed, Sum of ExecutionsTimedOut, Sum of ExecutionsAborted',
      1,
      '1 of 1',
      'notBreaching',
    ],
    ['run-late-28-hours', 'Sum of Errors', 1, '1 of 3', 'missing and told'],
    ['run-skipped-by-lease-count', 'Sum of RunsSkippedByLease', 1, '1 of 1', 'notBreaching'],
    ['sources-below-coverage-count', 'Maximum of SourcesBelowCoverage', 1, '1 of 1', 'ignore'],
    [
      'throttles-count',
      `SUM(METRICS()): ${STAGES.map(() => 'Sum of Throttles').join(', ')}`,
      100,
      '1 of 1',
      'notBreaching',
    ],
  ])('%s watches %s, from %i on, in %s hours; missing data are %s', (name, watched, ...expected) => {
    const alarm = alarms.find(({ Properties }) => Properties['AlarmName'] === `signage-${name}`)?.Properties;
    const { Threshold, EvaluationPeriods, DatapointsToAlarm, TreatMissingData } = alarm ?? {};
    const isTold = alarm?.['InsufficientDataActions'] !== undefined;
    expect([
      watchedBy(alarm ?? {}),
      Threshold,
      `${DatapointsToAlarm} of ${EvaluationPeriods}`,
      `${TreatMissingData}${isTold ? ' and told' : ''}`,
    ]).toEqual([watched, ...expected]);
    expect(alarm?.['ComparisonOperator']).toBe('GreaterThanOrEqualToThreshold');
    const periods = [...JSON.stringify(alarm).matchAll(/"Period":(\d+)/g)].map(([, period]) =>
      Number(period),
    );
    expect(new Set(periods)).toEqual(new Set([HOUR_S]));
  });

  it('look at as many metrics as `estimate` counts', () => {
    const metricsOf = ({ Metrics }: Readonly<Record<string, unknown>>) =>
      Array.isArray(Metrics) ? Metrics.filter((each) => 'MetricStat' in each).length : 1;
    const count = (those: typeof alarms) =>
      those.reduce((sum, { Properties }) => sum + metricsOf(Properties), 0);
    expect(count(alarms)).toBe(ALARM_METRICS);
  });

  it('watch metrics that a stage writes', () => {
    const text = JSON.stringify(alarms);
    const own = [...text.matchAll(/"MetricName":"(\w+)","Namespace":"SignageExport"/g)].map(
      ([, name]) => name,
    );
    expect(own.length).toBeGreaterThan(0);
    expect(own.filter((name) => !(String(name) in METRICS))).toEqual([]);
  });

  it('reach an address where the config has one', () => {
    expect(ofType('AWS::SNS::Subscription')[0]?.Properties).toMatchObject({
      Protocol: 'email',
      Endpoint: 'ops@example.com',
    });
    expect(templateOf({ alarmEmail: undefined }).ofType('AWS::SNS::Subscription')).toEqual([]);
  });
});

interface Watched {
  readonly Expression?: string;
  readonly MetricName?: string;
  readonly Statistic?: string;
  readonly Metrics?: readonly {
    readonly Expression?: string;
    readonly MetricStat?: { readonly Metric: { readonly MetricName: string }; readonly Stat: string };
  }[];
}

/** `Sum of Errors`, or an expression and the metrics that it is made of. */
function watchedBy(alarm: Watched): string {
  const { MetricName, Statistic, Metrics = [] } = alarm;
  if (MetricName !== undefined) return `${Statistic} of ${MetricName}`;
  const parts = Metrics.flatMap(({ MetricStat }) =>
    MetricStat === undefined ? [] : [`${MetricStat.Stat} of ${MetricStat.Metric.MetricName}`],
  );
  return `${Metrics.flatMap(({ Expression }) => Expression ?? []).join()}: ${parts.join(', ')}`;
}

describe('with a VPC', () => {
  const vpc = {
    vpcId: 'vpc-0a1b2c3d',
    subnetIds: ['subnet-0a1b2c3d', 'subnet-1a1b2c3d'],
    s3PrefixListId: 'pl-0a1b2c3d',
    dnsServers: ['10.0.0.2'],
  };
  const DNS = ['10.0.0.2/32 udp 53', '10.0.0.2/32 tcp 53'];
  const inVpc = templateOf({ vpc });

  it('an API at an address is reached there alone', () => {
    const source = (name: string, baseUrl: string) => ({ name, kind: 'signage', baseUrl, secret: 'a/b' });
    const sources = [source('a', 'https://10.1.2.3:8443'), source('b', 'https://10.1.2.4:9443')];
    const rules = templateOf({ vpc, sources })
      .ofType('AWS::EC2::SecurityGroup')
      .flatMap(({ Properties }) => rulesOf(Properties))
      .filter(({ FromPort }) => FromPort === 8443 || FromPort === 9443)
      .map(({ CidrIp, FromPort, ToPort }) => [CidrIp, FromPort, ToPort]);
    expect(rules).toEqual([
      ['10.1.2.3/32', 8443, 8443],
      ['10.1.2.4/32', 9443, 9443],
    ]);
  });

  it('more addresses than a security group has rules are reached by their port, and synth says so', () => {
    const sources = Array.from({ length: 100 }, (_, index) => ({
      name: `s${index}`,
      kind: 'signage',
      baseUrl: `https://10.1.2.${index}:8443`,
      secret: 'a/b',
    }));
    const { ofType, warnings } = templateOf({ vpc, sources });
    const rules = ofType('AWS::EC2::SecurityGroup')
      .flatMap(({ Properties }) => rulesOf(Properties))
      .filter(({ FromPort }) => FromPort === 8443);
    expect(rules.map(({ CidrIp }) => CidrIp)).toEqual(['0.0.0.0/0']);
    const wide = (said: readonly string[]) => said.filter((each) => each.includes('signage-export:egress'));
    expect(wide(warnings)).toEqual([expect.stringContaining('100 addresses on ports beside 443')]);
    expect(wide(inVpc.warnings)).toEqual([]);
  });

  it('plan and publish reach S3 and nothing else; list and collect reach APIs; the rest stays outside', () => {
    const groups = inVpc.ofType('AWS::EC2::SecurityGroup');
    const egressOf = (stage: string) => {
      const found = inVpc
        .ofType('AWS::Lambda::Function')
        .find(({ Properties }) => Properties['FunctionName'] === `signage-${stage}`);
      const placed = found?.Properties['VpcConfig'] as
        | { SecurityGroupIds: unknown[]; SubnetIds: string[] }
        | undefined;
      if (placed === undefined) return undefined;
      expect(placed.SubnetIds).toEqual(vpc.subnetIds);
      const ids = placed.SecurityGroupIds.map((each) => spelled(each).slice(1, -'.GroupId>'.length));
      const inline = groups
        .filter(({ id }) => ids.includes(id))
        .flatMap(({ Properties }) => rulesOf(Properties));
      const apart = inVpc
        .ofType('AWS::EC2::SecurityGroupEgress')
        .filter(({ Properties }) =>
          ids.includes(spelled(Properties['GroupId']).slice(1, -'.GroupId>'.length)),
        )
        .map(({ Properties }) => Properties);
      return [...inline, ...apart].map((rule) =>
        [rule['DestinationPrefixListId'] ?? rule['CidrIp'], rule['IpProtocol'], rule['FromPort']].join(' '),
      );
    };
    for (const { name, callsApi, hasDuckDb } of STAGES) {
      expect(egressOf(name), name).toEqual(
        callsApi
          ? ['0.0.0.0/0 tcp 443', '0.0.0.0/0 tcp 8443', ...DNS]
          : hasDuckDb
            ? [...DNS, 'pl-0a1b2c3d tcp 443']
            : undefined,
      );
    }
  });

  it('each stage in it may do with network interfaces what Lambda asks for, and no stage outside', () => {
    const rightsOf = (stage: string) =>
      statementsOf(inVpc.resources, `Pipeline${pascal(stage)}Role`)
        .flatMap(({ actions }) => actions)
        .filter((action) => action.startsWith('ec2:'));
    // A function that cannot remove its interfaces leaves them in the subnet.
    const asked = [
      'ec2:CreateNetworkInterface',
      'ec2:DeleteNetworkInterface',
      'ec2:DescribeNetworkInterfaces',
      'ec2:DescribeSubnets',
    ];
    const placed = inVpc
      .ofType('AWS::Lambda::Function')
      .filter(({ Properties }) => Properties['VpcConfig'] !== undefined)
      .map(({ Properties }) => Properties['FunctionName']);
    expect(placed.length).toBeGreaterThan(3);
    for (const { name } of STAGES)
      expect(rightsOf(name).toSorted(), name).toEqual(placed.includes(`signage-${name}`) ? asked : []);
  });
});

/** `StringLike KEY VALUE`. */
function spelledCondition(conditions: unknown): string {
  return Object.entries((conditions ?? {}) as Record<string, Record<string, unknown>>)
    .flatMap(([operator, keys]) =>
      Object.entries(keys).map(([key, value]) => `${operator} ${key} ${spelled(value)}`),
    )
    .join(' and ');
}

function rulesOf(properties: Readonly<Record<string, unknown>>): readonly Record<string, unknown>[] {
  return (properties['SecurityGroupEgress'] as readonly Record<string, unknown>[] | undefined) ?? [];
}
