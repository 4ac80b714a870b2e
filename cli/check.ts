import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Command } from 'commander';
import { list } from '#functions/list.ts';
import { plan } from '#functions/plan.ts';
import { start } from '#functions/start.ts';
import { readBatch, writeBatches } from '#lib/collect/batch.ts';
import { collectBatch } from '#lib/collect/collect.ts';
import type { Config } from '#lib/config/config.ts';
import { readConfig } from '#lib/config/parse-config.ts';
import { folderLake } from '#lib/lake/folder-lake.ts';
import { allEnded } from '#lib/runtime/all-ended.ts';
import { processHasEnded, thisProcess } from '#lib/runtime/holder.ts';
import type { ExecutionInput } from '#lib/runtime/payloads.ts';
import type { ApiServices } from '#lib/runtime/services.ts';
import { type Checked, readChecked } from './checked.ts';
import { EXIT } from './exit.ts';
import { localApiServices, localServices, openSecrets } from './local-services.ts';
import { optionsOf } from './options.ts';
import { printCheck } from './print-check.ts';
import { suggestedSettings } from './suggested-settings.ts';

/** Parents whose children are asked for: one may have none. */
const SAMPLED_PARENTS = 5;

/** `check`: every listing once, what was found, and what is still to be decided. Writes nothing. */
export function addCheck(program: Command): void {
  program
    .command('check')
    .description('call every listing once and say what was found; writes nothing')
    .action(async (_options: unknown, command: Command) => {
      const options = optionsOf(command, {});
      const config = await readConfig(options.config);
      const secrets = await openSecrets(options.secrets);
      const folder = await mkdtemp(join(tmpdir(), 'signage-export-check-'));
      try {
        await using services = localApiServices(localServices(folderLake(folder)), secrets);
        const checked = await checkSources(config, services);
        const settings = suggestedSettings(checked);
        if (options.json) process.stdout.write(`${JSON.stringify({ listings: checked, settings })}\n`);
        else printCheck(checked, options.config);
        process.exitCode = checked.every(({ ok }) => ok) ? EXIT.complete : EXIT.failed;
      } finally {
        await rm(folder, { recursive: true, force: true });
      }
    });
}

/** Runs list, a small batch of collect, and plan in a lake of their own, which is thrown away. */
export async function checkSources(config: Config, services: ApiServices): Promise<readonly Checked[]> {
  const started = await start(
    {},
    { ...services, config, holder: thisProcess(), holderHasEnded: processHasEnded },
  );
  if (started.kind !== 'started') return [];
  const { input } = started;
  const latencies: { source: string; path: string; ms: number }[] = [];
  const timed = withLatencies(services, (latency) => latencies.push(latency));
  await allEnded(input.sources.map((source) => sampleSource({ ...input, source }, timed)));
  await plan({ runId: input.runId, attempt: input.attempt }, services);
  return readChecked({ lake: services.lake, input, config, latencies });
}

/** The services, whose clients tell how long each answer took. */
function withLatencies(
  services: ApiServices,
  note: (latency: { readonly source: string; readonly path: string; readonly ms: number }) => void,
): ApiServices {
  const client: ApiServices['client'] = (source, width) => {
    const own = services.client(source, width);
    return {
      ...own,
      get: async (target, options) => {
        const reply = await own.get(target, options);
        note({ source: source.name, path: target.path, ms: reply.latencyMs });
        return reply;
      },
    };
  };
  return { ...services, client };
}

async function sampleSource(
  event: Pick<ExecutionInput, 'runId' | 'attempt'> & { readonly source: string },
  services: ApiServices,
): Promise<void> {
  const { batches } = await list(event, services);
  if (batches.length === 0) return;
  const place = { ...event, pass: 0 };
  const groups = await readBatch(services.lake, { ...place, batch: 0 });
  const sample = groups.map((group) => ({ ...group, parents: group.parents.slice(0, SAMPLED_PARENTS) }));
  await writeBatches(services.lake, place, [sample]);
  await collectBatch({ ...place, batch: 0, width: 1 }, services);
}
