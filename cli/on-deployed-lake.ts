/** The options, with those of the deployed stack's lake for `--deployed`. Throws UsageError NOT_DEPLOYED. */
export async function onDeployedLake<
  Given extends { readonly config: string; readonly lake: string; readonly deployed: boolean },
>(options: Given): Promise<Given> {
  if (!options.deployed) return options;
  // No other command needs the SDK.
  const { deployedLake } = await import('./deployed-stack.ts');
  return { ...options, lake: await deployedLake(options.config) };
}
