/** Makes dist/, the JavaScript of the package: `npm run build`, and `npm pack` before it packs. */
import { chmod, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type Plugin } from 'esbuild';
import { bundlePage } from '#lib/report/page-assets.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const OUT = join(ROOT, 'dist');
const PACKAGE = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8'));

/** Files that a source reads beside it lie where they lay: dist/ is beside lib/, cli/ and queries/. */
const places: Plugin = {
  name: 'places',
  setup: ({ onLoad }) =>
    onLoad({ filter: /\/(lib|cli|functions|simulator)\/.*\.ts$/ }, async ({ path }) => {
      const text = await readFile(path, 'utf8');
      const place = `new URL(${JSON.stringify(`../${relative(ROOT, path).replaceAll(sep, '/')}`)}, import.meta.url).href`;
      return { contents: text.replaceAll('import.meta.url', place), loader: 'ts' };
    }),
};

/** What draws the report's page is made once, here, and not where a report is written. */
const page: Plugin = {
  name: 'page',
  setup: ({ onLoad }) =>
    onLoad({ filter: /\/page-assets\.ts$/ }, async () => {
      const assets = JSON.stringify(await bundlePage());
      return { contents: `export const bundlePage = async () => (${assets});`, loader: 'js' };
    }),
};

/**
 * The interpreter of the state machine brings a validator, a second language for paths and a client of Lambda, which a
 * definition such as ours with functions of this process never uses: to load them takes 0.15 s of each run.
 */
const unused: Plugin = {
  name: 'unused',
  setup: ({ onResolve, onLoad }) => {
    onResolve({ filter: /^(asl-validator|jsonata|@aws-sdk\/.*)$/ }, ({ path, importer }) =>
      importer.includes('aws-local-stepfunctions') ? { path, namespace: 'unused' } : undefined,
    );
    // In CommonJS, of which any name may be imported.
    onLoad({ filter: /./, namespace: 'unused' }, ({ path }) => ({
      contents: `module.exports = () => { throw new Error('${path} is not in the package'); };`,
    }));
  },
};

/** What is installed beside the package: native code, and what few commands need of much. */
const BESIDE = Object.keys(PACKAGE.dependencies).flatMap((name) => [name, `${name}/*`]);

/** Packages in CommonJS load Node's modules by `require`. */
const REQUIRE =
  "import { createRequire as makeRequireOfPart } from 'node:module';const require = makeRequireOfPart(import.meta.url);";

await rm(OUT, { recursive: true, force: true });
const { metafile } = await build({
  entryPoints: { 'signage-export': join(ROOT, 'cli/bin.ts') },
  outdir: OUT,
  chunkNames: '[name]-[hash]',
  bundle: true,
  splitting: true,
  external: BESIDE,
  mainFields: ['module', 'main'],
  platform: 'node',
  format: 'esm',
  target: 'node22.15',
  sourcemap: true,
  sourcesContent: false,
  minifySyntax: true,
  minifyWhitespace: true,
  banner: { js: REQUIRE },
  // The first to answer for a file loads it.
  plugins: [page, places, unused],
  metafile: true,
  logLevel: 'warning',
});
const program = join(OUT, 'signage-export.js');
await writeFile(program, `#!/usr/bin/env node\n${await readFile(program, 'utf8')}`);
await chmod(program, 0o755);
const { size } = await stat(program);
console.log(`dist/: ${Object.keys(metafile.outputs).length} files; signage-export.js has ${size} bytes`);
