import { sourceNamed } from '#lib/config/config.ts';
import { parseConfig } from '#lib/config/parse-config.ts';
import type { RunStatus } from '#lib/run/payloads.ts';
import type { ApiServices } from '#lib/runtime/services.ts';
import type { Schema } from '#lib/schema/schema.ts';
import type { Question } from '#lib/sources/question.ts';
import { answeringPath } from './answering-path.ts';
import { checkOnce } from './check-once.ts';
import { type Checked, isMisfit } from './checked.ts';
import { type Proposal, proposalsOf, type WrittenConfig, withProposals } from './proposals.ts';
import { replayedCalls } from './replayed-calls.ts';

/**
 * Each round may propose a setting, and the next round sees what it made visible. First comes the product,
 * then its version, the place of the parents, their paging. Then come the same two of their children.
 */
const ROUNDS = 7;

export interface Check {
  /** With the settings of the config. */
  readonly listings: readonly Checked[];
  /** With the proposals in place. */
  readonly settled: readonly Checked[];
  /** Settings that the answers support. */
  readonly proposals: readonly Proposal[];
  /** The questions that stay open with the proposals in place. */
  readonly questions: readonly Question[];
  /** Which fields may fill the columns that views want. Without an answer a view says less. */
  readonly roles: readonly Question[];
  /** The number of calls. */
  readonly calls: number;
}

/** The status of a run with such listings. */
export function statusOf(listings: readonly Checked[]): RunStatus {
  // A config's setting that contradicts its values is an error of the config.
  if (listings.some(({ ok, questions }) => !ok || questions.some(isMisfit))) return 'failed';
  return listings.some(({ isInDoubt }) => isInDoubt) ? 'partial' : 'complete';
}

/**
 * Checks every source. One with proposals is checked again with them, because that may show what else it
 * needs. No call is made twice. A proposal that does not help is withdrawn, and its question stays open.
 */
export async function checkSources(
  { text, file }: WrittenConfig,
  services: ApiServices,
  known?: Schema,
): Promise<Check> {
  using replayed = replayedCalls(services);
  const sampled = new Map<string, readonly string[]>();
  const config = parseConfig(text, file);
  const listings = await checkOnce(config, { replayed, sampled, known });
  const settled: Checked[] = [];
  const proposals: Proposal[] = [];
  // One source after the other, because they share one DuckDB.
  for (let source of config.sources) {
    const { name } = source;
    let own: readonly Checked[] = listings.filter((listing) => listing.source === name);
    let proposed: readonly Proposal[] = [];
    const tried = new Set<string>();
    for (let round = 1; round < ROUNDS; round++) {
      const parents = sampled.get(name) ?? [];
      const path = await answeringPath(source, { listings: own, parents, services: replayed.services });
      const fresh = [...path, ...proposalsOf(own.flatMap(asksOf))].filter(
        ({ setting }) => !tried.has(setting) && tried.add(setting),
      );
      const helpful = proposed.filter((each) => helps(each, own));
      if (fresh.length === 0 && helpful.length === proposed.length) break;
      proposed = [...helpful, ...fresh];
      source = sourceNamed(parseConfig(withProposals(text, proposed).text, file), name);
      own = await checkOnce({ ...config, sources: [source] }, { replayed, sampled, known });
    }
    settled.push(...own);
    proposals.push(...proposed.filter((each) => helps(each, own)));
  }
  return {
    listings,
    settled,
    proposals,
    questions: settled.flatMap(({ questions }) => questions),
    roles: settled.flatMap(({ roles }) => roles),
    calls: replayed.calls.length,
  };
}

function asksOf({ questions, roles }: Checked): readonly Question[] {
  return [...questions, ...roles];
}

/** False if the proposal's listing still wants its setting, or fails without a question. */
function helps({ setting, resource }: Proposal, listings: readonly Checked[]): boolean {
  const own = listings.filter((listing) => listing.resource === resource);
  const isAsked = own.flatMap(asksOf).some(({ cures }) => cures.some((cure) => cure.setting === setting));
  return !isAsked && own.every(({ ok, questions }) => ok || questions.length > 0);
}
