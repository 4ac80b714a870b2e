import type { Config } from '../lib/config/config.ts';
import type { RowFilter } from '../lib/config/deployment-shape.ts';
import { UsageError } from '../lib/errors.ts';
import { secretPlaceOf } from '../lib/sources/secret-place.ts';
import type { DeployTarget } from './deploy-target.ts';
import { rowFiltersOf } from './readers.ts';
import { refuseArns } from './refuse-arns.ts';
import { refuseUnreachable } from './refuse-unreachable.ts';
import { secretsOf } from './secrets-of.ts';

/** Throws UsageError if settings of the config exclude each other, or do not fit the known parts of the target. */
export function refuseMisfits(config: Config, target: Partial<DeployTarget>): void {
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
  for (const filter of rowFiltersOf(config)) refuseRowFilter(filter, config);
  for (const [setting, name] of secretsOf(config)) refuseSecret(setting, name);
  refuseUnreachable(config, target);
  refuseArns(config, target);
}

/** Throws UsageError if a row filter would open nothing, or would not hide what it shall hide. */
function refuseRowFilter({ group, sources, readers }: RowFilter, config: Config): void {
  const where = `The row filter of ${JSON.stringify(group)} in lakeFormation.rowFilters`;
  if (!(config.readers ?? []).includes(group))
    throw new UsageError(`${where} names no group: add "${group}" to readers, which makes its policy.`);
  const unknown = sources.find((name) => !config.sources.some((source) => source.name === name));
  if (unknown !== undefined)
    throw new UsageError(
      `${where} names the source "${unknown}", which is not in sources: correct its name.`,
    );
  const open = readers.find((arn) => config.lakeFormation?.readers.includes(arn));
  if (open !== undefined)
    throw new UsageError(
      `${where} has the reader ${open}, who sees all rows by lakeFormation.readers: remove it there.`,
    );
}

/** Every account has a workgroup or a database of this name. */
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
    `${setting} is not a name of a secret (letters, digits and /_+=.@-, at most 512), nor the ARN of one: write a name such as "signage-export/berlin", and store what is secret with \`secret put\`.`,
  );
}
