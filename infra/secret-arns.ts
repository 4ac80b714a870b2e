import type { Stack } from 'aws-cdk-lib';
import type { Config } from '../lib/config/config.ts';
import { UsageError } from '../lib/errors.ts';

/** The settings that name secrets, each with the name or ARN. */
export function secretsOf({ sources, maskSecret, notify }: Config): readonly (readonly [string, string])[] {
  const named = [
    ...sources.map(({ secret }, index) => [`sources[${index}].secret`, secret] as const),
    ...[['maskSecret', maskSecret] as const, ['notify.webhookSecret', notify?.webhookSecret] as const],
  ];
  return named.flatMap(([setting, name]) => (name === undefined ? [] : [[setting, name] as const]));
}

/**
 * The most characters of secrets in a role's policies. IAM allows 6,144 in a managed policy and 10,240 in all
 * inline policies of a role. CDK does not split a statement.
 */
const MOST_CHARACTERS = 3800;
export interface SecretArnsOptions {
  /** By setting, the secrets that the role may not read. */
  readonly apart?: Readonly<Record<string, string | undefined>>;
  /** Characters of secrets that the policy has room for. @default the room in a stage's policies */
  readonly mostCharacters?: number;
}

/** The characters of a secret's ARN without its name, in the longest partition and region. */
const ARN_CHARACTERS = 'arn:aws-us-gov:secretsmanager:ap-southeast-2:111122223333:secret:","'.length;
/** Secrets Manager adds six characters to a name, which nobody can know before. */
const ADDED = '-??????';

/**
 * The ARNs that let a role read the secrets, which are named by name or ARN. If these do not fit into a
 * policy, they are patterns of the innermost folders that fit: `signage/*` for `signage/berlin` and
 * `signage/paris`. Throws UsageError if no patterns fit, or if one of them holds a secret that is `apart`.
 */
export function secretArns(
  { partition, region, account }: Stack,
  secrets: readonly string[],
  { apart = {}, mostCharacters = MOST_CHARACTERS }: SecretArnsOptions = {},
): readonly string[] {
  const here = `arn:${partition}:secretsmanager:${region}:${account}:secret:`;
  const arnOf = (name: string) => (name.startsWith('arn:') ? name : `${here}${name}`);
  const all = [...new Set(secrets)].map((name) => {
    const arn = arnOf(name);
    return { arn, own: arn === name ? patternsOf(arn) : [`${arn}${ADDED}`] };
  });
  const deepest = Math.max(0, ...all.map(({ arn }) => foldersOf(arn).length));
  const depths = Array.from({ length: deepest }, (_, index) => deepest - index);
  const belowAll = depths.map((depth) => [
    ...new Set(all.flatMap(({ arn, own }) => below(arn, depth) ?? own)),
  ]);
  const choices = [all.flatMap(({ own }) => own), ...belowAll];
  const lengthOf = (each: readonly string[]) =>
    each.reduce((sum, pattern) => sum + nameIn(pattern).length + ARN_CHARACTERS, 0);
  const patterns = choices.find((each) => lengthOf(each) <= mostCharacters);
  if (patterns === undefined)
    throw new UsageError(
      `The config names ${all.length} secrets, too many for the policy of a role: name them below a common name, such as ${JSON.stringify(`signage/${nameIn(all[0]?.arn ?? here)}`)}, so that synth can grant "signage/*".`,
    );
  for (const [setting, name] of Object.entries(apart)) {
    if (name === undefined) continue;
    const arn = arnOf(name);
    const says = `${setting} is ${JSON.stringify(name)}`;
    if (patternsOf(arn).some((own) => patterns.includes(own)))
      throw new UsageError(`${says}, which is the secret of a source too: give it one of its own.`);
    const holds = patterns.find((each) => each.endsWith('/*') && arn.startsWith(each.slice(0, -1)));
    if (holds !== undefined)
      throw new UsageError(
        `${says}, and the config names so many secrets that the functions which call the APIs may read all of ${JSON.stringify(nameIn(holds))}: give it a name that begins otherwise.`,
      );
  }
  return patterns;
}

/** The pattern of the secret's folder, at most so deep; undefined without a folder. */
function below(arn: string, depth: number): string | undefined {
  const folders = foldersOf(arn).slice(0, depth);
  const before = arn.slice(0, arn.length - nameIn(arn).length);
  return folders.length === 0 ? undefined : `${before}${folders.join('/')}/*`;
}

/**
 * An ARN with the six characters of Secrets Manager, or without them. An end such as `-berlin` may be part of
 * the name or added: nobody can know.
 */
function patternsOf(arn: string): readonly string[] {
  return /-[A-Za-z0-9]{6}$/.test(arn) ? [arn, `${arn}${ADDED}`] : [`${arn}${ADDED}`];
}

function foldersOf(arn: string): readonly string[] {
  const name = nameIn(arn);
  return name.lastIndexOf('/') < 1 ? [] : name.split('/').slice(0, -1);
}

function nameIn(arn: string): string {
  return arn.slice(arn.lastIndexOf(':secret:') + ':secret:'.length);
}
