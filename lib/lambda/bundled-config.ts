import { readFile } from 'node:fs/promises';
import type { Config } from '../config/config.ts';

/** The config that was parsed when the stack was built; it lies beside the bundle that this becomes a part of. */
export async function bundledConfig(): Promise<Config> {
  return JSON.parse(await readFile(new URL('export.config.json', import.meta.url), 'utf8'));
}
