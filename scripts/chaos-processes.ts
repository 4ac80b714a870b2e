import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Chance } from './chance.ts';

export interface RunPlace {
  readonly folder: string;
  /** The folder of the lake. */
  readonly lake: string;
  /** The scheduled time. */
  readonly time: string;
}

export interface RunEnded {
  readonly code: number | null;
  /** All that it wrote to stdout and stderr. */
  readonly said: string;
}

/** Scheduled times of the two runs. */
export const DAYS = ['2026-11-20T03:00:00Z', '2026-11-21T03:00:00Z'] as const;

const CLI = fileURLToPath(new URL('../cli/main.ts', import.meta.url));
const READER = fileURLToPath(new URL('chaos-reader.ts', import.meta.url));
/** A run is killed so often at most, for each kill makes it longer. */
const MOST_KILLS = 4;
/** A run of 60 players takes about so long, with its start. */
const LONGEST_MS = 3000;

/** A run by the command line. */
export async function plainRun(place: RunPlace): Promise<RunEnded> {
  return await ended(startRun(place));
}

/** A run that is killed at random moments and started again until it has ended by itself. */
export async function killedRun(
  place: RunPlace & { readonly chance: Chance },
): Promise<RunEnded & { readonly kills: number }> {
  let said = '';
  let kills = 0;
  for (;;) {
    const child = startRun(place);
    const stop = new AbortController();
    if (kills < MOST_KILLS) {
      const moment = 300 + place.chance.number() * LONGEST_MS;
      pause(moment, undefined, { signal: stop.signal }).then(
        () => child.kill('SIGKILL'),
        () => {},
      );
    }
    const run = await ended(child);
    stop.abort();
    said += run.said;
    if (run.code !== null) return { code: run.code, said, kills };
    kills += 1;
  }
}

export interface Reader extends AsyncDisposable {
  /** Stops it, and gives its readings. */
  end(): Promise<readonly Readonly<Record<string, string>>[]>;
}

/** A process that reads the lake all the time. */
export function startReader(lake: string): Reader {
  const child = spawn(process.execPath, [READER, lake], { stdio: ['pipe', 'pipe', 'inherit'] });
  const output = ended(child);
  return {
    end: async () => {
      child.stdin.end();
      const { said } = await output;
      const whole = said.slice(0, said.lastIndexOf('\n') + 1);
      return whole
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line) as Record<string, string>);
    },
    [Symbol.asyncDispose]: async () => {
      child.kill('SIGKILL');
      await output;
    },
  };
}

function startRun({ folder, lake, time }: RunPlace): ChildProcess {
  const at = (name: string) => join(folder, name);
  const files = ['--config', at('config.json'), '--secrets', at('secrets.json'), '--lake', at(lake)];
  const args = [CLI, 'run', '--json', '--run-time', time, ...files];
  return spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
}

async function ended(child: ChildProcess): Promise<RunEnded> {
  let said = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      said += text;
    });
  }
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, said };
}
