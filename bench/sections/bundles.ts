import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { measure } from '../child.ts';
import { medianOf, timed } from '../children/report.ts';
import type { Figure } from '../figures.ts';

const STAGES = ['start', 'list', 'collect', 'sweep', 'plan', 'publish', 'commit'];
/** These two are DuckDB's. */
const WITH_DUCKDB = ['plan', 'publish'];
const MOST_KB = 1500;

/**
 * The size of each handler's bundle, built as deployed, the seconds that its import takes, and a cold start's: those of
 * a new process until it is imported.
 */
export async function benchBundles(): Promise<readonly Figure[]> {
  // Below node_modules, so that DuckDB, which the bundles leave outside, is found.
  const out = mkdtempSync('node_modules/.bench-');
  try {
    return await figuresOf(out);
  } finally {
    rmSync(out, { recursive: true, force: true });
  }
}

async function figuresOf(out: string): Promise<readonly Figure[]> {
  const figures: Figure[] = [];
  const floor = { name: 'Node that does nothing', value: await coldStart('') };
  for (const stage of STAGES) {
    const path = join(process.cwd(), out, `${stage}.mjs`);
    await build({
      entryPoints: [`functions/${stage}.ts`],
      outfile: path,
      bundle: true,
      platform: 'node',
      format: 'esm',
      target: 'node24',
      minify: true,
      keepNames: true,
      mainFields: ['module', 'main'],
      logLevel: 'error',
      external: ['@duckdb/*'],
      banner: {
        js: "import { createRequire } from 'node:module';const require = createRequire(import.meta.url);",
      },
    });
    const hasDuckDb = WITH_DUCKDB.includes(stage);
    const size = statSync(path).size / 1000;
    figures.push({
      section: 'bundle',
      name: stage,
      value: size,
      unit: 'kB',
      ...(!hasDuckDb && { goal: { of: 'value', most: MOST_KB } }),
    });
    const { seconds } = await measure<{ seconds: number }>('import', { path });
    figures.push({ section: 'import', name: stage, value: seconds, unit: 's' });
    const started = await coldStart(`await import(${JSON.stringify(pathToFileURL(path).href)})`);
    figures.push({ section: 'cold start', name: stage, value: started, unit: 's', floor });
  }
  return figures;
}

/** Seconds of a process with this script. */
async function coldStart(script: string): Promise<number> {
  const flags = ['--input-type=module', '-e', `${script};process.exit()`];
  return await medianOf(3, () =>
    timed(async () => {
      const { status } = spawnSync(process.execPath, flags);
      if (status !== 0) throw new Error(`${script} ended with ${status}`);
    }),
  );
}
