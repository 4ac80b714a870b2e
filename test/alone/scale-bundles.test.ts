import { spawnSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const MOST_BYTES = 1_500_000;

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'signage-export-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe('handlers without DuckDB, bundled as deployed', () => {
  it.each(['start', 'list', 'collect', 'sweep', 'commit'])(
    '%s is small and loads as a module',
    async (stage) => {
      const outfile = join(folder, `${stage}.mjs`);
      const { metafile } = await build({
        entryPoints: [`functions/${stage}.ts`],
        outfile,
        metafile: true,
        bundle: true,
        platform: 'node',
        format: 'esm',
        target: 'node24',
        minify: true,
        keepNames: true,
        mainFields: ['module', 'main'],
        banner: { js: "import{createRequire as make}from'node:module';const require=make(import.meta.url);" },
      });
      const [output] = Object.values(metafile.outputs);
      expect(output?.bytes).toBeLessThan(MOST_BYTES);
      expect(Object.keys(output?.inputs ?? {}).filter((file) => file.includes('@duckdb'))).toEqual([]);
      const { stderr, status } = spawnSync(process.execPath, [outfile], { encoding: 'utf8' });
      expect({ status, stderr: stderr.slice(-2000) }).toEqual({ status: 0, stderr: '' });
    },
  );
});
