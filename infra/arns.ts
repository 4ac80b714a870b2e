import { RegionInfo } from 'aws-cdk-lib/region-info';
import type { Config } from '../lib/config/config.ts';
import type { DeployTarget } from './deploy-target.ts';
import { rowFiltersOf } from './readers.ts';
import { secretsOf } from './secret-arns.ts';

/** An ARN that a config names, and the setting that names it. */
interface NamedArn {
  readonly setting: string;
  readonly arn: string;
  /** Why it must be of the stack's account; undefined if AWS takes one of another account. */
  readonly stays?: string;
  /** True if AWS takes one of another region. @default false */
  readonly isAnywhere?: boolean;
}

/**
 * The ARNs of the config that cannot fit the target of the stack: its partition, region, or account where
 * AWS wants the same. Unknown parts of the target are not checked.
 *
 * A key may be of another account if its policy allows this one. So may a topic if its policy lets alarms publish.
 * A secret of another account needs a customer's key.
 * @see https://docs.aws.amazon.com/kms/latest/developerguide/key-policy-modifying-external-accounts.html
 * @see https://docs.aws.amazon.com/sns/latest/dg/sns-access-policy-use-cases.html
 * @see https://docs.aws.amazon.com/secretsmanager/latest/userguide/auth-and-access_examples_cross.html
 */
export function* misfitsOfArns(config: Config, target: Partial<DeployTarget>): Iterable<string> {
  for (const each of arnsOf(config)) {
    const says = misfitOf(each, target);
    if (says !== undefined) yield `${each.setting} is ${JSON.stringify(each.arn)}, which is ${says}`;
  }
}

function misfitOf({ arn, stays, isAnywhere }: NamedArn, target: Partial<DeployTarget>): string | undefined {
  const [, partition, , region = '', owner] = arn.split(':');
  const here = target.region === undefined ? undefined : RegionInfo.get(target.region).partition;
  if (here !== undefined && partition !== here)
    return `in the partition ${partition}, but ${target.region} is in ${here}: name one that begins with "arn:${here}:".`;
  if (region !== '' && !isAnywhere && target.region !== undefined && region !== target.region)
    return `in ${region}, but the stack is deployed to ${target.region}: name one in ${target.region}, or set AWS_REGION=${region}.`;
  // AWS's own resources are in every account.
  const isElsewhere = target.account !== undefined && owner !== target.account && owner !== 'aws';
  if (stays === undefined || !isElsewhere) return undefined;
  return `of the account ${owner}, but the stack is deployed to ${target.account}: ${stays}`;
}

const OWN_SECRET =
  'name a secret of that account, or set secretsKmsKeyArn to its key. The key of AWS opens no secret of another account.';
const OWN_BOUNDARY = 'make the policy in that account, and name it.';

function arnsOf(config: Config): readonly NamedArn[] {
  const { alarmTopicArn, kmsKeyArn, secretsKmsKeyArn, catalogKmsKeyArn, permissionsBoundaryArn } = config;
  const named = {
    ...{ alarmTopicArn, kmsKeyArn, secretsKmsKeyArn, catalogKmsKeyArn },
    'notify.topicArn': config.notify?.topicArn,
  };
  const ofSecrets = secretsKmsKeyArn === undefined && { stays: OWN_SECRET };
  // A user of QuickSight is in the region with QuickSight's users.
  const isAnywhere = true;
  const readers = config.lakeFormation?.readers ?? [];
  return [
    ...Object.entries(named).map(([setting, arn = '']) => ({ setting, arn })),
    ...secretsOf(config).map(([setting, arn]) => ({ setting, arn, ...ofSecrets })),
    ...readers.map((arn, index) => ({ setting: `lakeFormation.readers[${index}]`, arn, isAnywhere })),
    ...rowFiltersOf(config).flatMap((filter) => {
      const setting = `a reader of the row filter of ${filter.group}`;
      return filter.readers.map((arn) => ({ setting, arn, isAnywhere }));
    }),
    { setting: 'permissionsBoundaryArn', arn: permissionsBoundaryArn ?? '', stays: OWN_BOUNDARY },
  ].filter(({ arn }) => arn.startsWith('arn:'));
}
