import type { Stack } from 'aws-cdk-lib';
import { UsageError } from '../lib/errors.ts';

/**
 * The most characters of secrets in a role's policies. IAM allows a managed policy 6,144 and all inline policies of a role
 * 10,240, and CDK does not split a statement.
 */
const MOST_CHARACTERS = 4000;
/** The characters of a secret's ARN without its name, in the longest partition and region. */
const ARN_CHARACTERS = 'arn:aws-us-gov:secretsmanager:ap-southeast-2:111122223333:secret:","'.length;
/** Secrets Manager adds six characters to a name, which nobody can know beforehand. */
const ADDED = '-??????';

/**
 * The ARNs by which a role may read the secrets. If their names do not fit into a policy, patterns of their folders:
 * `signage/*` for `signage/berlin` and `signage/paris`. Throws UsageError if the patterns do not fit either.
 */
export function secretArns(
  { partition, region, account }: Stack,
  secrets: readonly string[],
): readonly string[] {
  const here = `arn:${partition}:secretsmanager:${region}:${account}:secret:`;
  const all = [...new Set(secrets)];
  const alone = all.filter((name) => !name.startsWith('arn:'));
  const named = [...wholeArns(all), ...alone.map((name) => `${name}${ADDED}`)];
  const below = [...wholeArns(all), ...new Set(alone.map(folderOf))];
  const patterns = [named, below].find(
    (each) => each.reduce((sum, pattern) => sum + pattern.length + ARN_CHARACTERS, 0) <= MOST_CHARACTERS,
  );
  if (patterns !== undefined)
    return patterns.map((each) => (each.startsWith('arn:') ? each : `${here}${each}`));
  throw new UsageError(
    `The config names ${all.length} secrets, too many for the policy of a role: name them below a common name, such as ${JSON.stringify(`signage/${all[0]}`)}, so that synth can grant "signage/*".`,
  );
}

/** The secrets that are named by ARN; an ARN without the six added characters gets a pattern for them. */
function wholeArns(all: readonly string[]): readonly string[] {
  const arns = all.filter((name) => name.startsWith('arn:'));
  return arns.map((arn) => (/-[A-Za-z0-9]{6}$/.test(arn) ? arn : `${arn}${ADDED}`));
}

function folderOf(name: string): string {
  const end = name.lastIndexOf('/');
  return end < 1 ? `${name}${ADDED}` : `${name.slice(0, end)}/*`;
}
