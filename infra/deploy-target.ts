import { UsageError } from '../lib/errors.ts';

/** The account and the region that a stack is deployed into. */
export type DeployTarget = Readonly<Record<'account' | 'region', string>>;

/**
 * The target of the stack, by the environment and the text of AWS's config file; undefined without credentials, for a
 * template of any region. Throws UsageError without a region, because CDK would silently take us-east-1.
 */
export function deployTarget(
  environment: Readonly<Record<string, string | undefined>>,
  configFile: string,
): DeployTarget | undefined {
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
  const nameOf = (section: string) => /^(?:profile\s+)?([^\]]+)\]/.exec(section)?.[1]?.trim();
  return sections.some((each) => nameOf(each) === profile && /^\s*region\s*=\s*\S/m.test(each));
}
