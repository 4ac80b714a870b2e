import { availableParallelism } from 'node:os';
import { s3Lake } from '#lib/aws/s3-lake.ts';
import type { SecretStore } from '#lib/config/secrets.ts';
import { fileSecretStore } from '#lib/config/secrets-file.ts';
import { folderLake } from '#lib/lake/folder/folder-lake.ts';
import type { Lake } from '#lib/lake/lake.ts';
import { apiClients } from '#lib/runtime/api-clients.ts';
import { environment } from '#lib/runtime/environment.ts';
import type { ApiServices, ProgressEvent, Services } from '#lib/runtime/services.ts';
import { sharedDuckDb } from '#lib/runtime/stage-duckdb.ts';

/** What DuckDB may use on a laptop; beyond it, it spills to the lake's scratch folder. */
const MEMORY_LIMIT_MIB = 1024;
/** More threads hold more memory, and publishing is bound by the disk from four on. */
const THREADS = Math.min(4, availableParallelism());

/** Units at once on one DuckDB: it uses all of the machine for a large one, and a small one fills its gaps. */
const PUBLISH_WIDTH = 2;

/** The lake that `--lake` names. */
export function openLake(name: string): Lake {
  return name.startsWith('s3://') ? s3Lake(name, environment()) : folderLake(name);
}

/** What the stages need where nothing calls an API. */
export function localServices(lake: Lake, onProgress: (event: ProgressEvent) => void = () => {}): Services {
  return {
    lake,
    now: () => new Date(),
    timeLeft: () => Number.POSITIVE_INFINITY,
    memoryLimitMiB: MEMORY_LIMIT_MIB,
    threads: THREADS,
    publishWidth: 1,
    onProgress,
  };
}

/** The secrets that `--secrets` names; without it, AWS Secrets Manager is asked. */
export async function openSecrets(file: string | undefined): Promise<SecretStore> {
  if (file !== undefined) return fileSecretStore(file);
  const { secretsManagerStore } = await import('#lib/aws/secrets-manager.ts');
  return secretsManagerStore();
}

export interface LocalApiServices extends ApiServices, AsyncDisposable {}

/** Services that call APIs. All batches of a source run in this process, so they share one client and its limits. */
export function localApiServices(
  services: Services,
  secrets: SecretStore,
  random: () => number = Math.random,
): LocalApiServices {
  const clients = apiClients({ services, secrets, random, limited: (source) => source });
  const duckDb = sharedDuckDb(services);
  return {
    ...services,
    duckDb: duckDb.connect,
    publishWidth: Math.max(PUBLISH_WIDTH, services.publishWidth),
    ...(secrets.readKey && { maskKey: secrets.readKey }),
    client: clients.client,
    [Symbol.asyncDispose]: async () => {
      await clients[Symbol.asyncDispose]();
      await duckDb[Symbol.asyncDispose]();
    },
  };
}
