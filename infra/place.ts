import type { Config } from '../lib/config/config.ts';
import { UsageError } from '../lib/errors.ts';

/** The account and the region that a stack is deployed into. */
export interface Place {
  readonly account: string;
  readonly region: string;
}

/** What names a region besides the arguments: the environment, and the text of AWS's config file. */
export interface RegionSources {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly configFile: string;
}

/**
 * Where the stack goes; undefined without credentials, when the template is for anywhere. Throws UsageError where nobody
 * said a region: CDK would take us-east-1 in silence.
 */
export function placeOf({ environment, configFile }: RegionSources): Place | undefined {
  const { CDK_DEFAULT_ACCOUNT: account, CDK_DEFAULT_REGION: region } = environment;
  if (account === undefined || region === undefined) return undefined;
  const said = environment['AWS_REGION'] ?? environment['AWS_DEFAULT_REGION'];
  const profile = environment['AWS_PROFILE'] ?? 'default';
  if (said !== undefined || regionOfProfile(configFile, profile)) return { account, region };
  throw new UsageError(
    `No region is said, and CDK would take ${region}: set AWS_REGION, or region in the profile ${profile} of ~/.aws/config.`,
  );
}

function regionOfProfile(text: string, profile: string): boolean {
  const sections = text.split(/^\s*\[/m);
  const mine = sections.filter(
    (section) => /^(?:profile\s+)?([^\]]+)\]/.exec(section)?.[1]?.trim() === profile,
  );
  return mine.some((section) => /^\s*region\s*=\s*\S/m.test(section));
}

/** Throws UsageError where settings of the config do not go together, or not with the place. */
export function refuseMisfits(config: Config, place: Place | undefined): void {
  if (config.alarmEmail !== undefined && config.alarmTopicArn !== undefined) {
    throw new UsageError(
      'alarmEmail and alarmTopicArn do not go together: subscribe the address to that topic, and leave alarmEmail out.',
    );
  }
  if (config.vpc !== undefined && config.maskSecret !== undefined) {
    throw new UsageError(
      'vpc and maskSecret do not go together: within a VPC publish reaches S3 alone, so it could not read the key of the masks. Drop the columns instead of masking them, or leave vpc out.',
    );
  }
  if (place === undefined) return;
  for (const [setting, arn] of arnsOf(config)) {
    const region = arn.split(':')[3];
    if (region === place.region) continue;
    throw new UsageError(
      `${setting} is ${JSON.stringify(arn)}, which is in ${region}, but the stack goes to ${place.region}: name one of that region, or set AWS_REGION=${region}.`,
    );
  }
}

/** The settings that name something of a region. */
function arnsOf(config: Config): readonly (readonly [string, string])[] {
  const { alarmTopicArn, kmsKeyArn, secretsKmsKeyArn, catalogKmsKeyArn, maskSecret } = config;
  const named = { alarmTopicArn, kmsKeyArn, secretsKmsKeyArn, catalogKmsKeyArn, maskSecret };
  const secrets = config.sources.map(({ secret }, index) => [`sources[${index}].secret`, secret] as const);
  return [...Object.entries(named), ...secrets].flatMap(([setting, value]) =>
    value?.startsWith('arn:') === true ? [[setting, value] as const] : [],
  );
}
