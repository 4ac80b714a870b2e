import { App, Stack } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { describe, expect, it } from 'vitest';
import { stackName } from '#lib/config/config.ts';
import { deployTarget } from '../../infra/deploy-target.ts';
import { SignageExport, type SignageExportProps } from '../../infra/signage-export.ts';
import { someOf } from '../support/some-of.ts';
import { env } from './settings.ts';
import { configWith, templateOf } from './synthesized.ts';

describe('the region', () => {
  const known = { CDK_DEFAULT_ACCOUNT: '111122223333', CDK_DEFAULT_REGION: 'us-east-1' };
  const asked = (environment: object, configFile = '') =>
    deployTarget({ ...known, ...environment }, configFile);

  it('is refused where nobody said it, for CDK would take us-east-1', () => {
    expect(() => asked({})).toThrow('No region is set, and CDK would take us-east-1: set AWS_REGION');
    expect(() =>
      asked({ AWS_PROFILE: 'ops' }, '[default]\nregion = eu-west-1\n[profile ops]\noutput = json'),
    ).toThrow('region in the profile ops');
  });

  it.each([
    ['AWS_REGION', { AWS_REGION: 'us-east-1' }, ''],
    ['AWS_DEFAULT_REGION', { AWS_DEFAULT_REGION: 'us-east-1' }, ''],
    ['the default profile', {}, '[default]\nregion=us-east-1\n'],
    ['a profile by name', { AWS_PROFILE: 'ops' }, '[default]\n[profile ops]\n  region = us-east-1'],
  ])('is taken from %s', (_what, environment, configFile) => {
    expect(asked(environment, configFile)).toEqual({ account: '111122223333', region: 'us-east-1' });
  });

  it('is open without credentials: the template is for anywhere', () => {
    expect(deployTarget({}, '')).toBeUndefined();
  });
});

it('two installations never have one stack', () => {
  const names = ['a_b', 'a-b', 'ab', 'a_b-c', 'a-b_c'];
  expect(new Set(names.map((name) => stackName({ name }))).size).toBe(names.length);
});

describe('settings of an account', () => {
  const boundary = 'arn:aws:iam::111122223333:policy/boundary';

  it('bound every role, and tag every function and bucket', () => {
    const { ofType } = templateOf({ permissionsBoundaryArn: boundary, tags: { team: 'signage' } });
    const tagged = [...ofType('AWS::Lambda::Function'), ...ofType('AWS::S3::Bucket')];
    expect(tagged.length).toBeGreaterThan(8);
    for (const { Properties, id } of tagged) {
      expect(Properties['Tags'], id).toContainEqual({ Key: 'team', Value: 'signage' });
    }
    for (const { Properties, id } of someOf(ofType('AWS::IAM::Role'))) {
      expect(Properties['PermissionsBoundary'], id).toBe(boundary);
    }
  });

  it('send alarms to a topic that is there, and make none', () => {
    const alarmTopicArn = 'arn:aws:sns:eu-central-1:111122223333:ops';
    const { ofType } = templateOf({ alarmEmail: undefined, alarmTopicArn }, { env });
    expect([...ofType('AWS::SNS::Topic'), ...ofType('AWS::SNS::TopicPolicy')]).toEqual([]);
    for (const { Properties, id } of ofType('AWS::CloudWatch::Alarm')) {
      expect(Properties, id).toMatchObject({ AlarmActions: [alarmTopicArn], OKActions: [alarmTopicArn] });
    }
  });
});

/** An app as that of examples/one-customer, with a context of cdk.json or of `-c`. */
function installed(context: object, props: SignageExportProps = {}) {
  const app = new App({ context: { ...context, 'aws:cdk:bundling-stacks': [] } });
  const stack = new Stack(app, 'signage');
  new SignageExport(stack, 'Default', { config: 'examples/one-customer/export.config.json', ...props });
  return { app, template: Template.fromStack(stack) };
}

describe('an installation over an existing lake', () => {
  it.each([
    ['by the context of any app', { existingLake: 'lake-of-before' }, {}],
    ['by its prop, also beside a context', { existingLake: 'another' }, { existingLake: 'lake-of-before' }],
  ])('%s makes no bucket for it', (_how, context, props) => {
    const { template } = installed(context, props);
    expect(template.findOutputs('Lake')).toMatchObject({ Lake: { Value: 's3://lake-of-before' } });
    template.resourceCountIs('AWS::S3::Bucket', 2);
    const functions = JSON.stringify(template.findResources('AWS::Lambda::Function'));
    expect(functions).toContain('"LAKE":"s3://lake-of-before"');
    expect(functions).not.toContain('StorageLake');
  });

  it('is refused by the context where the app has another one, for both would write to that lake', () => {
    const { app } = installed({ existingLake: 'lake-of-before' });
    const second = () =>
      new SignageExport(new Stack(app, 'two'), 'Default', { config: { ...configWith({ name: 'two' }) } });
    expect(second).toThrow(
      'two/Default and signage/Default would both write to the lake lake-of-before: name it in the prop existingLake of one of them, not in the context.',
    );
  });
});
