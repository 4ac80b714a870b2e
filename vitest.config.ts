import { existsSync, statfsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

const results = process.env['TEST_RESULTS'];
const tier = process.env['TEST_TIER'] ?? 'fast';
const isFast = tier === 'fast';

/** What runs once before all files of a tier. */
const setups: Readonly<Record<string, string>> = {
  slow: 'test/report/one-browser.ts',
  alone: 'test/report/one-browser.ts',
  aws: 'test/aws/support/stand-ins.ts',
  deploy: 'test/deploy/support/emulated.ts',
};
const setup = setups[tier];

/** Folders of these tiers lie in memory where it has room: a lake in a folder waits for the disk after each file. */
const MEMORY = '/dev/shm';
const MEMORY_BYTES = { fast: 2 * 1024 ** 3, slow: 8 * 1024 ** 3 } as const;
const memoryBytes = tier === 'fast' || tier === 'slow' ? MEMORY_BYTES[tier] : Number.POSITIVE_INFINITY;
const isRoomy = (folder: string) => {
  if (!existsSync(folder)) return false;
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize >= memoryBytes;
};

const others = ['slow', 'alone', 'servers', 'aws', 'deploy', 'nightly'];

/**
 * Seven tiers: what `npm test` runs, and a folder of test/ for each other one. CONTRIBUTING.md says what each is for.
 */
export default defineConfig({
  test: {
    include: [isFast ? 'test/**/*.test.ts' : `test/${tier}/**/*.test.ts`],
    exclude: isFast ? others.map((other) => `test/${other}/**`) : [],
    testTimeout: isFast ? 30_000 : 600_000,
    hookTimeout: isFast ? 30_000 : 600_000,
    fileParallelism: isFast || tier === 'slow',
    // Files of these tiers share their modules: to load them for each file took nearly half of the fast one's time.
    isolate: !isFast && tier !== 'slow',
    // Tests leave much garbage, most of it at once: where it has more room, a tenth of the time is saved.
    execArgv: isFast ? ['--max-semi-space-size=64'] : [],
    // Of the tests that say concurrent: each waits for processes or for DuckDB, which has a thread a core.
    maxConcurrency: 2,
    // Vitest leaves one core to itself, of two too.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    env: {
      ...(isRoomy(MEMORY) && { TMPDIR: MEMORY }),
      // CDK's own check of each template costs more than the template. `npm run synth` and the slow tier have it.
      ...(isFast && { CDK_VALIDATION: 'false' }),
    },
    setupFiles: ['test/support/no-child-left.ts'],
    // A test that goes over an empty list asks nothing, and fails. Of tests that run at once nobody knows who asked.
    expect: { requireAssertions: isFast || tier === 'slow' },
    ...(setup !== undefined && { globalSetup: setup }),
    reporters: results === undefined ? ['default'] : ['default', 'json'],
    ...(results !== undefined && { outputFile: { json: join(results, `${tier}.json`) } }),
  },
});
