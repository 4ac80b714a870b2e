import { fileURLToPath } from 'node:url';
import { type BuildOptions, build, type Metafile } from 'esbuild';
import type { StageForm } from './stages.ts';

type Bundled = Pick<StageForm, 'name' | 'hasDuckDb'>;

/** How a stage is bundled, whoever calls esbuild: CDK, the build of the package, the bench or a test. */
export function bundleOptions(stage: Bundled, outfile: string, entry?: string) {
  const handler = new URL(`../functions/${stage.name}.ts`, import.meta.url);
  return {
    entryPoints: [entry ?? fileURLToPath(handler)],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node24',
    minify: true,
    keepNames: true,
    mainFields: ['module', 'main'],
    banner: { js: REQUIRE },
    /** DuckDB's native library is copied next to the bundle; the tested SDK is the one that runs. */
    external: stage.hasDuckDb ? ['@duckdb/node-bindings-*'] : [],
    logLevel: 'error',
  } as const satisfies BuildOptions;
}

/**
 * Bundles a stage's code as it is deployed, without the files next to it: from its handler, or from the file
 * `entry`. Returns the list of what is in the bundle.
 */
export async function bundleStage(stage: Bundled, outfile: string, entry?: string): Promise<Metafile> {
  return (await build({ ...bundleOptions(stage, outfile, entry), metafile: true })).metafile;
}

/** The code before a bundle's own: packages in CommonJS load Node's modules by `require`. The minifier may make the same short name. */
const REQUIRE = `import{createRequire as makeRequireOfBundle}from'node:module';const require=makeRequireOfBundle(import.meta.url);`;
