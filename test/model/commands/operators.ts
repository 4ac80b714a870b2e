import fc from 'fast-check';
import { COLUMN_TYPES } from '#lib/column-types.ts';
import { applyType } from '#lib/repair/apply-type.ts';
import { newMaskKey } from '#lib/repair/new-mask-key.ts';
import { rebuild } from '#lib/repair/rebuild.ts';
import { rollback } from '#lib/repair/rollback.ts';
import { type ModelRun, withRun } from '../reference-lake.ts';
import type { StepServices } from '../world.ts';
import { afterRun, command, configOf, says } from './model.ts';
import { deaths, later, operate, perform, waits } from './perform.ts';

export const rebuilds = fc
  .record({ back: fc.integer({ min: 0, max: 6 }), death: deaths, hours: waits })
  .map((given) =>
    afterRun(says('rebuild', given), async (model, world) => {
      later(world, given.hours);
      const from = model.runs.at(-1 - given.back)?.date ?? model.runs[0]?.date ?? '';
      const config = configOf(world, model.settings);
      const act = (services: StepServices) => rebuild(from, { ...services, config });
      const mayRefuse = ['REBUILD_IMPOSSIBLE'];
      // Made again, its changes are those of values as that attempt read them.
      const effect = async () => {
        const first = model.runs.findIndex(({ date }) => date >= from);
        let runs: readonly ModelRun[] = model.runs[first]?.history ?? [];
        for (const run of model.runs.slice(first)) {
          const rules = world.schemaOf(run.runId).tables;
          model.rules.push(rules);
          runs = withRun(runs, { ...run, isExpired: false, rules });
        }
        model.runs = runs;
      };
      await perform(model, world, { name: 'rebuild', death: given.death, mayRefuse, act, effect });
    }),
  );

export const rollbacks = fc
  .record({ back: fc.constantFrom(1, 1, 2, 4), death: deaths, hours: waits })
  .map((given) =>
    command(
      says('rollback', given),
      async (model, world) => {
        later(world, given.hours);
        const index = model.runs.length - 1 - given.back;
        const runId = model.runs[index]?.runId ?? '';
        const config = configOf(world, model.settings);
        const act = (services: StepServices) => rollback(runId, { ...services, config });
        const effect = () => {
          const target = model.runs[index];
          // Its date may have left the daily tables since, and is back.
          if (target !== undefined) model.runs = [...target.history, { ...target, isExpired: false }];
        };
        const mayRefuse = ['ROLLBACK_IMPOSSIBLE'];
        await perform(model, world, { name: 'rollback', death: given.death, mayRefuse, act, effect });
      },
      (model) => model.runs.length > given.back,
    ),
  );

export const applies = fc
  .record({
    table: fc.constantFrom('players' as const, 'screens' as const),
    pick: fc.nat(20),
    type: fc.constantFrom(...COLUMN_TYPES),
    acceptLoss: fc.boolean(),
    death: deaths,
    hours: waits,
  })
  .map((given) =>
    afterRun(says('apply', given), async (model, world) => {
      const { tables } = await world.schema();
      const columns = tables[given.table]?.columns.filter(({ name }) => name !== 'id') ?? [];
      const column = columns[given.pick % columns.length]?.name;
      if (column === undefined) return;
      later(world, given.hours);
      const config = configOf(world, model.settings);
      const act = (services: StepServices) => applyType({ ...given, column }, { ...services, config });
      const step = { name: 'apply', death: given.death, act, effect: () => {} };
      await perform(model, world, { ...step, mayRefuse: ['HISTORY_LOST'] });
    }),
  );

let keys = 0;

export const newKeys = fc.record({ acceptLoss: fc.boolean(), death: deaths, hours: waits }).map((given) =>
  command(
    says('new key', given),
    async (model, world) => {
      later(world, given.hours);
      const config = configOf(world, model.settings);
      const before = world.maskKey;
      keys += 1;
      const key = `key of masks, number ${keys}`;
      await operate(model, world, {
        name: 'new key',
        death: given.death,
        mayRefuse: ['HISTORY_LOST'],
        act: (services: StepServices) => {
          world.maskKey = key;
          return newMaskKey(given, { ...services, config });
        },
        effect: () => {
          model.hasNewKey = true;
        },
        undo: () => {
          world.maskKey = before;
        },
      });
    },
    (model) => model.runs.length > 0 && model.masked.size > 0,
  ),
);
