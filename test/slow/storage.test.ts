import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdtemp, readFile, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTables } from '#lib/views/open-tables.ts';
import { startSimulator } from '#simulator/server.ts';
import { type KillLab, killLab } from '../support/kill-lab.ts';

const DAY_1 = '2026-11-20T03:00:00Z';
const DAY_2 = '2026-11-21T03:00:00Z';
const CHILD = fileURLToPath(new URL('../support/children/export.ts', import.meta.url));

let simulator: Awaited<ReturnType<typeof startSimulator>>;
beforeAll(async () => {
  simulator = await startSimulator({ players: 40, seed: 9 });
});
afterAll(() => simulator.close());

/** Folders of a lake with one day in it, and of one whose second day was killed in publish. */
let oneDay: string;
let halfDone: string;
const newFolder = () => mkdtemp(join(tmpdir(), 'signage-export-'));
beforeAll(async () => {
  [oneDay, halfDone] = [await newFolder(), await newFolder()];
  const lab = await killLab(oneDay, simulator);
  expect(await lab.run(DAY_1)).toMatchObject({ signal: null });
  await cp(oneDay, halfDone, { recursive: true });
  const killed = await killLab(halfDone, simulator);
  expect((await killed.run(DAY_2, { stage: 'publish', nth: 2 })).signal).toBe('SIGKILL');
});

/** A copy of one of them. */
async function lakeOfADay({ isHalfDone = false }: { readonly isHalfDone?: boolean } = {}) {
  const folder = await newFolder();
  await cp(isHalfDone ? halfDone : oneDay, folder, { recursive: true });
  const lab = await killLab(folder, simulator);
  return { folder, lab, path: (name: string) => join(folder, 'lake', name) };
}

async function answers(lab: KillLab): Promise<number> {
  const sql = 'select count(*) from screens';
  using tables = await openTables(lab.lake, { sql });
  return Number((await tables.query(sql)).rows[0]?.[0]);
}

async function keysBelow(lab: KillLab, prefix: string): Promise<readonly string[]> {
  const keys: string[] = [];
  for await (const { key } of lab.lake.list(prefix)) keys.push(key);
  return keys;
}

describe('where storage fails, the error is clear and the last commit answers', { timeout: 60_000 }, () => {
  it('a disk that is full', async () => {
    const { folder, lab } = await lakeOfADay();
    const screens = await answers(lab);
    // No file beyond 4 × 512 bytes: the nearest to a full disk that needs no rights.
    const words = ['-c', 'ulimit -f 4 && exec "$0" "$@"', process.execPath, CHILD, folder, DAY_2];
    const child = spawn('sh', words);
    let said = '';
    child.stderr.on('data', (text) => {
      said += text;
    });
    const [code] = await once(child, 'close');
    expect(code).not.toBe(0);
    expect(said).toMatch(/LAKE_FULL|No space is left/);
    expect(await answers(lab)).toBe(screens);
    expect((await lab.run(DAY_2)).signal).toBe(null);
    expect(await keysBelow(lab, 'tables/screens/export_date=2026-11-21/')).toHaveLength(1);
  });

  it('a raw file that is cut short', async () => {
    const { lab, path } = await lakeOfADay({ isHalfDone: true });
    const screens = await answers(lab);
    const [key = ''] = await keysBelow(lab, 'raw/20261121T030000Z/berlin/screens/');
    await truncate(path(key), 1000);
    const { said } = await lab.run(DAY_2);
    expect(said).toContain('RAW_CORRUPT');
    expect(said).toContain(key);
    expect(await answers(lab)).toBe(screens);
    await lab.lake.remove([key]);
    simulator.stats.reset();
    expect(JSON.parse((await lab.run(DAY_2)).said)).toMatchObject({ status: 'complete' });
    expect(Object.keys(simulator.stats.byResource)).toEqual(['screens']);
  });

  it.each(['config.json', '2/plan.json'])('a half-written %s', async (name) => {
    const { lab, path } = await lakeOfADay({ isHalfDone: true });
    const file = path(`state/runs/20261121T030000Z/${name}`);
    const whole = await readFile(file);
    await writeFile(file, whole.subarray(0, whole.length / 2));
    const screens = await answers(lab);
    const { said } = await lab.run(DAY_2);
    // What an attempt wrote for itself, the next one does not read.
    if (name.startsWith('2/')) return expect(JSON.parse(said)).toMatchObject({ status: 'complete' });
    for (const word of ['STATE_CORRUPT', name]) expect(said).toContain(word);
    expect(await answers(lab)).toBe(screens);
    await lab.lake.remove([`state/runs/20261121T030000Z/${name}`]);
    expect((await lab.run(DAY_2)).said).toContain('"status":"complete"');
  });
});
