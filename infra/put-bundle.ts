import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildSync } from 'esbuild';
import { bundleOptions } from './bundle.ts';
import type { StageForm } from './stages.ts';

/** Puts a stage's code into a folder, as Lambda gets it. The build replaces this file by a copy of prepared bundles. */
export function putBundle(stage: Pick<StageForm, 'name' | 'hasDuckDb' | 'tells'>, folder: string): void {
  buildSync(bundleOptions(stage, join(folder, 'index.mjs')));
  if (!stage.tells) return;
  // esbuild makes the page with a promise, and CDK waits for none.
  const page = fileURLToPath(new URL('bundle-page.ts', import.meta.url));
  const { status } = spawnSync(process.execPath, [page, folder], { stdio: 'inherit' });
  if (status !== 0) throw new Error('the page of the report could not be bundled: see above');
}
