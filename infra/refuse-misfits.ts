import type { Config } from '../lib/config/config.ts';
import { UsageError } from '../lib/errors.ts';
import { secretPlaceOf } from '../lib/sources/secret-place.ts';
import type { DeployTarget } from './deploy-target.ts';
import { refuseUnreachable } from './refuse-unreachable.ts';

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
  if (TAKEN.includes(config.name)) {
    throw new UsageError(
      `name is ${JSON.stringify(config.name)}, which AWS has in every account: name the installation otherwise, such as "signage".`,
    );
  }
  for (const [setting, name] of secretsOf(config)) refuseSecret(setting, name);
  refuseUnreachable(config, target);
  if (target === undefined) return;
  for (const [setting, arn] of arnsOf(config)) {
    const region = arn.split(':')[3];
    if (region === target.region) continue;
    throw new UsageError(
      `${setting} is ${JSON.stringify(arn)}, which is in ${region}, but the stack is deployed to ${target.region}: name one in ${target.region}, or set AWS_REGION=${region}.`,
    );
  }
}

/** A workgroup and databases that are in each account. */
const TAKEN: readonly string[] = ['primary', 'default', 'information_schema'];

/** @see https://docs.aws.amazon.com/secretsmanager/latest/apireference/API_CreateSecret.html */
const SECRET_NAME = /^[\w/+=.@-]{1,512}$/;
const SECRET_ARN = /^arn:aws[a-z-]*:secretsmanager:[a-z0-9-]+:\d{12}:secret:[\w/+=.@-]{1,519}$/;

function refuseSecret(setting: string, name: string): void {
  if (secretPlaceOf(name) !== undefined) {
    throw new UsageError(
      `${setting} is ${JSON.stringify(name)}, which a run on this machine reads: on AWS secrets are in Secrets Manager, so write a name such as "signage-export/berlin" and store it with \`secret put\`.`,
    );
  }
  if (SECRET_NAME.test(name) || SECRET_ARN.test(name)) return;
  // It is not shown: somebody may have written the secret itself.
  throw new UsageError(
    `${setting} is no name that Secrets Manager takes (letters, digits and /_+=.@-, at most 512) and no ARN of a secret: write a name such as "signage-export/berlin", and store what is secret with \`secret put\`.`,
  );
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
