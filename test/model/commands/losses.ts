import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { ExportError } from '#lib/errors.ts';
import { lakeKey, lakePrefix, listKeys } from '#lib/lake/keys.ts';
import { recover } from '#lib/repair/recover.ts';
import { recoveryOf } from '#lib/repair/recovery-of.ts';
import { parseAttemptName, runTime } from '#lib/run-id.ts';
import { start } from '#lib/start/start.ts';
import { exportOnce } from '../../support/runs.ts';
import type { TableName } from '../reference-lake.ts';
import type { World } from '../world.ts';
import { afterRun, configOf, inConfig } from './model.ts';
import { compare, later } from './perform.ts';

/** What is lost: a file of an earlier day, or the raw answers of a run, a source or a listing. */
export const losses = fc
  .record({ what: fc.constantFrom('run', 'source', 'listing', 'day', 'day'), pick: fc.nat(30) })
  .map(({ what, pick }) =>
    afterRun(`lose(${what} ${pick})`, async (model, world) => {
      if (what !== 'day') {
        const kept = [...(await world.keptRaw())].sort();
        const [runId, source, listing] = kept[pick % kept.length]?.split(' ') ?? [];
        if (runId === undefined || source === undefined) return;
        const resource: TableName = listing === 'screens' ? listing : 'players';
        const lost = { run: { runId }, source: { runId, source }, listing: { runId, source, resource } };
        await world.lose(lakePrefix('raw', lost[what]));
        return;
      }
      const { tables = {}, exportDate: newest } = (await world.head()) ?? {};
      const days = ['players', 'screens'].flatMap((table) =>
        Object.entries(tables[table]?.dates ?? {}).flatMap(([date, { run, parts }]) =>
          date === newest || parts.length === 0 ? [] : [{ table, date, run }],
        ),
      );
      const lost = days[pick % days.length];
      if (lost === undefined) return;
      model.lost.add(`${lost.table} ${lost.date}`);
      await world.lose(
        lakePrefix('table', { table: lost.table, exportDate: lost.date, ...parseAttemptName(lost.run) }),
      );
    }),
  );

/**
 * The head is lost: a run is refused, and recover puts the last one back. Of a commit that was killed nobody knows any more
 * whether it was done: then it is.
 */
export const lostHeads = fc.constant(
  afterRun('the head is lost', async (model, world) => {
    const before = await world.head();
    const copy = await world.lake.read(lakeKey('head'));
    // The only commit of a lake may have no copy yet: then the next run begins.
    if (before === undefined || !(await hasCopies(world))) return;
    await world.lose(lakeKey('head'));
    later(world, 0);
    const config = configOf(world, model.settings);
    const scheduledTime = world.now.toISOString();
    const sources = inConfig(model.settings).map(({ name }) => name);
    const run = world.step(undefined, (services) =>
      start({ scheduledTime, sources }, { ...services, config }),
    );
    const refusal = await run.then(
      () => 'started',
      (error: unknown) => (error instanceof ExportError ? `${error.code} ${error.message}` : String(error)),
    );
    if (!refusal.startsWith('HEAD_MISSING ')) throw new Error(`a start without the head: ${refusal}`);
    const { pending } = model;
    // Where files were lost, an earlier head may be the newest that is whole.
    if (model.lost.size > 0 && copy !== undefined)
      return void (await world.lake.write(lakeKey('head'), copy.bytes));
    await world.step(undefined, async (services) => {
      const found = await recoveryOf(services.lake, config);
      if (found === undefined) throw new Error('a lake without its head is sound');
      await recover(found, { ...services, config });
    });
    const after = await world.head();
    if (after?.schema === before.schema && isDeepStrictEqual(after.tables, before.tables)) return;
    if (pending === undefined || after === undefined || after.attempt <= before.attempt)
      throw new Error('another head came back');
    model.pending = undefined;
    const { tables } = await world.schema();
    model.rules.push(tables);
    await pending(tables);
    await compare(model, world);
  }),
);

async function hasCopies(world: World): Promise<boolean> {
  for await (const _ of listKeys(world.lake, 'runHead')) return true;
  return false;
}

/** The committed run is started again: not a byte changes. */
export const restarts = fc.constant(
  afterRun('the committed run is started again', async (model, world) => {
    later(world, 0);
    const config = configOf(world, model.settings);
    const before = await world.objects();
    const scheduledTime = runTime(model.runs.at(-1)?.runId ?? '').toISOString();
    await world.step(undefined, (services) => exportOnce({ ...services, config }, { scheduledTime }));
    const after = await world.objects();
    const changed = [...new Set([...before.keys(), ...after.keys()])].filter(
      (key) => before.get(key) !== after.get(key),
    );
    if (changed.length > 0) throw new Error(`a committed run that was started again changed ${changed}`);
  }),
);
