import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type BuildOptions, build, buildSync, type Metafile } from 'esbuild';
import type { StageForm } from './stages.ts';

type Bundled = Pick<StageForm, 'name' | 'hasDuckDb'>;

const GENERATED = new URL('../node_modules/parquetjs-lite/gen-nodejs/parquet_types.js', import.meta.url);

/** How a stage is bundled, whoever calls esbuild: CDK, the build of the package, the bench or a test. */
function bundleOptions(stage: Bundled, outfile: string, entry?: string) {
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
    banner: { js: banner() },
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

/** The same for callers that cannot wait. */
export function bundleStageSync(stage: Bundled, outfile: string): void {
  buildSync(bundleOptions(stage, outfile));
}

/**
 * The code before a bundle's own. Packages in CommonJS load Node's modules by `require`. And parquetjs-lite assigns to
 * names that it never declares, which a module forbids. So this declares the names on the global object.
 */
function banner(): string {
  const text = readFileSync(GENERATED, 'utf8');
  const names = [...text.matchAll(/^(\w+) = module\.exports\.\1 = /gm)].map(([, name]) => name);
  // The minifier may make the same short name.
  const require = `import{createRequire as makeRequireOfBundle}from'node:module';const require=makeRequireOfBundle(import.meta.url);`;
  return `${require}Object.assign(globalThis,{${names.map((name) => `${name}:undefined`).join()}});`;
}
