import { renameSync, writeFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { folderLake } from '#lib/lake/folder/folder-lake.ts';
import { type Secrets, type Simulator, startSimulator } from '#simulator/server.ts';
import { createChance } from './chance.ts';
import { DAYS, killedRun, plainRun, startReader } from './chaos-processes.ts';
import { provePromises } from './chaos-proofs.ts';
import { READ_TABLES } from './chaos-reader.ts';
import { contentHash } from './content-hash.ts';

export interface SeedTold {
  readonly profile: string;
  readonly faults: string;
  readonly kills: number;
  readonly readings: number;
  /** The promises that were broken, and how. */
  readonly broken: readonly string[];
}

const PROFILES = ['reference', 'camel-local', 'paged-standard', 'marker', 'cursor', 'limit-skip'];
/** Faults that pass; each meets some calls of every run. */
const PASSING = [
  '500:0.05',
  'reset:0.03',
  'truncate:0.03',
  'cut-json:0.03',
  'html200:0.03',
  '429:0.02@after=1',
  '503:0.03',
  'error200:0.03',
  'echo:0.03',
  'rotate@from=20',
];
/** Faults that always meet the same parents. */
const STAYING = ['', 'gone:0.06', 'denied:0.03', 'gone:0.05,denied:0.03'];

/** One seed: a lake of undisturbed runs and one of killed runs. Both must tell the simulator's truth. */
export async function chaosSeed(options: {
  readonly seed: number;
  readonly folder: string;
}): Promise<SeedTold> {
  const { seed, folder } = options;
  const chance = createChance(seed);
  const profile = chance.oneOf(PROFILES);
  const staying = chance.oneOf(STAYING);
  const passing = PASSING.filter(() => chance.number() < 0.4);
  const faults = [...passing, staying].filter((text) => text !== '').join(',');
  const place = (name: string) => join(folder, name);
  let simulator: Simulator | undefined;
  let secrets: Secrets | undefined;
  const known: string[] = [];
  const writeSecrets = (now: Secrets) => {
    secrets = now;
    known.push(now.signage.apiKey, now.backup.accessToken);
    // Replaced as a whole, for a run may read it at this moment.
    const text = JSON.stringify({ 'chaos/berlin': now.signage, 'chaos/vault': now.backup });
    writeFileSync(place('secrets.new'), text, { mode: 0o600 });
    renameSync(place('secrets.new'), place('secrets.json'));
  };
  try {
    simulator = await startSimulator({ players: 60, seed, profile, pageSize: 20, onRotate: writeSecrets });
    writeSecrets(secrets ?? simulator.secrets);
    await mkdir(place('undisturbed'), { recursive: true });
    await writeFile(place('config.json'), JSON.stringify(configOf(simulator.url)));

    const wanted: Readonly<Record<string, string>>[] = [];
    const codes: (number | null)[] = [];
    for (const [day, time] of DAYS.entries()) {
      simulator.day = day;
      await simulator.setFaults(staying);
      codes.push((await plainRun({ folder, lake: 'undisturbed', time })).code);
      wanted.push(await contentHash(folderLake(place('undisturbed')), READ_TABLES));
    }
    const all = await contentHash(folderLake(place('undisturbed')));

    await using reader = startReader(place('killed'));
    const broken: string[] = [];
    let said = '';
    let kills = 0;
    for (const [day, time] of DAYS.entries()) {
      simulator.day = day;
      await simulator.setFaults(faults);
      const run = await killedRun({ folder, lake: 'killed', time, chance });
      kills += run.kills;
      said += run.said;
      if (run.code !== codes[day])
        broken.push(`R6: day ${day} ended with ${run.code}, undisturbed with ${codes[day]}`);
    }
    const readings = await reader.end();
    broken.push(
      ...(await provePromises({
        simulator,
        folder,
        staying,
        said: said + JSON.stringify(readings),
        secrets: known,
        readings,
        wanted,
        undisturbed: all,
      })),
    );
    return { profile, faults, kills, readings: readings.length, broken };
  } finally {
    await simulator?.close();
  }
}

function configOf(url: string): object {
  const fast = { baseUrl: url, concurrency: 20, requestsPerSecond: null };
  return {
    name: 'chaos',
    timeZone: 'Europe/Berlin',
    minCoverage: 0.9,
    sources: [
      { name: 'berlin', kind: 'signage', secret: 'chaos/berlin', ...fast },
      { name: 'vault', kind: 'backup', accountId: '1042', secret: 'chaos/vault', ...fast },
    ],
  };
}
