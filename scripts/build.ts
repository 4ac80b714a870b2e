/** Makes dist/, the JavaScript of the package: `npm run build`, and `npm pack` before it packs. */
import { chmod, readFile, rm, stat } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type Plugin } from 'esbuild';
import { bundlePage } from '#lib/report/page-assets.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const OUT = join(ROOT, 'dist');

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
 * The memory of a run on a machine without limits: few arenas, and a heap that grows slowly. Before Node 24.15 its SQLite,
 * the lock of a folder, says that it is experimental.
 */
const CALL = [
  '/usr/bin/env -S MALLOC_ARENA_MAX=1 MALLOC_MMAP_THRESHOLD_=65536',
  'node --max-semi-space-size=8 --max-old-space-size=1024 --heap-growing-percent=20',
  '--disable-warning=ExperimentalWarning',
].join(' ');

await rm(OUT, { recursive: true, force: true });
const { metafile } = await build({
  entryPoints: [join(ROOT, 'cli/main.ts')],
  outdir: OUT,
  chunkNames: '[name]-[hash]',
  bundle: true,
  splitting: true,
  packages: 'external',
  platform: 'node',
  format: 'esm',
  target: 'node22.15',
  sourcemap: true,
  sourcesContent: false,
  minifySyntax: true,
  banner: { js: `#!${CALL}` },
  // The first to answer for a file loads it.
  plugins: [page, places],
  metafile: true,
  logLevel: 'warning',
});
const program = join(OUT, 'main.js');
await chmod(program, 0o755);
const { size } = await stat(program);
console.log(`dist/: ${Object.keys(metafile.outputs).length} files; main.js has ${size} bytes`);
