import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build, type Metafile } from 'esbuild';
import type { StageForm } from './stages.ts';

type Bundled = Pick<StageForm, 'name' | 'hasDuckDb'>;

const GENERATED = new URL('../node_modules/parquetjs-lite/gen-nodejs/parquet_types.js', import.meta.url);

/** The file of a stage's handler. */
export function entryOf({ name }: Pick<StageForm, 'name'>): string {
  return fileURLToPath(new URL(`../functions/${name}.ts`, import.meta.url));
}

/** How a stage is bundled, whoever calls esbuild: CDK, the bench or a test. */
export function bundleOptions({ hasDuckDb }: Bundled) {
  return {
    target: 'node24',
    minify: true,
    keepNames: true,
    mainFields: ['module', 'main'],
    banner: banner(),
    /** DuckDB's own libraries lie beside the bundle. */
    external: hasDuckDb ? ['@duckdb/node-bindings-*'] : [],
  };
}

/** Bundles a stage as it is deployed, without CDK and without what lies beside the bundle; says what is in it. */
export async function bundleStage(stage: Bundled, outfile: string): Promise<Metafile> {
  const { banner: js, ...options } = bundleOptions(stage);
  const { metafile } = await build({
    ...options,
    banner: { js },
    entryPoints: [entryOf(stage)],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    metafile: true,
    logLevel: 'error',
  });
  return metafile;
}

/**
 * What stands before a bundle's code. Packages in CommonJS ask for Node's own modules by require. And the code that
 * Thrift generated for parquetjs-lite assigns to names that it never declares, which only sloppy mode allows: they are
 * made here, on the global object, as sloppy mode would.
 */
function banner(): string {
  const text = readFileSync(GENERATED, 'utf8');
  const names = [...text.matchAll(/^(\w+) = module\.exports\.\1 = /gm)].map(([, name]) => name);
  // A short name would meet one that the minifier makes.
  const require = `import{createRequire as makeRequireOfBundle}from'node:module';const require=makeRequireOfBundle(import.meta.url);`;
  return `${require}Object.assign(globalThis,{${names.map((name) => `${name}:undefined`).join()}});`;
}
