import { describe, expect, it } from 'vitest';
import { STAGES } from '../../infra/stages.ts';
import { someOf } from '../support/some-of.ts';
import { kmsKeyArn } from './settings.ts';
import { spelled, statementsOfStage, templateOf } from './synthesized.ts';

const { ofType } = templateOf();

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

  it('is under the customer’s key where there is one', () => {
    const keyed = templateOf({ kmsKeyArn });
    const [lake] = keyed.ofType('AWS::S3::Bucket').filter(({ id }) => id.startsWith('StorageLake'));
    expect(JSON.stringify(lake?.Properties['BucketEncryption'])).toContain(kmsKeyArn);
    for (const { name } of STAGES) {
      const actions = statementsOfStage(keyed.resources, name).filter(({ resources }) =>
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

/** `StringLike KEY VALUE`. */
function spelledCondition(conditions: unknown): string {
  return Object.entries((conditions ?? {}) as Record<string, Record<string, unknown>>)
    .flatMap(([operator, keys]) =>
      Object.entries(keys).map(([key, value]) => `${operator} ${key} ${spelled(value)}`),
    )
    .join(' and ');
}
