/** The key of the masks; a role may read it where the config masks. */
export async function readMaskKey(name: string): Promise<string> {
  const { secretsManagerStore } = await import('../aws/secrets-manager.ts');
  return (await secretsManagerStore().readKey?.(name)) ?? '';
}
