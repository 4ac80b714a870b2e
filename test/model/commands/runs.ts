import fc from 'fast-check';
import { exportDate, runIdAt } from '#lib/run-id.ts';
import { exportOnce, repairOnce } from '../../support/runs.ts';
import { type Answered, type ModelRun, shownAfter, withRun } from '../reference-lake.ts';
import type { StepServices } from '../world.ts';
import { answersOf, faults, serve } from './answers.ts';
import { afterRun, command, configOf, HOUR_MS, inConfig, SOURCES, says } from './model.ts';
import { deaths, later, operate, perform, waits } from './perform.ts';

export const runs = fc
  .record({
    only: fc.option(fc.constantFrom(...SOURCES), { freq: 3 }),
    faults,
    death: deaths,
    hours: fc.constantFrom(1, 5, 5, 24, 24, 24, 55, 24 * 35),
    again: fc.boolean(),
  })
  .map((given) =>
    command(says('run', given), async (model, world) => {
      world.now = new Date(world.now.getTime() + given.hours * HOUR_MS);
      const runId = runIdAt(world.now);
      const names = inConfig(model.settings).map(({ name }) => name);
      const selected = names.filter((name) => given.only === null || name === given.only);
      if (selected.length === 0) return;
      const config = configOf(world, model.settings);
      serve(world, model.truth, given.faults);
      const answers = answersOf(model.truth, given.faults);
      const before = model.runs.at(-1)?.after;
      const unsure = unsureOf(before, await world.keptRaw());
      const effect = (rules: ModelRun['rules']) => {
        const date = exportDate(runId, 'UTC');
        const asked = { runId, date, sources: names, selected, answers, before, unsure };
        const days = model.settings.dailyRetentionDays;
        model.runs = withRun(model.runs, { ...asked, days, rules, after: shownAfter(asked) });
      };
      const act = async (services: StepServices) => {
        const acceptSourceRemoval = model.settings.sources.flatMap(({ name, isGone }) =>
          isGone ? [name] : [],
        );
        await exportOnce({ ...services, config }, { sources: selected, acceptSourceRemoval });
      };
      const step = { name: 'run', mayRefuse: [], act, effect };
      await perform(model, world, { ...step, death: given.death });
      if (given.again && given.death !== undefined && model.runs.at(-1)?.runId !== runId)
        await perform(model, world, { ...step, name: 'run again', death: undefined });
    }),
  );

/** TABLE KEY of the rows whose raw is gone. */
function unsureOf(tables: ModelRun['before'], raw: ReadonlySet<string>): ReadonlySet<string> {
  const rows = Object.entries(tables ?? {}).flatMap(([table, all]) =>
    [...all].map(([id, { run, source }]) => ({ place: `${table} ${id}`, raw: `${run} ${source} ${table}` })),
  );
  return new Set(rows.flatMap((row) => (raw.has(row.raw) ? [] : [row.place])));
}

export const repairs = fc.record({ faults, death: deaths, hours: waits }).map((given) =>
  afterRun(says('repair', given), async (model, world) => {
    later(world, given.hours);
    const last = model.runs.at(-1);
    if (last === undefined) return;
    const config = configOf(world, model.settings);
    serve(world, model.truth, given.faults);
    const now = answersOf(model.truth, given.faults);
    const effect = (rules: ModelRun['rules']) => {
      const answers = new Map(
        [...last.answers].map(([source, own]) => [
          source,
          repaired(own, now.get(source), world.answers.get(source)),
        ]),
      );
      const run = { ...last, answers };
      model.runs = withRun(last.history, { ...run, rules, after: shownAfter(run) });
    };
    const act = async (services: StepServices) => {
      await repairOnce({ ...services, config });
    };
    const step = { name: 'repair', mayRefuse: ['REPAIR_TOO_LATE'], act, effect };
    // What a killed repair got stays in raw, for the next to publish.
    await operate(model, world, { ...step, death: given.death });
  }),
);

/** What was failed or denied, as it is answered now; of a parent that is not listed any more the server has nothing. */
function repaired(before: Answered, now: Answered | undefined, served: Answered | undefined): Answered {
  if (now === undefined || before.players === 'failed') return now ?? before;
  const screens = new Map(before.screens);
  for (const [player, end] of before.screens) {
    if (end === 'failed' || end === 'denied')
      screens.set(player, now.screens.get(player) ?? served?.screens.get(player) ?? new Map());
  }
  return { ...before, screens };
}
