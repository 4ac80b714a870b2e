import { existsSync } from 'node:fs';
import { glob, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, inject, it } from 'vitest';
import { executionPolicies } from '../../infra/execution-policy.ts';
import { templateOf } from '../infra/synthesized.ts';

const place = inject('emulator');
/** The emulator has AWS's own schemas of some types, each with what CloudFormation's handlers ask IAM for. */
const SERVICES = join(
  dirname(dirname(place?.python ?? '')),
  'lib/python3.13/site-packages/localstack/services',
);

/** What the handlers ask for properties that the stack does not set. */
const NOT_SET: readonly (readonly [RegExp, string])[] = [
  [/^s3tables:|^s3:\w+MetadataTableConfiguration$|^s3:UpdateBucketMetadata/, 'tables of metadata'],
  [
    /^s3:(Put|Delete)\w*(Abac|Acl|Accelerate\w*|Analytics\w*|CORS|Cors|Intelligent\w*|Inventory\w*|Metrics\w*|Notification|ObjectLock\w*|OwnershipControls|Replication\w*|Website)$/,
    'settings of a bucket that it leaves as they are',
  ],
  [/^s3:DeleteBucket(Encryption|Lifecycle)$/, 'no actions of IAM: the right to put is asked'],
  [/^s3:(DeleteObject|REST\.PUT\.OBJECT)$/, 'objects, which it never touches'],
  [
    /^lambda:(\w*Concurrency|\w*CodeSigningConfig|GetLayerVersion|PassCapacityProvider|Put\w+(Recursion|Scaling)Config|PutRuntimeManagementConfig)$/,
    'layers, signatures, scaling',
  ],
  [/^(elasticfilesystem|firehose|kms|ec2):/, 'file systems, streams, keys; a VPC has its own type'],
  [
    /^logs:(\w*KmsKey|\w+LogDelivery|\w+ResourcePolic\w+|(Put|Delete)DataProtectionPolicy|(Tag|Untag)LogGroup|ListTagsLogGroup)$/,
    'keys and deliveries, and names of rights that AWS has replaced',
  ],
  [/^sns:PutDataProtectionPolicy$/, 'a policy of data'],
  [/^iam:(Attach|Detach)RolePolicy$|^iam:DeleteRolePermissionsBoundary$/, 'its roles have inline policies'],
];

describe.skipIf(place === null)('the policies of the role that deploys', () => {
  it('have what AWS’s schemas of its resource types ask for', async () => {
    const { resources, config } = templateOf({ readers: ['finance'] });
    const types = new Set(Object.values(resources).map(({ Type }) => Type));
    const policies = executionPolicies(types, { stack: 'signage', config });
    const patterns = policies.flatMap(({ Statement }) => Statement.flatMap(({ Action }) => Action));
    const has = (action: string) =>
      patterns.some((pattern) => new RegExp(`^${pattern.replaceAll('*', '.*')}$`, 'i').test(action));
    const compared: string[] = [];
    const missing: string[] = [];
    expect(existsSync(SERVICES)).toBe(true);
    for await (const file of glob(`${SERVICES}/*/resource_providers/**/*.schema.json`)) {
      const { typeName, handlers = {} } = JSON.parse(await readFile(file, 'utf8'));
      if (!types.has(typeName) || Object.keys(handlers).length === 0) continue;
      compared.push(typeName);
      for (const kind of ['create', 'read', 'update', 'delete']) {
        for (const action of handlers[kind]?.permissions ?? []) {
          if (has(action) || NOT_SET.some(([actions]) => actions.test(action))) continue;
          missing.push(`${typeName} ${kind}: ${action}`);
        }
      }
    }
    expect(compared).toHaveLength(10);
    expect(missing).toEqual([]);
  });
});
