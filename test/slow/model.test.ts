import fc from 'fast-check';
import { expect, it } from 'vitest';
import { FIRST_SETTINGS, type Model } from '../model/commands/model.ts';
import { sequences } from '../model/commands/sequences.ts';
import { ALL_KINDS, type Kind } from '../model/commands/themes.ts';
import { viewFaults } from '../model/view-faults.ts';
import { openWorld } from '../model/world.ts';

const SEQUENCES = Number(process.env['MODEL_SEQUENCES'] ?? 10);
/** The same sequences each time; `MODEL_SEED=N npm run model` draws others. */
const SEED = Number(process.env['MODEL_SEED'] ?? 379_652_033);
const PATH = process.env['MODEL_PATH'];
const KINDS = (process.env['MODEL_KINDS']?.split(',') ?? ALL_KINDS) as readonly Kind[];

it('random histories of runs, deaths and operators leave the tables that their answers say', {
  timeout: 36_000_000,
}, async () => {
  const counts = new Map<string, number>();
  const begun = Date.now();
  let sequencesRun = 0;
  await fc.assert(
    fc.asyncProperty(sequences(KINDS), async (commands) => {
      await using world = await openWorld(new Date('2026-03-01T03:00:00Z'));
      const truth: Model['truth'] = new Map(
        FIRST_SETTINGS.sources.map(({ name }) => [name, { players: new Map(), screens: new Map() }]),
      );
      sequencesRun += 1;
      const model: Model = {
        truth,
        settings: FIRST_SETTINGS,
        runs: [],
        dropped: new Set(),
        masked: new Set(),
        rules: [],
        lost: new Set(),
        hasNewKey: false,
        pending: undefined,
        counts,
      };
      for (const command of commands) if (command.check(model)) await command.run(model, world);
      expect(await viewFaults(world, model)).toEqual([]);
    }),
    {
      numRuns: SEQUENCES,
      seed: SEED,
      // Small and extreme values first would leave most steps out.
      unbiased: true,
      ...(PATH !== undefined && { path: PATH }),
      endOnFailure: process.env['MODEL_SHRINK'] === '0',
    },
  );
  const steps = [...counts].sort().map(([name, count]) => `${name}: ${count}`);
  process.stdout.write(
    `model: seed ${SEED}, ${sequencesRun} sequences, ${Math.round((Date.now() - begun) / 1000)} s; ${steps.join(', ')}\n`,
  );
  expect(counts.size).toBeGreaterThan(0);
});
