import { chmod, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { errno, instead, UsageError } from '#lib/errors.ts';
import { makeFolders } from '#lib/make-folders.ts';
import type { Simulator } from '#simulator/server.ts';

export function simulatedConfig(url: string) {
  return {
    name: 'signage',
    schedule: 'cron(0 3 * * ? *)',
    timeZone: 'Europe/Berlin',
    sources: [
      {
        ...{ name: 'signage', kind: 'signage', baseUrl: url, secret: 'sim/signage' },
        resources: complete('players', 'app_groups', 'licenses'),
      },
      {
        ...{ name: 'backup', kind: 'backup', baseUrl: url, accountId: '1042', secret: 'sim/backup' },
        requestsPerSecond: null,
        resources: complete('backup_storages', 'backup_pricing'),
      },
    ],
  };
}

/** The simulator returns all records, whatever their number: nobody has to ask whether 100 are all. */
function complete(...resources: readonly string[]) {
  return Object.fromEntries(resources.map((name) => [name, { complete: true }]));
}

export function simulatedSecrets({ secrets }: Pick<Simulator, 'secrets'>) {
  return { 'sim/signage': secrets.signage, 'sim/backup': secrets.backup };
}

/** Writes a simulator's config and secrets into a folder. Throws UsageError FILE_EXISTS if others are there. */
export async function writeSimulatedConfig(folder: string, simulator: Simulator) {
  const config = join(folder, 'export.config.json');
  const secrets = join(folder, 'secrets.json');
  try {
    makeFolders(folder);
    await writeOwn(config, simulatedConfig(simulator.url));
    await writeOwn(secrets, simulatedSecrets(simulator));
    await chmod(secrets, 0o600);
  } catch (cause) {
    if (cause instanceof UsageError) throw cause;
    const says = `--write-config ${folder} cannot be written (${errno(cause)}): name a folder that this user may write.`;
    throw new UsageError(says, 'CONFIG_NOT_WRITTEN', cause);
  }
  return { config, secrets };
}

/** A file of an earlier simulator is replaced, because its port may differ; any other stays. */
async function writeOwn(file: string, value: object): Promise<void> {
  const found = await readFile(file, 'utf8').catch(instead((error) => errno(error) === 'ENOENT', undefined));
  if (found !== undefined && !found.includes('"sim/signage"'))
    throw new UsageError(
      `${file} is there already and no simulator wrote it, so it is left alone: name another folder.`,
      'FILE_EXISTS',
    );
  await writeFile(file, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600 });
}
