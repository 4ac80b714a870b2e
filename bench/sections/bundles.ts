import { mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { measure } from '../child.ts';
import type { Figure } from '../figures.ts';
import type { Extent } from '../main.ts';

const STAGES = ['start', 'list', 'collect', 'sweep', 'plan', 'publish', 'commit'];
/** These two are DuckDB's. */
const WITH_DUCKDB = ['plan', 'publish'];
const MOST_KB = 1500;

/** The size of each handler's bundle, built as deployed, and the seconds that its import takes in a new process. */
export async function benchBundles({ folder }: Extent): Promise<readonly Figure[]> {
  const out = folder();
  mkdirSync(out, { recursive: true });
  const figures: Figure[] = [];
  for (const stage of STAGES) {
    // Beside node_modules, so that what the bundle leaves outside is found.
    const path = join(out, `${stage}.mjs`);
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
    if (hasDuckDb) continue;
    const { seconds } = await measure<{ seconds: number }>('cold-start', { path });
    figures.push({ section: 'import', name: stage, value: seconds, unit: 's' });
  }
  return figures;
}
