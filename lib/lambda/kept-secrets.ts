import type { secretsManagerStore } from '../aws/secrets-manager.ts';

type Store = ReturnType<typeof secretsManagerStore>;

/** Kept between the calls of a Lambda, for it caches the secrets. */
let secrets: Store | undefined;

/** The secrets in Secrets Manager. */
export async function keptSecrets(): Promise<Store> {
  const { secretsManagerStore } = await import('../aws/secrets-manager.ts');
  secrets ??= secretsManagerStore();
  return secrets;
}
