import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { measure, serve } from '../child.ts';
import { medianOf, timed } from '../children/report.ts';
import type { Extent } from '../extent.ts';
import type { Figure } from '../figures.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const PROGRAM = join(ROOT, 'dist', 'signage-export.js');
const TIMES = 5;
const CONCURRENCY = 50;
const LATENCY_MS = 20;
/** The calls that a run makes in addition to two of each player. */
const LISTINGS = 3;

/**
 * The installed program from its first instruction to its end. It is compared with a Node that does nothing, and with
 * the time of the calls alone. Builds dist/ first.
 */
export async function benchStart({ isQuick, folder }: Extent): Promise<readonly Figure[]> {
  node([join(ROOT, 'scripts', 'build.ts')]);
  const nothing = await median(['-e', '0']);
  const floor = { name: 'node -e 0', value: nothing };
  const figures: Figure[] = [];
  const add = async (name: string, { most, words }: { most: number; words: readonly string[] }) =>
    figures.push({
      section: 'start',
      name,
      value: await median([PROGRAM, ...words]),
      unit: 's',
      floor,
      goal: { of: 'over', most },
    });
  const lake = folder();
  node([PROGRAM, 'demo', '--lake', lake]);
  await add('--version', { most: 0.2, words: ['--version'] });
  await add('--help', { most: 0.2, words: ['--help'] });
  await add('status', { most: 0.5, words: ['status', '--lake', lake] });
  await add('query', { most: 0.5, words: ['query', 'select count(*) from screens', '--lake', lake] });
  for (const players of isQuick ? [1010] : [1010, 10_010])
    figures.push(...(await wholeRun(players, folder())));
  return figures;
}

/** `run` as a process, behind its calls alone, as a script makes them that does nothing with the answers: a machine makes them no sooner. */
async function wholeRun(players: number, place: string): Promise<readonly Figure[]> {
  using server = await serve({ players, latencyMs: LATENCY_MS });
  const ideal = ((2 * players + LISTINGS) * LATENCY_MS) / CONCURRENCY / 1000;
  const calls = { url: server.url, key: server.key, concurrency: CONCURRENCY };
  mkdirSync(place, { recursive: true });
  const files = { config: join(place, 'config.json'), secrets: join(place, 'secrets.json') };
  const source = { name: 'lab', kind: 'signage', secret: 'lab', baseUrl: server.url };
  const config = {
    name: 'lab',
    sources: [{ ...source, concurrency: CONCURRENCY, requestsPerSecond: null }],
  };
  writeFileSync(files.config, JSON.stringify(config));
  writeFileSync(files.secrets, JSON.stringify({ lab: { apiKey: server.key } }), { mode: 0o600 });
  const words = ['run', '--config', files.config, '--secrets', files.secrets];
  const times = players < 5000 ? TIMES : 1;
  const alone = await medianOf(
    times,
    async () => (await measure<{ seconds: number }>('undici-loop', calls)).seconds,
  );
  const value = await medianOf(times, (index) =>
    timed(async () => node([PROGRAM, ...words, '--lake', join(place, `lake-${index}`)])),
  );
  const figure = { unit: 's', floor: { name: 'ideal', value: ideal } } as const;
  const name = `${players} players, ${LATENCY_MS} ms`;
  return [
    { ...figure, section: 'its calls alone', name, value: alone },
    {
      ...figure,
      section: 'run, with its start',
      name,
      value,
      goal: players < 5000 ? { of: 'value', most: 1.6 } : { of: 'ratio', most: 1.25 },
    },
  ];
}

const median = (words: readonly string[]) => medianOf(TIMES, () => timed(async () => node(words)));

function node(words: readonly string[]): void {
  const { status, stderr } = spawnSync(process.execPath, words, { cwd: ROOT, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${words.join(' ')} ended with ${status}: ${stderr}`);
}
