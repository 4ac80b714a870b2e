/** The key of the masks; a role may read it if the config masks columns. */
export async function readMaskKey(name: string): Promise<string> {
  const { secretsManagerStore } = await import('../aws/secrets-manager.ts');
  return (await secretsManagerStore().readKey?.(name)) ?? '';
}
