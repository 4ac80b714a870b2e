import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { folderLake } from '#lib/lake/folder/folder-lake.ts';
import type { ProgressEvent } from '#lib/runtime/services.ts';
import type { Simulator } from '#simulator/server.ts';
import { labSettings } from './export-lab.ts';

interface Killing {
  readonly stage?: ProgressEvent['stage'] | '';
  readonly nth?: number;
  readonly unitBytes?: number;
}

const CHILD = fileURLToPath(new URL('children/export.ts', import.meta.url));

/** A lake of its own below the folder, filled from the simulator by processes that can be killed. */
export async function killLab(folder: string, simulator: Simulator) {
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'config.json'), JSON.stringify(labSettings(simulator.url)));
  const secrets = { 'lab/berlin': simulator.secrets.signage, 'lab/vault': simulator.secrets.backup };
  await writeFile(join(folder, 'secrets.json'), JSON.stringify(secrets));
  return {
    lake: folderLake(join(folder, 'lake')),
    /** Runs in a process of its own; with a stage, SIGKILL at its nth event. `unitBytes` cuts the tables. */
    run: async (
      runTime: string,
      { stage = '', nth = 1, unitBytes = Number.POSITIVE_INFINITY }: Killing = {},
    ): Promise<{ readonly signal: string | null; readonly said: string }> => {
      const args = [CHILD, folder, runTime, String(unitBytes), stage, String(nth)];
      const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
      let said = '';
      for (const stream of [child.stdout, child.stderr])
        stream.setEncoding('utf8').on('data', (text: string) => {
          said += text;
        });
      const [, signal] = await once(child, 'close');
      return { signal, said };
    },
  };
}
