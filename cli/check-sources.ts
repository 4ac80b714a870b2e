import { join } from 'node:path';
import { collectBatch } from '#lib/collect/collect.ts';
import type { Config } from '#lib/config/config.ts';
import { parseConfig } from '#lib/config/parse-config.ts';
import { list } from '#lib/contracts/list.ts';
import { plan } from '#lib/contracts/plan.ts';
import { start } from '#lib/contracts/start.ts';
import { sweep } from '#lib/contracts/sweep.ts';
import { folderLake } from '#lib/lake/folder/folder-lake.ts';
import { readBatch, writeBatches } from '#lib/run/batch.ts';
import type { ExecutionInput } from '#lib/run/payloads.ts';
import type { ApiServices } from '#lib/runtime/services.ts';
import { sideBySide } from '#lib/side-by-side.ts';
import { kindNamed } from '#lib/sources/kinds.ts';
import type { Question } from '#lib/sources/question.ts';
import { type MissingPath, missingPaths, type Round } from './answering-paths.ts';
import { type Called, type Checked, readChecked } from './checked.ts';
import { LOCAL_HOLDER } from './local-holder.ts';
import { probedFlags } from './probe-flags.ts';
import { probedPaging } from './probe-paging.ts';
import { firstOfEach, isSamePlace, type Proposal, proposalsOf, withProposals } from './proposals.ts';

/**
 * Each round may propose a setting, and the next round sees what that setting made visible: first the product, then its
 * version, where the parents are, how they are paged, and the same two of their children. The last round proposes nothing.
 */
const ROUNDS = 7;

export interface Check {
  /** As they answer with the settings of the config. */
  readonly listings: readonly Checked[];
  /** Settings that the answers speak for; the listings were asked for again with them. */
  readonly proposals: readonly Proposal[];
  /** The questions that stay open with the proposals in place. */
  readonly asks: readonly Question[];
  /** Which fields fill the columns that views ask for; without an answer a view says less, and no table loses anything. */
  readonly roles: readonly Question[];
}

/** The text of a config's file. */
export interface WrittenConfig {
  readonly text: string;
  readonly file: string;
}

/**
 * Checks every source. A source with proposals is checked again with them, for that may show what else it needs. A
 * proposal that does not help is taken back, and its question stays open.
 */
export async function checkSources(written: WrittenConfig, services: ApiServices): Promise<Check> {
  await using scratch = await services.lake.scratch();
  let config = parseConfig(written.text, written.file);
  let listings: readonly Checked[] | undefined;
  let proposals: readonly Proposal[] = [];
  const tried: Proposal[] = [];
  const asks = new Map<string, readonly Question[]>();
  const roles = new Map<string, readonly Question[]>();
  for (let round = 1; config.sources.length > 0; round++) {
    const own = { ...services, lake: folderLake(join(scratch.path, `round-${round}`)) };
    const checked = await checkOnce(config, own);
    const missing = await missingPaths(checked, services);
    const asked = withMissing(checked.listings, missing);
    listings ??= asked;
    const open = asked.flatMap((listing) => listing.asks);
    const fills = asked.flatMap((listing) => listing.roles);
    for (const { name } of config.sources) {
      const isOf = ({ source }: Question) => source === name;
      asks.set(name, open.filter(isOf));
      roles.set(name, fills.filter(isOf));
    }
    const probed = round < ROUNDS ? await probe({ ...checked, listings: asked }, services) : [];
    const fresh = firstOfEach([
      ...missing.flatMap((each) => each.proposals),
      ...probed,
      ...proposalsOf(open),
    ]).filter((one) => !tried.some((other) => isSamePlace(one, other)));
    const helpless = proposals.filter((one) => open.some((question) => asksFor(question, one)));
    const next = round < ROUNDS ? fresh : [];
    proposals = [...proposals.filter((one) => !helpless.includes(one)), ...next];
    tried.push(...next);
    const changed = new Set([...next, ...helpless].map(({ source }) => source));
    const parsed = parseConfig(withProposals(written.text, proposals).text, written.file);
    config = { ...parsed, sources: parsed.sources.filter(({ name }) => round < ROUNDS && changed.has(name)) };
  }
  // They change no answer, so there is nothing to look at again.
  const named = proposalsOf([...roles.values()].flat());
  const isNamed = ({ source, cures }: Question) =>
    cures.some(({ setting }) => named.some((one) => isSamePlace(one, { source, setting })));
  return {
    listings: listings ?? [],
    proposals: firstOfEach([...proposals, ...named]),
    asks: [...asks.values()].flat(),
    roles: [...roles.values()].flat().filter((each) => !isNamed(each)),
  };
}

/** The settings that further calls show. What is about the server is about no pages. */
async function probe(round: Round, services: ApiServices): Promise<readonly Proposal[]> {
  const flags = await probedFlags(round, services);
  const isOpen = ({ source, resource }: Checked) =>
    !flags.some((flag) => flag.source === source && flag.resource === resource);
  return [...flags, ...(await probedPaging({ ...round, listings: round.listings.filter(isOpen) }, services))];
}

/** True if a listing still asks the question that the proposal should have answered. */
function asksFor({ source, resource, cures }: Question, proposal: Proposal): boolean {
  return (
    resource === proposal.resource && cures.some(({ setting }) => isSamePlace({ source, setting }, proposal))
  );
}

/** A listing whose path was looked for asks the question of the search in place of its own. */
function withMissing(listings: readonly Checked[], missing: readonly MissingPath[]): readonly Checked[] {
  return listings.map((listing) => {
    const found = missing.find(
      ({ source, resource }) => source === listing.source && resource === listing.resource,
    );
    return found === undefined ? listing : { ...listing, asks: found.asks };
  });
}

/** Runs list, a small batch of collect, and plan in a lake that is thrown away. */
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

/** The services, with clients that report each call to `note`. */
function withCalls(services: ApiServices, note: (call: Called) => void): ApiServices {
  const client: ApiServices['client'] = (source, place) => {
    const own = services.client(source, place);
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
  // As in a run: a failure may pass, and what one answer proves helps to read the others.
  const again = await sweep(place, services);
  for (const batch of again.batches) await collectBatch({ ...event, ...again, batch }, services);
}
