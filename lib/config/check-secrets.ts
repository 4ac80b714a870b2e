import { ExportError, UsageError } from '../errors.ts';
import type { Source } from '../sources/source.ts';
import type { Config } from './config.ts';
import { keyOf, type SecretStore } from './secrets.ts';

/**
 * Reads every secret that an export of these sources needs, before anything is called or written. Throws UsageError:
 * SECRET_MISSING, SECRET_INVALID, SECRET_UNREADABLE, SECRETS_UNREADABLE.
 */
export async function checkSecrets(
  config: Pick<Config, 'maskSecret'>,
  { sources, secrets }: { readonly sources: readonly Source[]; readonly secrets: SecretStore },
): Promise<void> {
  try {
    for (const source of sources) keyOf(source, await secrets.read(source.secret));
    if (config.maskSecret !== undefined) await secrets.readKey?.(config.maskSecret);
  } catch (error) {
    if (error instanceof UsageError || !(error instanceof ExportError)) throw error;
    throw new UsageError(error.message, error.code, error);
  }
}
