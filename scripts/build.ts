/** Makes dist/, the JavaScript of the package: `npm run build`, and `npm pack` before it packs. */
import { execFileSync } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type BuildOptions, build, type Plugin } from 'esbuild';
import { configSchema } from '#cli/config.ts';
import { bundlePage } from '#lib/report/page-assets.ts';
import { PAGE_FILES } from '#lib/report/page-files.ts';
import { bundleStage } from '../infra/bundle.ts';
import { lockedBinding } from '../infra/locked-bindings.ts';
import { NEWS, OPERATE, STAGES, WATCH } from '../infra/stages.ts';
import { thirdPartyNotices } from './third-party-notices.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const OUT = join(ROOT, 'dist');
const PACKAGE = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8'));

/** A source reads files next to it. They stay where they are: dist/ is next to lib/, cli/ and queries/. */
const places: Plugin = {
  name: 'places',
  setup: ({ onLoad }) =>
    onLoad({ filter: /\/(lib|cli|functions|simulator|infra)\/.*\.ts$/ }, async ({ path }) => {
      const text = await readFile(path, 'utf8');
      const place = `new URL(${JSON.stringify(`../${relative(ROOT, path).replaceAll(sep, '/')}`)}, import.meta.url).href`;
      return { contents: text.replaceAll('import.meta.url', place), loader: 'ts' };
    }),
};

/** What draws the report's page is made once, for the Lambda that tells news: the command line reads its files. */
const page: Plugin = {
  name: 'page',
  setup: ({ onLoad }) =>
    onLoad({ filter: /\/page-assets\.ts$/ }, ({ path }) => ({
      contents: `
        import { readPage } from './page-files.ts';
        export const bundlePage = () => readPage(new URL('./functions/${NEWS.name}/', import.meta.url));`,
      loader: 'js',
      resolveDir: dirname(path),
    })),
};

/** What the CDK construct does in the repository by esbuild and by package-lock.json, the package has prepared. */
const prepared: Plugin = {
  name: 'prepared',
  setup: ({ onLoad }) => {
    onLoad({ filter: /\/infra\/put-bundle\.ts$/ }, () => ({
      contents: `
        import { cpSync } from 'node:fs';
        import { fileURLToPath } from 'node:url';
        export const putBundle = ({ name }, folder) =>
          cpSync(fileURLToPath(new URL('./functions/' + name, import.meta.url)), folder, { recursive: true });`,
    }));
    onLoad({ filter: /\/infra\/locked-bindings\.ts$/ }, () => {
      const names = ['arm64', 'x64'].map((cpu) => `@duckdb/node-bindings-linux-${cpu}`);
      const locked = Object.fromEntries(names.map((name) => [name, lockedBinding(name)]));
      return {
        contents: `
          export const FETCH = 'npx signage-export bindings';
          export const lockedBinding = (name) => (${JSON.stringify(locked)})[name] ?? {};`,
      };
    });
  },
};

/**
 * The interpreter of the state machine brings a validator, a second language for paths and a client of Lambda. Our
 * definition never uses them, as its functions are of this process: to load them takes 0.15 s of each run.
 */
const unused: Plugin = {
  name: 'unused',
  setup: ({ onResolve, onLoad }) => {
    onResolve({ filter: /^(asl-validator|jsonata|@aws-sdk\/.*)$/ }, ({ path, importer }) =>
      importer.includes('aws-local-stepfunctions') ? { path, namespace: 'unused' } : undefined,
    );
    // In CommonJS, which lets others import any name.
    onLoad({ filter: /./, namespace: 'unused' }, ({ path }) => ({
      contents: `module.exports = () => { throw new Error('${path} is not in the package'); };`,
    }));
  },
};

/** What is installed next to the package: native code, and what few commands need of much. */
const BESIDE = Object.keys({ ...PACKAGE.dependencies, ...PACKAGE.peerDependencies });

/** Packages in CommonJS load Node's modules by `require`. */
const REQUIRE =
  "import { createRequire as makeRequireOfPart } from 'node:module';const require = makeRequireOfPart(import.meta.url);";

await rm(OUT, { recursive: true, force: true });
const shared = {
  outdir: OUT,
  chunkNames: '[name]-[hash]',
  bundle: true,
  external: BESIDE,
  mainFields: ['module', 'main'],
  platform: 'node',
  format: 'esm',
  target: 'node22.15',
  sourcemap: true,
  sourcesContent: false,
  minifySyntax: true,
  banner: { js: REQUIRE },
  // The first to answer for a file loads it.
  plugins: [page, prepared, places, unused],
  metafile: true as const,
  logLevel: 'warning',
} satisfies BuildOptions;
const { metafile } = await build({
  ...shared,
  entryPoints: { 'signage-export': join(ROOT, 'cli/bin.ts') },
  splitting: true,
  minifyWhitespace: true,
});
// Nobody looks up the lines of libraries.
for (const [file, output] of Object.entries(metafile.outputs))
  if (Object.keys(output.inputs).every((input) => input.startsWith('node_modules/')))
    await rm(`${file}.map`, { force: true });
// Of an app that ends with an error, Node prints the line that threw it: here a line of a few words, and not the whole file.
const { metafile: ofCdk } = await build({
  ...shared,
  sourcemap: false,
  entryPoints: { cdk: join(ROOT, 'infra/signage-export.ts') },
});
// A file of dist/ holds the script of the report's page as a text, which esbuild does not follow.
const { metafile: ofPage } = await build({
  entryPoints: [join(ROOT, 'lib/report/page/main.ts')],
  ...{ bundle: true, metafile: true, write: false, logLevel: 'warning' },
});
const inputs = new Set([metafile, ofCdk, ofPage].flatMap((each) => Object.keys(each.inputs)));
const program = join(OUT, 'signage-export.js');
await writeFile(program, `#!/usr/bin/env node\n${await readFile(program, 'utf8')}`);
await chmod(program, 0o755);
await buildFunctions();
await declareTypes();
await writeFile(join(OUT, 'THIRD-PARTY-NOTICES.txt'), await thirdPartyNotices(inputs));
// For editors; `init` puts a copy next to a config.
await writeFile(join(OUT, 'config.schema.json'), `${JSON.stringify(configSchema(), null, 2)}\n`);
const { size } = await stat(program);
console.log(`dist/: ${Object.keys(metafile.outputs).length} files; signage-export.js has ${size} bytes`);

/** The functions as they are deployed, a folder each. */
async function buildFunctions(): Promise<void> {
  for (const stage of [...STAGES, OPERATE, WATCH, NEWS]) {
    const folder = join(OUT, 'functions', stage.name);
    const { inputs: files } = await bundleStage(stage, join(folder, 'index.mjs'));
    for (const file of Object.keys(files)) inputs.add(file);
    if (!stage.tells) continue;
    const { script, style } = await bundlePage();
    await mkdir(dirname(join(folder, PAGE_FILES.script)), { recursive: true });
    await writeFile(join(folder, PAGE_FILES.script), script);
    await writeFile(join(folder, PAGE_FILES.style), style);
  }
}

/** dist/cdk.d.ts: what the construct shows, which mentions the types of CDK alone. */
async function declareTypes(): Promise<void> {
  const folder = await mkdtemp(join(ROOT, 'node_modules', '.types-'));
  try {
    const tsc = join(ROOT, 'node_modules/typescript/bin/tsc');
    const project = join(ROOT, 'scripts/cdk-types.json');
    execFileSync(process.execPath, [tsc, '-p', project, '--outDir', folder], { stdio: 'inherit' });
    const types = await readFile(join(folder, 'infra/signage-export.d.ts'), 'utf8');
    const own = /from '\.[^']*'/.exec(types)?.[0];
    if (own !== undefined)
      throw new Error(`the types of the construct are ${own}, which the package has not`);
    await writeFile(join(OUT, 'cdk.d.ts'), types);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
