import { RegionInfo } from 'aws-cdk-lib/region-info';
import type { Config } from '../lib/config/config.ts';
import type { RowFilter } from '../lib/config/deployment-shape.ts';
import { UsageError } from '../lib/errors.ts';
import { secretPlaceOf } from '../lib/sources/secret-place.ts';
import type { DeployTarget } from './deploy-target.ts';
import { rowFiltersOf } from './readers.ts';
import { secretsOf } from './secret-arns.ts';

/** Throws UsageError if settings of the config exclude each other, or do not fit the known parts of the target. */
export function refuseMisfits(config: Config, target: Partial<DeployTarget>): void {
  for (const misfit of misfits(config, target)) throw new UsageError(misfit);
}

/** What does not fit, in one sentence each. */
function* misfits(config: Config, target: Partial<DeployTarget>): Iterable<string> {
  if (config.alarmEmail !== undefined && config.alarmTopicArn !== undefined)
    yield 'alarmEmail and alarmTopicArn exclude each other: subscribe the address to that topic, and remove alarmEmail.';
  if (config.vpc !== undefined && config.maskSecret !== undefined)
    yield 'vpc and maskSecret exclude each other: within a VPC, publish reaches only S3 and cannot read the key of the masks. Drop the columns instead of masking them, or remove vpc.';
  if (TAKEN.includes(config.name))
    yield `name is ${JSON.stringify(config.name)}, which AWS has in every account: name the installation otherwise, such as "signage".`;
  for (const filter of rowFiltersOf(config)) yield* misfitsOfRowFilter(filter, config);
  for (const [setting, name] of secretsOf(config)) yield* misfitsOfSecret(setting, name);
  yield* unreachableHosts(config, target);
  yield* misfitsOfArns(config, target);
}

/** That a row filter would open nothing, or would not hide what it shall hide. */
function* misfitsOfRowFilter({ group, sources, readers }: RowFilter, config: Config): Iterable<string> {
  const where = `The row filter of ${JSON.stringify(group)} in lakeFormation.rowFilters`;
  if (!(config.readers ?? []).includes(group))
    yield `${where} names no group: add "${group}" to readers, which makes its policy.`;
  const unknown = sources.find((name) => !config.sources.some((source) => source.name === name));
  if (unknown !== undefined)
    yield `${where} names the source "${unknown}", which is not in sources: correct its name.`;
  const open = readers.find((arn) => config.lakeFormation?.readers.includes(arn));
  if (open !== undefined)
    yield `${where} has the reader ${open}, who sees all rows by lakeFormation.readers: remove it there.`;
}

/** Every account has a workgroup or a database of this name. */
const TAKEN: readonly string[] = ['primary', 'default', 'information_schema'];

/** @see https://docs.aws.amazon.com/secretsmanager/latest/apireference/API_CreateSecret.html */
const SECRET_NAME = /^[\w/+=.@-]{1,512}$/;
const SECRET_ARN = /^arn:aws[a-z-]*:secretsmanager:[a-z0-9-]+:\d{12}:secret:[\w/+=.@-]{1,519}$/;

function* misfitsOfSecret(setting: string, name: string): Iterable<string> {
  if (secretPlaceOf(name) !== undefined)
    yield `${setting} is ${JSON.stringify(name)}, which a run on this machine reads: on AWS secrets are in Secrets Manager, so write a name such as "signage-export/berlin" and store it with \`secret put\`.`;
  // It is not shown: somebody may have written the secret itself.
  if (!SECRET_NAME.test(name) && !SECRET_ARN.test(name))
    yield `${setting} is not a name of a secret (letters, digits and /_+=.@-, at most 512), nor the ARN of one: write a name such as "signage-export/berlin", and store what is secret with \`secret put\`.`;
}

/** The account of emulators of AWS, which AWS assigns to nobody: their functions reach the servers of this machine. */
const EMULATED_ACCOUNT = '000000000000';
const ITSELF = /^(localhost|127\.[\d.]+|0\.0\.0\.0|\[::1?\])$/;
/** Addresses and names of a private network, which the internet does not have. */
const PRIVATE =
  /^(10|192\.168|172\.(1[6-9]|2\d|3[01]))\.[\d.]+$|^[^.]+$|\.(local|internal|intranet|private|corp|home|lan)$/;

/** The APIs that the deployed functions cannot reach. */
function* unreachableHosts(config: Config, target: Partial<DeployTarget>): Iterable<string> {
  if (target.account === EMULATED_ACCOUNT) return;
  for (const [index, { baseUrl }] of config.sources.entries()) {
    const host = new URL(baseUrl).hostname;
    const where = `sources[${index}].baseUrl is ${JSON.stringify(baseUrl)}`;
    if (ITSELF.test(host))
      yield `${where}, where a function on AWS finds nobody but itself: write the host by which other machines reach the server.`;
    else if (host.startsWith('['))
      yield `${where}, but list and collect reach IPv4 alone: name the host, or its IPv4 address.`;
    else if (config.vpc === undefined && PRIVATE.test(host))
      yield `${where}, which is in a private network, and without vpc the functions reach the internet alone: set vpc with subnets from which the server is reached, or write its public host.`;
  }
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
function* misfitsOfArns(config: Config, target: Partial<DeployTarget>): Iterable<string> {
  const here = target.region === undefined ? undefined : RegionInfo.get(target.region).partition;
  for (const [setting, arn = '', says = {}] of arnsOf(config)) {
    if (!arn.startsWith('arn:')) continue;
    const { stays, isAnywhere = false }: Allowed = says;
    const [, partition, , region = '', owner] = arn.split(':');
    const where = `${setting} is ${JSON.stringify(arn)}, which is`;
    // AWS's own resources are in every account.
    const isElsewhere = target.account !== undefined && owner !== target.account && owner !== 'aws';
    if (here !== undefined && partition !== here)
      yield `${where} in the partition ${partition}, but ${target.region} is in ${here}: name one that begins with "arn:${here}:".`;
    else if (region !== '' && !isAnywhere && target.region !== undefined && region !== target.region)
      yield `${where} in ${region}, but the stack is deployed to ${target.region}: name one in ${target.region}, or set AWS_REGION=${region}.`;
    else if (stays !== undefined && isElsewhere)
      yield `${where} of the account ${owner}, but the stack is deployed to ${target.account}: ${stays}`;
  }
}

/** `stays` says why it must be of the stack's account; AWS takes one that `isAnywhere` from other regions too. */
type Allowed = Readonly<Partial<{ stays: string; isAnywhere: boolean }>>;

const OWN_SECRET =
  'name a secret of that account, or set secretsKmsKeyArn to its key. The key of AWS opens no secret of another account.';
const OWN_BOUNDARY = 'make the policy in that account, and name it.';
/** A user of QuickSight is in the region with QuickSight's users. */
const READER = { isAnywhere: true };

function arnsOf(config: Config): readonly (readonly [string, (string | undefined)?, Allowed?])[] {
  const ofSecrets = config.secretsKmsKeyArn === undefined ? { stays: OWN_SECRET } : {};
  const plain = ['alarmTopicArn', 'kmsKeyArn', 'secretsKmsKeyArn', 'catalogKmsKeyArn'] as const;
  const readers = config.lakeFormation?.readers ?? [];
  return [
    ...plain.map((setting) => [setting, config[setting]] as const),
    ['notify.topicArn', config.notify?.topicArn],
    ...secretsOf(config).map(([setting, arn]) => [setting, arn, ofSecrets] as const),
    ...readers.map((arn, index) => [`lakeFormation.readers[${index}]`, arn, READER] as const),
    ...rowFiltersOf(config).flatMap((filter) =>
      filter.readers.map((arn) => [`a reader of the row filter of ${filter.group}`, arn, READER] as const),
    ),
    ['permissionsBoundaryArn', config.permissionsBoundaryArn, { stays: OWN_BOUNDARY }],
  ];
}
