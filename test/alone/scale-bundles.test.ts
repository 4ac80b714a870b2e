import { spawnSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bundleStage } from '../../infra/bundle.ts';
import { STAGES } from '../../infra/stages.ts';

const MOST_BYTES = 1_500_000;

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'signage-export-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe('handlers without DuckDB, bundled as deployed', () => {
  it.each(STAGES.filter(({ hasDuckDb }) => !hasDuckDb).map((stage) => ({ stage, name: stage.name })))(
    '$name is small and loads as a module',
    async ({ stage, name }) => {
      const outfile = join(folder, `${name}.mjs`);
      const { outputs } = await bundleStage(stage, outfile);
      const [output] = Object.values(outputs);
      expect(output?.bytes).toBeLessThan(MOST_BYTES);
      expect(Object.keys(output?.inputs ?? {}).filter((file) => file.includes('@duckdb'))).toEqual([]);
      const { stderr, status } = spawnSync(process.execPath, [outfile], { encoding: 'utf8' });
      expect({ status, stderr: stderr.slice(-2000) }).toEqual({ status: 0, stderr: '' });
    },
  );
});
