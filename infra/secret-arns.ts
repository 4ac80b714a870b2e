import type { Stack } from 'aws-cdk-lib';
import { UsageError } from '../lib/errors.ts';

/**
 * The most characters of secrets in a role's policies. IAM allows a managed policy 6,144 and all inline policies of a role
 * 10,240, and CDK does not split a statement.
 */
const MOST_CHARACTERS = 3800;
/** The characters of a secret's ARN without its name, in the longest partition and region. */
const ARN_CHARACTERS = 'arn:aws-us-gov:secretsmanager:ap-southeast-2:111122223333:secret:","'.length;
/** Secrets Manager adds six characters to a name, which nobody can know beforehand. */
const ADDED = '-??????';

/**
 * The ARNs by which a role may read the secrets, which are named by name or ARN. If these do not fit into a policy,
 * patterns of their folders: `signage/*` for `signage/berlin` and `signage/paris`. Throws UsageError if the patterns do not
 * fit either.
 */
export function secretArns(
  { partition, region, account }: Stack,
  secrets: readonly string[],
): readonly string[] {
  const here = `arn:${partition}:secretsmanager:${region}:${account}:secret:`;
  const all = [...new Set(secrets)].map((name) =>
    name.startsWith('arn:')
      ? { arn: name, own: patternsOf(name) }
      : { arn: `${here}${name}`, own: [`${here}${name}${ADDED}`] },
  );
  const named = all.flatMap(({ own }) => own);
  const below = all.flatMap(({ arn, own }) => folderOf(arn) ?? own);
  const patterns = [named, [...new Set(below)]].find(
    (each) =>
      each.reduce((sum, pattern) => sum + nameIn(pattern).length + ARN_CHARACTERS, 0) <= MOST_CHARACTERS,
  );
  if (patterns !== undefined) return patterns;
  throw new UsageError(
    `The config names ${all.length} secrets, too many for the policy of a role: name them below a common name, such as ${JSON.stringify(`signage/${nameIn(all[0]?.arn ?? here)}`)}, so that synth can grant "signage/*".`,
  );
}

/**
 * An ARN with the six characters that Secrets Manager added, or without them. An end such as `-berlin` may be part of the
 * name, or be what was added: nobody can tell them apart.
 */
function patternsOf(arn: string): readonly string[] {
  return /-[A-Za-z0-9]{6}$/.test(arn) ? [arn, `${arn}${ADDED}`] : [`${arn}${ADDED}`];
}

function folderOf(arn: string): string | undefined {
  const end = nameIn(arn).lastIndexOf('/');
  return end < 1 ? undefined : `${arn.slice(0, arn.lastIndexOf('/'))}/*`;
}

function nameIn(arn: string): string {
  return arn.slice(arn.lastIndexOf(':secret:') + ':secret:'.length);
}
