import type { SecretStore } from '#lib/config/secrets.ts';

const known = new Set<string>();

/** Every value that this process read from a store: no report of an error may have it. */
export function knownSecrets(): readonly string[] {
  return [...known];
}

/** A store that notes its values as they are read. */
export function notingSecrets(store: SecretStore): SecretStore {
  const { readKey } = store;
  return {
    read: async (name, options) => {
      const secret = await store.read(name, options);
      for (const value of Object.values(secret)) known.add(value);
      return secret;
    },
    ...(readKey && {
      readKey: async (name) => {
        const key = await readKey(name);
        known.add(key);
        return key;
      },
    }),
  };
}
