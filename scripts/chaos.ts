import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { chaosSeed } from './chaos-seed.ts';

/**
 * Runs the local pipeline with faults, once for each seed. Runs are killed at random points and started again, while a
 * reader asks the tables. Compares R1 to R9 with the simulator's truth, and exits with 1 if one is broken.
 */
const { values } = parseArgs({
  options: { seeds: { type: 'string', default: '10' }, from: { type: 'string', default: '1' } },
});
const from = Number(values.from);
const seeds = Number(values.seeds);
let broken = 0;
let kills = 0;
let readings = 0;
const begun = performance.now();
for (let seed = from; seed < from + seeds; seed++) {
  const folder = await mkdtemp(join(tmpdir(), `chaos-${seed}-`));
  try {
    const told = await chaosSeed({ seed, folder });
    kills += told.kills;
    readings += told.readings;
    broken += told.broken.length > 0 ? 1 : 0;
    const verdict = told.broken.length === 0 ? 'holds' : `BROKEN\n  ${told.broken.join('\n  ')}`;
    process.stdout.write(
      `seed ${seed}: ${told.profile}, ${told.faults}: ${told.kills} kills, ${told.readings} readings: ${verdict}\n`,
    );
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
const minutes = ((performance.now() - begun) / 60_000).toFixed(1);
process.stdout.write(
  `${seeds - broken} of ${seeds} seeds hold R1 to R9: ${kills} kills, ${readings} readings, ${minutes} minutes\n`,
);
process.exitCode = broken === 0 ? 0 : 1;
