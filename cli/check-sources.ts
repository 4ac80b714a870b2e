import { join } from 'node:path';
import { list } from '#functions/list.ts';
import { plan } from '#functions/plan.ts';
import { start } from '#functions/start.ts';
import { sweep } from '#functions/sweep.ts';
import { collectBatch } from '#lib/collect/collect.ts';
import type { Config } from '#lib/config/config.ts';
import { mergeTrees } from '#lib/config/setting-tree.ts';
import { folderLake } from '#lib/lake/folder/folder-lake.ts';
import { readBatch, writeBatches } from '#lib/run/batch.ts';
import type { ExecutionInput } from '#lib/run/payloads.ts';
import { processHasEnded, thisProcess } from '#lib/runtime/holder.ts';
import type { ApiServices } from '#lib/runtime/services.ts';
import { sideBySide } from '#lib/side-by-side.ts';
import { kindNamed } from '#lib/sources/kinds.ts';
import { atAnsweringPaths, missingPaths, type Round } from './answering-paths.ts';
import { type Called, type Checked, readChecked } from './checked.ts';
import { type SuggestedSettings, suggestedSettings } from './suggested-settings.ts';

/** The listings, those below the storages that they show, and a last look at these. */
const ROUNDS = 3;

export interface Check {
  /** As the config has them. */
  readonly listings: readonly Checked[];
  readonly settings: SuggestedSettings;
}

/** Checks every source; those whose listings were found at other paths once more there, for what is to be set besides. */
export async function checkSources(config: Config, services: ApiServices): Promise<Check> {
  await using scratch = await services.lake.scratch();
  const settings: SuggestedSettings[] = [];
  let listings: readonly Checked[] | undefined;
  for (let round = 1, now = config; round <= ROUNDS && now.sources.length > 0; round++) {
    const own = { ...services, lake: folderLake(join(scratch.path, `round-${round}`)) };
    const checked = await checkOnce(now, own);
    const missing = await missingPaths(checked, services);
    listings ??= checked.listings;
    settings.push(suggestedSettings(checked.listings, missing));
    now = atAnsweringPaths(now, missing);
  }
  return { listings: listings ?? [], settings: mergeTrees(settings) };
}

/** Runs list, a small batch of collect, and plan in a lake of their own, which is thrown away. */
async function checkOnce(config: Config, services: ApiServices): Promise<Round> {
  const started = await start(
    {},
    { ...services, config, holder: thisProcess(), holderHasEnded: processHasEnded },
  );
  if (started.kind !== 'started') return { config, listings: [], calls: [] };
  const { input } = started;
  const calls: Called[] = [];
  const noting = withCalls(services, (call) => calls.push(call));
  await sideBySide(config.sources, config.sources.length, ({ name, kind }) =>
    sampleSource({ ...input, source: name }, { services: noting, parents: kindNamed(kind).sampledParents }),
  );
  await plan({ runId: input.runId, attempt: input.attempt }, services);
  return { config, listings: await readChecked({ lake: services.lake, input, config, calls }), calls };
}

/** The services, whose clients tell what they called. */
function withCalls(services: ApiServices, note: (call: Called) => void): ApiServices {
  const client: ApiServices['client'] = (source, width) => {
    const own = services.client(source, width);
    return {
      ...own,
      get: async (target, options) => {
        const reply = await own.get(target, options);
        note({ ...target, source: source.name, status: reply.status, latencyMs: reply.latencyMs });
        return reply;
      },
    };
  };
  return { ...services, client };
}

async function sampleSource(
  event: Pick<ExecutionInput, 'runId' | 'attempt'> & { readonly source: string },
  { services, parents }: { readonly services: ApiServices; readonly parents: number },
): Promise<void> {
  const { batches } = await list(event, services);
  if (batches.length === 0) return;
  const place = { ...event, pass: 0 };
  const groups = await readBatch(services.lake, { ...place, batch: 0 });
  const sample = groups.map((group) => ({ ...group, parents: group.parents.slice(0, parents) }));
  await writeBatches(services.lake, place, [sample]);
  if ((await collectBatch({ ...place, batch: 0, width: 1 }, services)) === 0) return;
  // As a run does: what failed may pass, and what one answer proves others are read by.
  const again = await sweep(place, services);
  for (const batch of again.batches) await collectBatch({ ...event, ...again, batch }, services);
}
