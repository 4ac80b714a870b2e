import { secretStore } from '../config/secrets.ts';

/** How long a secret is kept; after a 401 it is read again at once. */
const KEPT_MS = 5 * 60_000;

/** Kept between the calls of a Lambda. */
let secrets: ReturnType<typeof secretStore> | undefined;

/** The secrets in Secrets Manager. */
export async function keptSecrets() {
  const { inSecretsManager } = await import('../aws/secrets-manager.ts');
  secrets ??= secretStore(inSecretsManager(), KEPT_MS);
  return secrets;
}
