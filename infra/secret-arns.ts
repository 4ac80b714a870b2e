import type { Stack } from 'aws-cdk-lib';
import { UsageError } from '../lib/errors.ts';

/**
 * Characters that the secrets may take in a role's policies: IAM lets a managed policy have 6,144 and all inline ones of
 * a role 10,240, and CDK moves no part of a statement elsewhere.
 */
const MOST_CHARACTERS = 4000;
/** Of everything in a secret's ARN but its name, in the longest partition and region. */
const ARN_CHARACTERS = 'arn:aws-us-gov:secretsmanager:ap-southeast-2:111122223333:secret:","'.length;
/** The six characters that Secrets Manager adds to a name are known to it alone. */
const ADDED = '-??????';

/**
 * What lets a role read these secrets, each by its name or ARN. Where so many names do not fit into a policy, all that
 * lies below their common names: `signage/*` for `signage/berlin` and `signage/paris`. Throws UsageError where these do
 * not fit either.
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
    `The config names ${all.length} secrets that do not fit into the policy of a role one by one: name them below a common name, such as ${JSON.stringify(`signage/${all[0]}`)}, so that synth can grant "signage/*".`,
  );
}

/** A whole ARN has the six characters; one without them stands for any. */
function wholeArns(all: readonly string[]): readonly string[] {
  const arns = all.filter((name) => name.startsWith('arn:'));
  return arns.map((arn) => (/-[A-Za-z0-9]{6}$/.test(arn) ? arn : `${arn}${ADDED}`));
}

function folderOf(name: string): string {
  const end = name.lastIndexOf('/');
  return end < 1 ? `${name}${ADDED}` : `${name.slice(0, end)}/*`;
}
