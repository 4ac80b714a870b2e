import type { Config } from '../lib/config/config.ts';
import { UsageError } from '../lib/errors.ts';
import { secretPlaceOf } from '../lib/sources/secret-place.ts';

/** The account and the region that a stack is deployed into. */
export interface DeployTarget {
  readonly account: string;
  readonly region: string;
}

/** Where a region may be set: the environment, and the text of AWS's config file. */
export interface RegionSources {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly configFile: string;
}

/**
 * Where the stack is deployed; undefined without credentials, for a template of any region. Throws UsageError if no region
 * is set, for CDK would silently take us-east-1.
 */
export function deployTarget({ environment, configFile }: RegionSources): DeployTarget | undefined {
  const { CDK_DEFAULT_ACCOUNT: account, CDK_DEFAULT_REGION: region } = environment;
  if (account === undefined || region === undefined) return undefined;
  const said = environment['AWS_REGION'] ?? environment['AWS_DEFAULT_REGION'];
  const profile = environment['AWS_PROFILE'] ?? 'default';
  if (said !== undefined || regionOfProfile(configFile, profile)) return { account, region };
  throw new UsageError(
    `No region is set, and CDK would take ${region}: set AWS_REGION, or region in the profile ${profile} of ~/.aws/config.`,
  );
}

function regionOfProfile(text: string, profile: string): boolean {
  const sections = text.split(/^\s*\[/m);
  const mine = sections.filter(
    (section) => /^(?:profile\s+)?([^\]]+)\]/.exec(section)?.[1]?.trim() === profile,
  );
  return mine.some((section) => /^\s*region\s*=\s*\S/m.test(section));
}

/** Throws UsageError if settings of the config exclude each other, or name another region than the target's. */
export function refuseMisfits(config: Config, target: DeployTarget | undefined): void {
  if (config.alarmEmail !== undefined && config.alarmTopicArn !== undefined) {
    throw new UsageError(
      'alarmEmail and alarmTopicArn exclude each other: subscribe the address to that topic, and remove alarmEmail.',
    );
  }
  if (config.vpc !== undefined && config.maskSecret !== undefined) {
    throw new UsageError(
      'vpc and maskSecret exclude each other: within a VPC, publish reaches only S3 and cannot read the key of the masks. Drop the columns instead of masking them, or remove vpc.',
    );
  }
  for (const [setting, name] of secretsOf(config)) {
    if (secretPlaceOf(name) === undefined) continue;
    throw new UsageError(
      `${setting} is ${JSON.stringify(name)}, which a run on this machine reads: on AWS secrets are in Secrets Manager, so write a name such as "signage-export/berlin" and store it with \`secret put\`.`,
    );
  }
  if (target === undefined) return;
  for (const [setting, arn] of arnsOf(config)) {
    const region = arn.split(':')[3];
    if (region === target.region) continue;
    throw new UsageError(
      `${setting} is ${JSON.stringify(arn)}, which is in ${region}, but the stack is deployed to ${target.region}: name one in ${target.region}, or set AWS_REGION=${region}.`,
    );
  }
}

/** The settings that name secrets, each with the name. */
function secretsOf({ sources, maskSecret, notify }: Config): readonly (readonly [string, string])[] {
  const named = { maskSecret, 'notify.webhookSecret': notify?.webhookSecret };
  return [
    ...sources.map(({ secret }, index) => [`sources[${index}].secret`, secret] as const),
    ...Object.entries(named).flatMap(([setting, name]) =>
      name === undefined ? [] : [[setting, name] as const],
    ),
  ];
}

/** The settings that are ARNs: each name of a setting with its ARN. */
function arnsOf(config: Config): readonly (readonly [string, string])[] {
  const { alarmTopicArn, kmsKeyArn, secretsKmsKeyArn, catalogKmsKeyArn, notify } = config;
  const named = {
    ...{ alarmTopicArn, kmsKeyArn, secretsKmsKeyArn, catalogKmsKeyArn },
    'notify.topicArn': notify?.topicArn,
  };
  return [...Object.entries(named), ...secretsOf(config)].flatMap(([setting, value]) =>
    value?.startsWith('arn:') === true ? [[setting, value] as const] : [],
  );
}
