import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { bundleStage } from '../../infra/bundle.ts';
import { STAGES } from '../../infra/stages.ts';
import { measure } from '../child.ts';
import { medianOf, timed } from '../children/report.ts';
import type { Figure } from '../figures.ts';

const MOST_KB = 1500;

/**
 * The deployed size of each handler's bundle, the seconds of its import, and those of a cold start: a new process until
 * the import ends.
 */
export async function benchBundles(): Promise<readonly Figure[]> {
  // Below node_modules, so that the bundle finds DuckDB's library.
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
    const { name, hasDuckDb } = stage;
    const path = join(process.cwd(), out, `${name}.mjs`);
    await bundleStage(stage, path);
    const size = statSync(path).size / 1000;
    figures.push({
      section: 'bundle',
      name,
      value: size,
      unit: 'kB',
      ...(!hasDuckDb && { goal: { of: 'value', most: MOST_KB } }),
    });
    const { seconds } = await measure<{ seconds: number }>('import', { path });
    figures.push({ section: 'import', name, value: seconds, unit: 's' });
    const started = await coldStart(`await import(${JSON.stringify(pathToFileURL(path).href)})`);
    figures.push({ section: 'cold start', name, value: started, unit: 's', floor });
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
