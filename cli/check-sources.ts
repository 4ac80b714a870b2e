import { CHILD_MAX_BYTES, CHILD_TIMEOUT_MS } from '#lib/api/limits.ts';
import { collectBatch } from '#lib/collect/collect.ts';
import { type Config, sourceNamed } from '#lib/config/config.ts';
import { parseConfig } from '#lib/config/parse-config.ts';
import { treeOf, withSettings } from '#lib/config/setting-tree.ts';
import { folderLake } from '#lib/lake/folder/folder-lake.ts';
import { list } from '#lib/list/list.ts';
import { plan } from '#lib/plan/plan.ts';
import { readBatch, writeBatches } from '#lib/run/batch.ts';
import type { ListEvent, RunStatus } from '#lib/run/payloads.ts';
import type { ApiServices } from '#lib/runtime/services.ts';
import type { Schema } from '#lib/schema/schema.ts';
import { sideBySide } from '#lib/side-by-side.ts';
import { kindNamed } from '#lib/sources/kinds.ts';
import type { Question } from '#lib/sources/question.ts';
import { type Resource, resourceNamed, settingOf, type Target } from '#lib/sources/resources.ts';
import type { Source } from '#lib/sources/source.ts';
import { start } from '#lib/start/start.ts';
import { sweep } from '#lib/sweep/sweep.ts';
import { type Checked, isMisfit, readChecked } from './checked.ts';
import { LOCAL_HOLDER } from './local-services.ts';
import { type Proposal, proposalsOf, type WrittenConfig, withProposals } from './proposals.ts';
import { type ReplayedCalls, replayedCalls } from './replayed-calls.ts';

/** Product, version, place of the parents, their paging, then the same of their children: each may need a round. */
const ROUNDS = 7;
/** Some parents have no children, so one is not enough. */
const PARENTS_ASKED = 5;

export type Check = Awaited<ReturnType<typeof checkSources>>;

export function checkStatus(listings: readonly Checked[]): RunStatus {
  // A config's setting that contradicts its values is an error of the config.
  if (listings.some(({ ok, questions }) => !ok || questions.some(isMisfit))) return 'failed';
  return listings.some(({ isInDoubt }) => isInDoubt) ? 'partial' : 'complete';
}

/** Checks each source, and again with its proposals. What does not help is withdrawn. `settled` is the last look. */
export async function checkSources({ text, file }: WrittenConfig, services: ApiServices, known?: Schema) {
  using replayed = replayedCalls(services);
  /** By source: the parents that a check requests children for. Those of the time before come first. */
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
      const [parent = ''] = sampled.get(name) ?? [];
      const path = await answeringPath(source, { listings: own, parent, services: replayed.services });
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
  const questions = settled.flatMap((each) => each.questions);
  const roles = settled.flatMap((each) => each.roles);
  return { listings, settled, proposals, questions, roles, calls: replayed.calls.length };
}

const asksOf = ({ questions, roles }: Checked): readonly Question[] => [...questions, ...roles];

/** False if the listing still wants the setting, or fails without a question. A paging must have led to a further page. */
function helps({ setting, resource }: Proposal, listings: readonly Checked[]): boolean {
  const own = listings.filter((listing) => listing.resource === resource);
  const isAsked = own.flatMap(asksOf).some(({ cures }) => cures.some((cure) => cure.setting === setting));
  const hasPages = own.some(({ contract }) => contract?.pageSize !== undefined);
  if (setting.endsWith('.paging') && own.every(({ ok }) => ok) && !hasPages) return false;
  return !isAsked && own.every(({ ok, questions }) => ok || questions.length > 0);
}

interface CheckOnce {
  readonly replayed: ReplayedCalls;
  readonly sampled: Map<string, readonly string[]>;
  readonly known: Schema | undefined;
}

/** Runs list, a small batch of collect, and plan in a temporary lake. Returns what they found about each listing. */
async function checkOnce(config: Config, { replayed, sampled, known }: CheckOnce) {
  await using scratch = await replayed.services.lake.scratch();
  const services = { ...replayed.services, lake: folderLake(scratch.path) };
  const started = await start({}, { ...services, ...LOCAL_HOLDER, config });
  if (started.kind !== 'started') throw new Error('a new lake has no run');
  const { input } = started;
  const { runId, attempt } = input;
  await sideBySide(config.sources, config.sources.length, async ({ name: source }) => {
    sampled.set(source, await sampleSource({ runId, attempt, source }, sampled.get(source) ?? [], services));
  });
  await plan({ runId, attempt }, services);
  return await readChecked(config, { services, input, known, calls: replayed.calls });
}

/** Requests the listings of a source, and the children of a few parents. Returns those parents. */
async function sampleSource(event: ListEvent, before: readonly string[], services: ApiServices) {
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

const MISSING = [404, 405, 410];

type Asked = {
  readonly listings: readonly Checked[];
  readonly parent: string;
  readonly services: ApiServices;
};

/** The settings that make the first missing listing answer; each usual value in its path is tried with one call. */
async function answeringPath(source: Source, { listings, parent, services }: Asked): Promise<Proposal[]> {
  const missing = listings.filter(
    ({ resource, status, answered }) =>
      answered === 0 && source.resources[resource]?.path === undefined && MISSING.includes(status ?? 0),
  );
  for (const { resource: name, status } of missing) {
    const resource = resourceNamed(name);
    for (const variant of variantsOf(source, resource)) {
      const other = withSettings(source, treeOf(variant));
      const isElsewhere = ({ target }: Resource) =>
        target(other, parent).path !== target(source, parent).path;
      if (!isElsewhere(resource) || !(await isAnswered(resource.target(other, parent), other, services)))
        continue;
      // A listing that answers keeps its path; the missing one gets its own.
      const wouldMove = listings.some((each) => each.ok && isElsewhere(resourceNamed(each.resource)));
      const path = resource.target(other, 'PARENT').path.replace('PARENT', '{id}');
      const settings = wouldMove ? { [`resources.${name}.path`]: path } : variant;
      const why = `${name} is not where the settings say (HTTP ${status})`;
      return Object.entries(settings)
        .filter(([setting, value]) => settingOf(source, setting) !== value)
        .map(([setting, value]) => ({ source: source.name, resource: name, setting, value, why }));
    }
  }
  return [];
}

/** Settings by name, such as `{"versions.slots": 1}`: every combination of the source's own values and the usual ones. */
function variantsOf(source: Source, { pathSettings }: Resource) {
  const { variants } = kindNamed(source.kind);
  let all: readonly Readonly<Record<string, string | number>>[] = [{}];
  for (const name of Object.keys(variants).filter((each) => pathSettings.includes(each))) {
    const values = new Set([settingOf(source, name) as string | number, ...(variants[name] ?? [])]);
    all = all.flatMap((variant) => [...values].map((value) => ({ ...variant, [name]: value })));
  }
  return all;
}

async function isAnswered(target: Target, source: Source, services: ApiServices): Promise<boolean> {
  const client = services.client(source, { width: 1 });
  const bounds = { maxBytes: CHILD_MAX_BYTES, timeoutMs: CHILD_TIMEOUT_MS };
  const reply = await client.get(target, bounds).catch((error: unknown) => {
    // After the API refuses the key, no further call is made.
    if (client.refused() === undefined) throw error;
  });
  if (reply?.kind === 'answer') reply.body?.close();
  return reply?.kind === 'answer';
}
