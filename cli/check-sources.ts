import { join } from 'node:path';
import { list } from '#functions/list.ts';
import { plan } from '#functions/plan.ts';
import { start } from '#functions/start.ts';
import { sweep } from '#functions/sweep.ts';
import { collectBatch } from '#lib/collect/collect.ts';
import type { Config } from '#lib/config/config.ts';
import { parseConfig } from '#lib/config/parse-config.ts';
import { folderLake } from '#lib/lake/folder/folder-lake.ts';
import { readBatch, writeBatches } from '#lib/run/batch.ts';
import type { ExecutionInput } from '#lib/run/payloads.ts';
import type { ApiServices } from '#lib/runtime/services.ts';
import { sideBySide } from '#lib/side-by-side.ts';
import { kindNamed } from '#lib/sources/kinds.ts';
import type { Question } from '#lib/sources/question.ts';
import { type MissingPath, missingPaths, type Round } from './answering-paths.ts';
import { type Called, type Checked, readChecked } from './checked.ts';
import { firstOfEach, isSamePlace, type Proposal, proposalsOf, withProposals } from './proposals.ts';
import { LOCAL_HOLDER } from './run-locally.ts';

/** Rounds that may propose a setting, such as the product, then the version of what it shows; and a last look. */
const ROUNDS = 4;

export interface Check {
  /** As the config has them. */
  readonly listings: readonly Checked[];
  /** Settings that the answers speak for, and with which they were asked for again. */
  readonly proposals: readonly Proposal[];
  /** What is to be decided besides, with the proposals in place. */
  readonly asks: readonly Question[];
}

/** A config as it stands in its file. */
export interface WrittenConfig {
  readonly text: string;
  readonly file: string;
}

/**
 * Checks every source; those for which settings are proposed once more with these, for what is to be set besides. A
 * proposal that does not help is taken back: what it should have answered is then to be decided.
 */
export async function checkSources(written: WrittenConfig, services: ApiServices): Promise<Check> {
  await using scratch = await services.lake.scratch();
  let config = parseConfig(written.text, written.file);
  let listings: readonly Checked[] | undefined;
  let proposals: readonly Proposal[] = [];
  const tried: Proposal[] = [];
  const asks = new Map<string, readonly Question[]>();
  for (let round = 1; config.sources.length > 0; round++) {
    const own = { ...services, lake: folderLake(join(scratch.path, `round-${round}`)) };
    const checked = await checkOnce(config, own);
    const missing = await missingPaths(checked, services);
    const asked = withMissing(checked.listings, missing);
    listings ??= asked;
    const open = asked.flatMap((listing) => listing.asks);
    for (const { name } of config.sources)
      asks.set(
        name,
        open.filter(({ source }) => source === name),
      );
    const fresh = firstOfEach([...missing.flatMap((each) => each.proposals), ...proposalsOf(open)]).filter(
      (one) => !tried.some((other) => isSamePlace(one, other)),
    );
    const helpless = proposals.filter((one) => open.some((question) => asksFor(question, one)));
    const next = round < ROUNDS ? fresh : [];
    proposals = [...proposals.filter((one) => !helpless.includes(one)), ...next];
    tried.push(...next);
    const changed = new Set([...next, ...helpless].map(({ source }) => source));
    const parsed = parseConfig(withProposals(written.text, proposals).text, written.file);
    config = { ...parsed, sources: parsed.sources.filter(({ name }) => round < ROUNDS && changed.has(name)) };
  }
  return { listings: listings ?? [], proposals, asks: [...asks.values()].flat() };
}

/** True where a listing still asks for what was proposed for it. */
function asksFor({ source, resource, cures }: Question, proposal: Proposal): boolean {
  return (
    resource === proposal.resource && cures.some(({ setting }) => isSamePlace({ source, setting }, proposal))
  );
}

/** A listing whose path was looked for asks what that has shown, and no more what its own answer did. */
function withMissing(listings: readonly Checked[], missing: readonly MissingPath[]): readonly Checked[] {
  return listings.map((listing) => {
    const found = missing.find(
      ({ source, resource }) => source === listing.source && resource === listing.resource,
    );
    return found === undefined ? listing : { ...listing, asks: found.asks };
  });
}

/** Runs list, a small batch of collect, and plan in a lake of their own, which is thrown away. */
async function checkOnce(config: Config, services: ApiServices): Promise<Round> {
  const started = await start({}, { ...services, ...LOCAL_HOLDER, config });
  if (started.kind !== 'started') return { config, listings: [], calls: [] };
  const { input } = started;
  const calls: Called[] = [];
  const noting = withCalls(services, (call) => calls.push(call));
  await sideBySide(config.sources, config.sources.length, ({ name, kind }) =>
    sampleSource({ ...input, source: name }, { services: noting, parents: kindNamed(kind).sampledParents }),
  );
  await plan({ runId: input.runId, attempt: input.attempt }, services);
  return { config, listings: await readChecked({ services, input, config, calls }), calls };
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
