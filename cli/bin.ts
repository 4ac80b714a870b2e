import { readFileSync } from 'node:fs';
// The whole module: an older Node lacks some of its functions, and an import by name would end in a stack trace.
import module from 'node:module';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { makeFolders } from '#lib/make-folders.ts';
import { restartWithLittleMemory, setUsualFlags } from './restart-with-little-memory.ts';

const { engines } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
const [oldest, own] = [engines.node.slice(2), process.versions.node].map((version) =>
  version.split('.').map(Number),
);
if (own[0] < oldest[0] || (own[0] === oldest[0] && own[1] < oldest[1])) {
  process.stderr.write(
    `signage-export needs Node ${oldest.join('.')} or newer; this is Node ${own.join('.')}: install a newer one from https://nodejs.org.\n`,
  );
  process.exit(2);
}
// Before Node 24.15 its SQLite, the lock of a folder, warns that it is experimental: readers can do nothing about it.
const { emitWarning } = process;
process.emitWarning = (...words: readonly unknown[]) => {
  if (words[1] !== 'ExperimentalWarning') Reflect.apply(emitWarning, process, words);
};
await restartWithLittleMemory(process.argv.slice(2));
setUsualFlags();
keepCompiled();
await import('./main.ts');

/** Makes Node keep compiled code where only this user writes, because it must not run others' code. */
function keepCompiled(): void {
  try {
    const { XDG_CACHE_HOME: cache = join(homedir(), '.cache') } = process.env;
    const folder = join(cache, 'signage-export', 'code');
    makeFolders(folder, 0o700);
    module.enableCompileCache(folder);
  } catch {
    // Without the cache the command only starts later, so nobody needs a message.
  }
}
