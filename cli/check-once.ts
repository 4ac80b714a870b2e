import { collectBatch } from '#lib/collect/collect.ts';
import type { Config } from '#lib/config/config.ts';
import { folderLake } from '#lib/lake/folder/folder-lake.ts';
import { list } from '#lib/list/list.ts';
import { plan } from '#lib/plan/plan.ts';
import { readBatch, writeBatches } from '#lib/run/batch.ts';
import type { ListEvent } from '#lib/run/payloads.ts';
import type { ApiServices } from '#lib/runtime/services.ts';
import type { Schema } from '#lib/schema/schema.ts';
import { sideBySide } from '#lib/side-by-side.ts';
import { start } from '#lib/start/start.ts';
import { sweep } from '#lib/sweep/sweep.ts';
import { type Checked, readChecked } from './checked.ts';
import { LOCAL_HOLDER } from './local-holder.ts';
import type { ReplayedCalls } from './replayed-calls.ts';

/** Some parents have no children, so one is not enough. */
const PARENTS_ASKED = 5;

export interface CheckOnceOptions {
  readonly replayed: ReplayedCalls;
  /** By source: the parents that it requests children for. Those of the time before come first. */
  readonly sampled: Map<string, readonly string[]>;
  /** What a lake knows about columns. */
  readonly known: Schema | undefined;
}

/** Runs list, a small batch of collect, and plan in a temporary lake. Returns what they found about each listing. */
export async function checkOnce(
  config: Config,
  { replayed, sampled, known }: CheckOnceOptions,
): Promise<readonly Checked[]> {
  await using scratch = await replayed.services.lake.scratch();
  const services = { ...replayed.services, lake: folderLake(scratch.path) };
  const started = await start({}, { ...services, ...LOCAL_HOLDER, config });
  if (started.kind !== 'started') throw new Error('a new lake has no run');
  const { input } = started;
  const { runId, attempt } = input;
  await sideBySide(config.sources, config.sources.length, async ({ name: source }) => {
    const before = sampled.get(source) ?? [];
    sampled.set(source, await sampleSource({ runId, attempt, source }, { before, services }));
  });
  await plan({ runId, attempt }, services);
  return await readChecked(config, { services, input, known, calls: replayed.calls });
}

/** Requests the listings of a source, and the children of a few parents. Returns those parents. */
async function sampleSource(
  event: ListEvent,
  { before, services }: { readonly before: readonly string[]; readonly services: ApiServices },
): Promise<readonly string[]> {
  const { batches } = await list(event, services);
  if (batches.length === 0) return [];
  const place = { ...event, pass: 0 };
  const rank = (id: string) => (before.includes(id) ? 0 : 1);
  const sample = (await readBatch(services.lake, { ...place, batch: 0 })).map((group) => ({
    ...group,
    parents: group.parents.toSorted((a, b) => rank(a) - rank(b)).slice(0, PARENTS_ASKED),
  }));
  await writeBatches(services.lake, place, [sample]);
  if ((await collectBatch({ ...place, batch: 0, width: 1 }, services)) === 1) {
    // As in a run: a failure may pass, and what one answer proves helps to read the others.
    const again = await sweep(place, services);
    for (const batch of again.batches) await collectBatch({ ...event, ...again, batch }, services);
  }
  return [...new Set(sample.flatMap((group) => group.parents))];
}
