import type { Config } from '#lib/config/config.ts';
import { readConfig } from '#lib/config/parse-config.ts';
import { ExportError, UsageError } from '#lib/errors.ts';
import type { GlobalOptions } from './options.ts';
import { note } from './say.ts';

/** The config as its file is now; the one before where it has become wrong. */
export async function configNow(options: Pick<GlobalOptions, 'config'>, before: Config): Promise<Config> {
  try {
    return await readConfig(options.config);
  } catch (error) {
    sayAndGoOn(error);
    return before;
  }
}

/** A run that fails does not end the schedule. What is a mistake of ours ends it. */
export function sayAndGoOn(error: unknown): void {
  if (!(error instanceof ExportError)) throw error;
  note(`${error.code}: ${error.message}`);
}

/** Undefined if the config cannot be read: whoever looks at a lake does not know what is to be hidden, but all the rest. */
export async function configIfAny(file: string): Promise<Config | undefined> {
  try {
    return await readConfig(file);
  } catch (error) {
    if (error instanceof UsageError) return undefined;
    throw error;
  }
}
