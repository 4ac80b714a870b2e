import fc from 'fast-check';
import { namedFiles } from '#lib/lake/named-files.ts';
import { purge } from '#lib/repair/purge/purge.ts';
import { withoutSource } from '../reference-lake.ts';
import type { StepServices, World } from '../world.ts';
import { afterRun, configOf, SOURCES, says } from './model.ts';
import { deaths, later, perform, waits } from './perform.ts';

export const purges = fc
  .record({ source: fc.constantFrom(...SOURCES), death: deaths, hours: waits })
  .map(({ source, death, hours }) =>
    afterRun(says('purge', { source, death, hours }), async (model, world) => {
      later(world, hours);
      const config = configOf(world, model.settings);
      const step = {
        name: 'purge',
        mayRefuse: ['SOURCE_UNKNOWN'],
        act: (services: StepServices) => purge(source, { ...services, config }),
        effect: () => {
          model.runs = withoutSource(model.runs, source);
        },
      };
      await perform(model, world, { ...step, death });
      // One that was killed after its commit has not removed all raw yet.
      if (death !== undefined)
        await perform(model, world, { ...step, name: 'purge again', death: undefined });
      const left = await leftOf(source, world);
      if (left.length > 0) throw new Error(`after its purge ${source} is left in ${left.slice(0, 5)}`);
    }),
  );

/** Where a source is that was purged: in raw, in a head that a rollback may commit, or in a file that such a head names. */
async function leftOf(source: string, world: World): Promise<readonly string[]> {
  const found = [...(await world.keptRaw())].filter((raw) => raw.split(' ')[1] === source);
  const files = new Set((await world.tableFiles()).map(({ table, date, run }) => `${table} ${date} ${run}`));
  for (const head of await world.heads()) {
    const { runId, sources, dialects } = head;
    if (sources.includes(source) || dialects[source] !== undefined) found.push(`the head of ${runId}`);
    for (const named of namedFiles(head)) {
      const place = `${named.table} ${named.date} ${named.run}`;
      if (!files.has(place)) continue;
      const rows = await world.rowsIn(named);
      if (rows.some((row) => row.export_source === source))
        found.push(`${place}, named by the head of ${runId}`);
    }
  }
  return found;
}
