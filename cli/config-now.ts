import type { Config } from '#lib/config/config.ts';
import { readConfig } from '#lib/config/parse-config.ts';
import { ExportError, UsageError } from '#lib/errors.ts';
import type { GlobalOptions } from './options.ts';
import { note } from './say.ts';

/** The config as its file is now; the previous one if the file has become wrong. */
export async function configNow(options: Pick<GlobalOptions, 'config'>, before: Config): Promise<Config> {
  try {
    return await readConfig(options.config);
  } catch (error) {
    sayAndGoOn(error);
    return before;
  }
}

/** A run that fails does not end the schedule. A bug in this program ends it. */
export function sayAndGoOn(error: unknown): void {
  if (!(error instanceof ExportError)) throw error;
  note(`${error.code}: ${error.message}`);
}

/** Undefined if the config cannot be read: then only what to hide is unknown, and the lake is still readable. */
export async function configIfAny(file: string): Promise<Config | undefined> {
  try {
    return await readConfig(file);
  } catch (error) {
    if (error instanceof UsageError) return undefined;
    throw error;
  }
}
