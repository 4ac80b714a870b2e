import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { App, Stack } from 'aws-cdk-lib';
import { describe, expect, it } from 'vitest';
import { executionPolicies } from '../../infra/execution-policy.ts';
import { FEATURE_FLAGS } from '../../infra/feature-flags.ts';
import { SignageExport } from '../../infra/signage-export.ts';
import { temporaryFolder } from '../support/lake-children.ts';
import { kmsKeyArn } from './settings.ts';
import { configWith, templateOf } from './synthesized.ts';

/** @see https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_iam-quotas.html */
const MANAGED = 6144;
const BOUNDARY = 'arn:aws:iam::111122223333:policy/limits';
const bi = 'arn:aws:iam::111122223333:role/bi';
const EVERYTHING = {
  readers: ['finance', 'berlin'],
  lakeFormation: {
    readers: [bi],
    rowFilters: [{ group: 'berlin', sources: ['berlin'], readers: [`${bi}2`] }],
  },
  kmsKeyArn,
  maskSecret: 'x/mask',
  notify: { webhookSecret: 'x/hook' },
};
const place = { vpcId: 'vpc-0a1b2c3d', s3PrefixListId: 'pl-0a1b2c3d', dnsServers: ['10.0.0.2'] };
const vpc = { ...place, subnetIds: ['subnet-0a1b2c3d'] };

const policiesOf = (settings: object, stack = 'signage') => {
  const { resources, config } = templateOf({ ...settings });
  const types = new Set(Object.values(resources).map(({ Type }) => Type));
  return executionPolicies(types, { stack, config });
};
const statementsOf = (settings: object) => policiesOf(settings).flatMap(({ Statement }) => Statement);

describe.each([
  ['as little as there is', {}],
  ['every setting but a VPC', EVERYTHING],
  ['a VPC', { vpc }],
  ['an own alarm topic', { alarmEmail: undefined, alarmTopicArn: 'arn:aws:sns:eu-central-1:111122223333:a' }],
  ['a boundary', { permissionsBoundaryArn: BOUNDARY }],
  ['long names', { ...EVERYTHING, name: 'a'.repeat(40) }],
])('the policies of the role that deploys %s', (_what, settings) => {
  it('have rights for each type of its resources, within the limits of IAM', () => {
    const policies = policiesOf(settings, 'a'.repeat(128));
    expect(policies.length).toBeLessThanOrEqual(2);
    for (const policy of policies) expect(JSON.stringify(policy).length).toBeLessThanOrEqual(MANAGED);
  });

  it('change nothing but what has the name of the installation, where AWS lets them say so', () => {
    const wide = statementsOf(settings)
      .filter(({ Resource }) => Resource.includes('*'))
      .flatMap(({ Action }) => Action);
    expect(wide.filter((action) => !/^(\w+:(Describe|List)|lakeformation:)/.test(action))).toEqual([]);
  });
});

describe('the role that deploys', () => {
  it('is refused a type of resource that the table does not have', () => {
    const config = configWith({});
    expect(() => executionPolicies(new Set(['AWS::EKS::Cluster']), { stack: 'signage', config })).toThrow(
      'AWS::EKS::Cluster has no rights in infra/execution-rights.json: add them.',
    );
  });

  it('gets its policies next to the template, in the form that IAM takes', async () => {
    await using folder = await temporaryFolder();
    const outdir = folder.path;
    const app = new App({ outdir, context: { ...FEATURE_FLAGS, 'aws:cdk:bundling-stacks': [] } });
    new SignageExport(new Stack(app, 'mine'), 'Default', { config: { ...configWith({}), $schema: 'x' } });
    app.synth();
    const written = readdirSync(outdir).filter((name) => name.startsWith('execution-policy-'));
    expect(written).toEqual(['execution-policy-mine-1.json']);
    const policy = JSON.parse(readFileSync(join(outdir, 'execution-policy-mine-1.json'), 'utf8'));
    expect(policy).toMatchObject({ Version: '2012-10-17', Statement: expect.arrayContaining([]) });
    expect(JSON.stringify(policy)).toContain('"arn:*:iam::*:role/mine-*"');
  });
});
