import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { folderLake } from '#lib/lake/folder/folder-lake.ts';
import { openTables } from '#lib/views/open-tables.ts';
import { type FixtureServer, startFixtureServer } from '#simulator/fixture-server.ts';
import { labSettings } from '../support/export-lab.ts';
import { SIGNAGE } from '../support/fixture-lab.ts';

const RECORDS = 1_000_000;
const PEAK_KIB = 1.5 * 1024 * 1024;

/** One answer of some 190 MB: numbers that need mending, times, text and an object a record. */
function millionRecords(): Buffer {
  const pieces: Buffer[] = [Buffer.from('[')];
  for (let from = 0; from < RECORDS; from += 10_000) {
    const some = Array.from({ length: 10_000 }, (_, index) => {
      const id = from + index;
      const time = new Date(1_700_000_000_000 + id * 1000).toISOString();
      const exact = id % 1000 === 0 ? ',"Exact":1234567890123456789012.5' : '';
      return `{"Id":${id},"Name":"Gruppe ${id} Süd","AppCount":${id % 97},"Created":"${time}","IsDefault":${id % 2 === 0},"Size":{"Width":${id % 4096},"Height":1080}${exact}}`;
    });
    pieces.push(Buffer.from(`${from === 0 ? '' : ','}${some.join(',')}`));
  }
  return Buffer.concat([...pieces, Buffer.from(']')]);
}

let folder: string;
let server: FixtureServer;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'signage-export-'));
  const empty = { body: '[]' };
  const routes = { [`${SIGNAGE}/Licenses`]: empty, [`${SIGNAGE}/Players`]: empty };
  server = await startFixtureServer({
    routes: { ...routes, [`${SIGNAGE}/AppGroups`]: { body: millionRecords() } },
  });
});
afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true, force: true });
});

/** The most memory that the process ever held, in KiB, as Linux counts it. */
function peakOf(pid: number): number {
  try {
    return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0);
  } catch {
    return 0;
  }
}

it('1,000,000 records in one answer are exported in a process of under 1.5 GiB', async () => {
  const { sources, ...config } = labSettings(server.url) as { sources: readonly object[] };
  const [signage] = sources;
  await writeFile(
    join(folder, 'config.json'),
    JSON.stringify({ ...config, sources: [{ ...signage, resources: { app_groups: { complete: true } } }] }),
  );
  await writeFile(join(folder, 'secrets.json'), JSON.stringify({ 'lab/berlin': { apiKey: 'fixture-key' } }), {
    mode: 0o600,
  });
  const place = ['config', 'secrets', 'lake'].flatMap((name) => [
    `--${name}`,
    join(folder, name === 'lake' ? name : `${name}.json`),
  ]);
  const run = spawn(process.execPath, ['cli/bin.ts', 'run', '--json', ...place], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let peak = 0;
  const watch = setInterval(() => {
    peak = Math.max(peak, peakOf(run.pid ?? 0));
  }, 200);
  let said = '';
  run.stdout.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  await once(run, 'close');
  clearInterval(watch);
  const summary = JSON.parse(said);
  process.stderr.write(`peak ${Math.round(peak / 1024)} MiB, ${summary.durationSeconds} s\n`);
  const due = { app_groups: { rows: RECORDS, rejected: 0 } };
  expect(summary).toMatchObject({ status: 'complete', tables: due });
  expect(peak).toBeGreaterThan(0);
  expect(peak).toBeLessThan(PEAK_KIB);
  using tables = await openTables(folderLake(join(folder, 'lake')));
  const { rows } = await tables.query(
    'select count(*), count(distinct record_key), sum(app_count), count(exact), max(size_width) from app_groups',
  );
  const sum = Array.from({ length: RECORDS }, (_, id) => id % 97).reduce((a, b) => a + b, 0);
  expect(rows).toEqual([[RECORDS, RECORDS, sum, RECORDS / 1000, 4095]]);
}, 900_000);
