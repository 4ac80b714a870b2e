import { readFile } from 'node:fs/promises';
import type { Config } from '../config/config.ts';

/** The config that was parsed when the stack was built. It lies next to this code's bundle. */
export async function bundledConfig(): Promise<Config> {
  return JSON.parse(await readFile(new URL('export.config.json', import.meta.url), 'utf8'));
}
