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
import type { ExecutionInput, RunStatus } from '#lib/run/payloads.ts';
import type { ApiServices } from '#lib/runtime/services.ts';
import { sideBySide } from '#lib/side-by-side.ts';
import type { Question } from '#lib/sources/question.ts';
import { missingPaths } from './answering-paths.ts';
import { type Checked, callsOf, type Round, readChecked } from './checked.ts';
import { fittingStyles } from './fitting-styles.ts';
import { LOCAL_HOLDER } from './local-holder.ts';
import {
  firstOfEach,
  isSamePlace,
  type Proposal,
  proposalsOf,
  type WrittenConfig,
  withProposals,
} from './proposals.ts';
import { type ReplayedCalls, replayedCalls } from './replayed-calls.ts';

/**
 * Each round may propose a setting, and the next round sees what that setting made visible: first the product, then its
 * version, where the parents are, how they are paged, and the same two of their children. The last round proposes nothing.
 */
const ROUNDS = 7;

/** Some parents have no children, so one is not enough. */
const PARENTS_ASKED = 5;

export interface Check {
  /** As they answer with the settings of the config. */
  readonly listings: readonly Checked[];
  /** As they answer with the proposals in place. */
  readonly settled: readonly Checked[];
  /** Settings that the answers speak for. */
  readonly proposals: readonly Proposal[];
  /** The questions that stay open with the proposals in place. */
  readonly questions: readonly Question[];
  /** Which fields may fill the columns that views ask for; without an answer a view says less, and no table loses anything. */
  readonly roles: readonly Question[];
  /** How many calls were made. */
  readonly calls: number;
}

/** What a run would come to with listings like these. */
export function statusOf(listings: readonly Checked[]): RunStatus {
  if (listings.some(({ ok }) => !ok)) return 'failed';
  return listings.some(({ isInDoubt }) => isInDoubt) ? 'partial' : 'complete';
}

/**
 * Checks every source. One with proposals is looked at again with them, for that may show what else it needs; no call is made
 * twice. A proposal that does not help is taken back, and its question stays open.
 */
export async function checkSources(written: WrittenConfig, services: ApiServices): Promise<Check> {
  await using scratch = await services.lake.scratch();
  using replayed = replayedCalls(services);
  const whole = parseConfig(written.text, written.file);
  const listings: Checked[] = [];
  const settled = new Map<string, readonly Checked[]>();
  const sampled = new Map<string, readonly string[]>();
  const tried: Proposal[] = [];
  let proposals: readonly Proposal[] = [];
  let config = whole;
  for (let round = 1; config.sources.length > 0; round++) {
    const checked = await checkOnce(config, {
      replayed,
      sampled,
      folder: join(scratch.path, `round-${round}`),
    });
    const missing = await missingPaths(checked, replayed.services);
    const seen = checked.listings.map((listing) => {
      const of = missing.find(
        ({ source, resource }) => source === listing.source && resource === listing.resource,
      );
      return of === undefined ? listing : { ...listing, questions: of.questions };
    });
    if (round === 1) listings.push(...seen);
    for (const { name } of config.sources)
      settled.set(
        name,
        seen.filter(({ source }) => source === name),
      );
    const open = seen.flatMap(({ questions }) => questions);
    const helpless = proposals.filter((one) => open.some((question) => asksFor(question, one)));
    const fresh = [
      ...missing.flatMap((each) => each.proposals),
      ...(await fittingStyles({ ...checked, listings: seen }, replayed.services)),
      ...proposalsOf(open),
    ].filter((one) => !tried.some((other) => isSamePlace(one, other)));
    const next = round < ROUNDS ? firstOfEach(fresh) : [];
    proposals = [...proposals.filter((one) => !helpless.includes(one)), ...next];
    tried.push(...next);
    const changed = new Set([...next, ...helpless].map(({ source }) => source));
    const parsed = parseConfig(withProposals(written.text, proposals).text, written.file);
    config = { ...parsed, sources: parsed.sources.filter(({ name }) => round < ROUNDS && changed.has(name)) };
  }
  const settledConfig = parseConfig(withProposals(written.text, proposals).text, written.file);
  const counted = (listing: Checked) => {
    // A proposal may have given it another path.
    const both = [
      ...callsOf(listing, whole, replayed.calls),
      ...callsOf(listing, settledConfig, replayed.calls),
    ];
    return { ...listing, calls: new Set(both).size };
  };
  const last = whole.sources.flatMap(({ name }) => settled.get(name) ?? []);
  const roles = last.flatMap((listing) => listing.roles);
  return {
    listings: listings.map(counted),
    settled: last.map(counted),
    // That of a role changes no answer, so there is nothing to look at again.
    proposals: firstOfEach([...proposals, ...proposalsOf(roles)]),
    questions: last.flatMap(({ questions }) => questions),
    roles: roles.filter((role) => proposalsOf([role]).length === 0),
    calls: replayed.calls.length,
  };
}

/** True if a listing still asks the question that the proposal should have answered. */
function asksFor({ source, resource, cures }: Question, proposal: Proposal): boolean {
  return (
    resource === proposal.resource && cures.some(({ setting }) => isSamePlace({ source, setting }, proposal))
  );
}

/** Runs list, a small batch of collect, and plan in a lake that is thrown away. */
async function checkOnce(
  config: Config,
  {
    replayed,
    sampled,
    folder,
  }: {
    readonly replayed: ReplayedCalls;
    readonly sampled: Map<string, readonly string[]>;
    readonly folder: string;
  },
): Promise<Round> {
  const services = { ...replayed.services, lake: folderLake(folder) };
  const started = await start({}, { ...services, ...LOCAL_HOLDER, config });
  if (started.kind !== 'started') throw new Error('a new lake has no run');
  const { input } = started;
  await sideBySide(config.sources, config.sources.length, async ({ name }) => {
    sampled.set(
      name,
      await sampleSource({ ...input, source: name, before: sampled.get(name) ?? [] }, services),
    );
  });
  await plan({ runId: input.runId, attempt: input.attempt }, services);
  const { calls } = replayed;
  return { config, sampled, calls, listings: await readChecked({ services, input, config, calls }) };
}

/** Asks for the listings of a source, and for the children of a few parents, which it gives. */
async function sampleSource(
  {
    before,
    ...event
  }: Pick<ExecutionInput, 'runId' | 'attempt'> & {
    readonly source: string;
    readonly before: readonly string[];
  },
  services: ApiServices,
): Promise<readonly string[]> {
  const { batches } = await list(event, services);
  if (batches.length === 0) return [];
  const place = { ...event, pass: 0 };
  const groups = await readBatch(services.lake, { ...place, batch: 0 });
  const isNew = (id: string): number => (before.includes(id) ? 0 : 1);
  const sample = groups.map((group) => ({
    ...group,
    parents: group.parents.toSorted((a, b) => isNew(a) - isNew(b)).slice(0, PARENTS_ASKED),
  }));
  const parents = sample.flatMap((group) => group.parents);
  await writeBatches(services.lake, place, [sample]);
  if ((await collectBatch({ ...place, batch: 0, width: 1 }, services)) === 0) return [...new Set(parents)];
  // As in a run: a failure may pass, and what one answer proves helps to read the others.
  const again = await sweep(place, services);
  for (const batch of again.batches) await collectBatch({ ...event, ...again, batch }, services);
  return [...new Set(parents)];
}
