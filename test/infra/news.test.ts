import { RegionInfo } from 'aws-cdk-lib/region-info';
import { describe, expect, it } from 'vitest';
import { consoleHost } from '#lib/aws/console-host.ts';
import { statementsOf, templateOf } from './synthesized.ts';

const topicArn = 'arn:aws:sns:eu-central-1:111122223333:news';
const notify = { topicArn, webhookSecret: 'signage-export/hook' };
const vpc = { vpcId: 'vpc-0a1b2c3d', subnetIds: ['subnet-0a1b2c3d'], s3PrefixListId: 'pl-0a1b2c3d' };
const told = templateOf({ notify, vpc });
const rights = ({ resources }: ReturnType<typeof templateOf>, role = 'NewsRole') =>
  statementsOf(resources, role)
    .flatMap(({ actions, resources: arns }) => actions.flatMap((action) => arns.map((arn) => [action, arn])))
    .filter(([action]) => !/^logs:/.test(action ?? ''))
    .map(
      ([action, arn]) =>
        `${action} ${arn?.replace(/<Storage(\w+?)[0-9A-F]{8}\.Arn>/, '$1').replace(/^arn:.*?:\w+:.*?:<AWS::AccountId>:/, '')}`,
    )
    .sort();

it.each([
  ['eu-central-1', 'console.aws.amazon.com'],
  ['cn-north-1', 'console.amazonaws.cn'],
  ['us-gov-west-1', 'console.amazonaws-us-gov.com'],
])('the address of the page in %s is at %s', (region, host) => {
  const { outputs, mappings } = templateOf({}, { env: { account: '111122223333', region } });
  expect(JSON.stringify(outputs['ReportPage'])).toContain('"Fn::FindInMap":["NewsConsole');
  const { partition = '' } = RegionInfo.get(region);
  expect(Object.values(mappings)).toEqual([expect.objectContaining({ [partition]: { host } })]);
  // A message of the run names the page too.
  expect(consoleHost(region)).toBe(host);
});

describe('the function that tells', () => {
  it('holds no key of an API, and changes neither tables nor the head', () => {
    const held = rights(told).filter((right) => /^(secretsmanager|sns):|^s3:(Put|Delete)Object/.test(right));
    expect(held).toEqual([
      's3:DeleteObject Lake/state/figures/*',
      's3:PutObject Lake/state/figures/*',
      's3:PutObject Lake/state/found.json',
      's3:PutObject Results/_report/*',
      'secretsmanager:GetSecretValue secret:signage-export/hook-??????',
      `sns:Publish ${topicArn}`,
    ]);
  });

  it('stays outside the VPC, for it speaks to webhooks', () => {
    const [news] = told
      .ofType('AWS::Lambda::Function')
      .filter(({ Properties }) => Properties['FunctionName'] === 'signage-news');
    expect(news?.Properties['VpcConfig']).toBeUndefined();
  });

  it('puts pages where no results go, and they outlive results', () => {
    const rules = JSON.stringify(
      told.ofType('AWS::S3::Bucket').map(({ Properties }) => Properties['LifecycleConfiguration']),
    );
    expect(rules).toContain('"ExpirationInDays":30,"Id":"old-results","Prefix":"signage/"');
    expect(rules).toContain('"ExpirationInDays":400,"Id":"old-pages","Prefix":"_report/report-"');
  });
});
