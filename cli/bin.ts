import { enableCompileCache } from 'node:module';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { restartWithLittleMemory } from './restart-with-little-memory.ts';

// Before Node 24.15 its SQLite, the lock of a folder, says that it is experimental: whoever reads it could do nothing.
const { emitWarning } = process;
process.emitWarning = (...words: readonly unknown[]) => {
  if (words[1] !== 'ExperimentalWarning') Reflect.apply(emitWarning, process, words);
};
restartWithLittleMemory(process.argv.slice(2));
// Not in the folder for temporary files, as Node would: others may put there what this program then runs.
const { XDG_CACHE_HOME: cache = join(homedir(), '.cache') } = process.env;
enableCompileCache(join(cache, 'signage-export', 'code'));
await import('./main.ts');
