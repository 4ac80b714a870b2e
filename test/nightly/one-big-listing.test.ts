import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';

const PLAYERS = 300_001;
const PEAK_KIB = 1.5 * 1024 * 1024;

let folder: string;
const children: { readonly kill: () => void }[] = [];
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'signage-export-'));
});
afterAll(async () => {
  for (const child of children) child.kill();
  await rm(folder, { recursive: true, force: true });
});

/** The command as its users start it, which sets the memory of a run by itself. */
function cli(...args: readonly string[]) {
  const child = spawn(process.execPath, ['cli/bin.ts', ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  children.push({ kill: () => child.kill() });
  return child;
}

async function firstLine(child: ReturnType<typeof cli>): Promise<string> {
  for await (const chunk of child.stdout) return String(chunk).split('\n')[0] ?? '';
  throw new Error('the process ended without a line');
}

/** The most memory that the process ever held, in KiB, as Linux counts it. */
function peakOf(pid: number): number {
  return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0);
}

it('300,000 players in one answer are exported whole in a process of under 1.5 GiB', async () => {
  const { url, secrets } = JSON.parse(
    await firstLine(cli('simulate', '--players', String(PLAYERS), '--port', '0', '--json')),
  );
  const source = {
    name: 'big',
    kind: 'signage',
    baseUrl: url,
    secret: 'key',
    concurrency: 50,
    requestsPerSecond: null,
  };
  await writeFile(join(folder, 'config.json'), JSON.stringify({ name: 'big', sources: [source] }));
  await writeFile(join(folder, 'secrets.json'), JSON.stringify({ key: secrets.signage }), { mode: 0o600 });
  const run = cli(
    'run',
    '--json',
    '--config',
    join(folder, 'config.json'),
    '--secrets',
    join(folder, 'secrets.json'),
    '--lake',
    join(folder, 'lake'),
  );
  let peak = 0;
  const watch = setInterval(() => {
    if (run.pid !== undefined && run.exitCode === null) peak = Math.max(peak, peakOf(run.pid));
  }, 200);
  const summary = JSON.parse(await firstLine(run));
  clearInterval(watch);
  expect(summary).toMatchObject({ status: 'complete' });
  expect(summary.tables.players.rows).toBe(PLAYERS);
  expect(peak).toBeGreaterThan(0);
  expect(peak).toBeLessThan(PEAK_KIB);
  process.stderr.write(
    `peak ${Math.round(peak / 1024)} MiB, ${summary.durationSeconds} s, ${summary.requests} requests\n`,
  );
}, 900_000);
