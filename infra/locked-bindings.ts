import { readFileSync } from 'node:fs';

/** The command that fetches bindings. */
export const FETCH = 'npm run bindings';

/** A package in package-lock.json. The build puts its content here, because the installed package has no lock file. */
export function lockedBinding(name: string): { readonly version?: string; readonly integrity?: string } {
  const lock = JSON.parse(readFileSync(new URL('../package-lock.json', import.meta.url), 'utf8'));
  return lock.packages[`node_modules/${name}`] ?? {};
}
