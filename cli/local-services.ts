import { existsSync, readdirSync, statSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { refusePlainKey } from '#lib/api/plain-key.ts';
import type { Config } from '#lib/config/config.ts';
import { readConfig } from '#lib/config/parse-config.ts';
import { type FindHeld, keyOf, secretStore } from '#lib/config/secrets.ts';
import { inFile, secretsFileWarning } from '#lib/config/secrets-file.ts';
import { ExportError, hasCode, instead, isA, UsageError } from '#lib/errors.ts';
import { folderLake } from '#lib/lake/folder/folder-lake.ts';
import type { Lake } from '#lib/lake/lake.ts';
import type { Holder } from '#lib/lake/lease.ts';
import { environment } from '#lib/runtime/environment.ts';
import { processHasEnded, thisProcess } from '#lib/runtime/holder.ts';
import { inPlace } from '#lib/runtime/secret-places.ts';
import type { ProgressEvent, Services } from '#lib/runtime/services.ts';
import { nearest } from '#lib/text.ts';
import { hasDatabaseOf, leaveDatabase } from '#lib/views/leave-database.ts';
import { QUERIES } from '#lib/views/queries.ts';
import { nextCommand, PROGRAM } from './program-name.ts';
import { note } from './say.ts';

/** DuckDB's memory; the rest goes to scratch. The process holds up to 320 MiB more: a run stays below 1,324 MiB. */
const MEMORY_LIMIT_MIB = 960;
/** With four threads, publishing waits for the disk; more only use more memory. */
const THREADS = Math.min(4, availableParallelism());

export async function openLake(name: string): Promise<Lake> {
  if (!name.startsWith('s3://')) return folderLake(name);
  const { s3Lake } = await import('#lib/aws/s3-lake.ts');
  return s3Lake(name, environment());
}

/** The lake that `--lake` names, to be read. Throws UsageError LAKE_MISSING if the folder is missing. */
export async function existingLake(name: string): Promise<Lake> {
  if (name.startsWith('s3://') || existsSync(name)) return await openLake(name);
  const meant = lakeMeant(name);
  const cure =
    meant === undefined
      ? `name another with --lake, or make this one with \`${PROGRAM} run\`.`
      : `did you mean --lake ${meant}?`;
  throw new UsageError(`There is no lake ${name}: ${cure}`, 'LAKE_MISSING');
}

/** The lake next to it with a similar name; otherwise the only lake that is there. */
function lakeMeant(name: string): string | undefined {
  const folder = dirname(name);
  const there = statSync(folder, { throwIfNoEntry: false })?.isDirectory() ? readdirSync(folder) : [];
  const lakes = there.filter((each) => existsSync(join(folder, each, 'state', 'head.json')));
  const meant = nearest(basename(name), lakes) ?? (lakes.length === 1 ? lakes[0] : undefined);
  if (meant === undefined) return undefined;
  return name.startsWith('./') ? `./${meant}` : join(folder, meant);
}

/** Undefined if the config cannot be read: then only what to hide is unknown, and the lake is still readable. */
export async function configIfAny(file: string): Promise<Config | undefined> {
  return await readConfig(file).catch(instead(isA(UsageError), undefined));
}

/** The services of stages that call no API. */
export function localServices(lake: Lake, onProgress: (event: ProgressEvent) => void = () => {}): Services {
  return {
    lake,
    now: () => new Date(),
    timeLeft: () => Number.POSITIVE_INFINITY,
    memoryLimitMiB: MEMORY_LIMIT_MIB,
    threads: THREADS,
    publishWidth: 1,
    views: QUERIES,
    onProgress,
  };
}

/** The secrets: where the config says, in the file of --secrets, or without one in AWS Secrets Manager. */
export async function openSecrets(file: string | undefined) {
  const warn = (says: string) => note(`warning: ${says}`);
  if (file === undefined) return secretStore(inPlace(onAws(), warn));
  const isRefused = environment().isCi || process.getuid?.() === 0;
  const warning = await secretsFileWarning(file, { isRefused });
  if (warning !== undefined) warn(warning);
  return secretStore(inPlace(inFile(file), warn));
}

/** The same for a command that calls APIs: what it needs is read before any call. Throws UsageError, as for a config. */
export async function openCheckedSecrets(file: string | undefined, config: Config, sources = config.sources) {
  const secrets = await openSecrets(file);
  try {
    for (const source of sources)
      refusePlainKey(keyOf(source, await secrets.read(source.secret)).key, source);
    if (config.maskSecret !== undefined) await secrets.readKey(config.maskSecret);
  } catch (error) {
    if (error instanceof UsageError || !(error instanceof ExportError)) throw error;
    throw new UsageError(error.message, error.code, error);
  }
  return secrets;
}

/** The SDK loads for the first secret. If AWS refuses a secret, the message names the other place for it. */
function onAws(): FindHeld {
  let found: Promise<FindHeld> | undefined;
  return async (...asked) => {
    found ??= import('#lib/aws/secrets-manager.ts').then((aws) => aws.inSecretsManager());
    try {
      return await (await found)(...asked);
    } catch (error) {
      if (!hasCode('SECRET_UNREADABLE')(error)) throw error;
      const message = `${error.message} Or put the key into a file secrets.json next to the config.`;
      throw new ExportError({ code: error.code, message, cause: error });
    }
  };
}

/** True if a process of this machine, or an execution, has ended. False if nobody can find that out from here. */
export async function holderHasEnded(holder: Holder): Promise<boolean> {
  if (!('execution' in holder)) return await processHasEnded(holder);
  const { stepFunctionsExecutions } = await import('#lib/aws/step-functions.ts');
  const [machine = ''] = holder.execution.replace(':execution:', ':stateMachine:').split(/:[^:]+$/);
  const state = await stepFunctionsExecutions(machine)
    .stateOf(holder.execution)
    .catch(() => 'unknown');
  return state === 'ended';
}

export const LOCAL_HOLDER = { holder: thisProcess(), holderHasEnded };

/** Services whose commits leave `lake.duckdb` in a folder. A commit that cannot leave it succeeds, with a warning. */
export function leavingDatabase<Given extends Services>(services: Given): Given {
  if (services.lake.name.startsWith('s3://')) return services;
  return {
    ...services,
    afterCommit: async (head, isAgain) => {
      try {
        if (isAgain && (await hasDatabaseOf(head, services))) return;
        const broken = await leaveDatabase(services);
        const why = 'at least one of their files is damaged or missing; see `status`';
        if (broken.length > 0) note(`warning: lake.duckdb lacks ${broken.join(', ')}: ${why}.`);
      } catch (error) {
        if (!(error instanceof ExportError)) throw error;
        const cure = `After that, write lake.duckdb with \`${nextCommand(['views'], { lake: services.lake.name })}\`.`;
        note(`warning: lake.duckdb still shows the commit before this one: ${error.message} ${cure}`);
      }
    },
  };
}
