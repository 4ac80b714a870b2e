import { childFactsIn, type KeptFacts, mergedFacts } from '../api/contract/fact-texts.ts';
import type { NotedRaw, RawNotes } from '../run/answers.ts';
import { type Dialects, dialectIn, type FoundDialect } from '../run/dialects.ts';
import type { ResourceName } from '../sources/resources.ts';

/**
 * The dialects of each source by resource: from this run, otherwise from earlier runs. List notes those of
 * listings without parent. The raw files of children have theirs in the metadata, with the facts next to the
 * records.
 */
export function foundDialects(raw: readonly NotedRaw[], dialects: ReadonlyMap<string, Dialects>) {
  const found: Record<string, Partial<Record<ResourceName, FoundDialect>>> = {};
  for (const [source, { locks, resources }] of dialects)
    found[source] = { ...locks, ...shownDialects(resources, locks) };
  for (const { source, resource, notes } of raw) {
    const known = found[source];
    if (known === undefined) continue;
    const first = dialectIn(notes.find((note) => note.dialect !== undefined)?.dialect);
    const resourceFound = known[resource] ?? (first && { records: 0, dialect: first });
    if (resourceFound !== undefined) known[resource] = withFacts(resourceFound, notes);
  }
  return found;
}

/** Adds what this run's answers to all parents say next to their records. */
function withFacts(found: FoundDialect, notes: readonly RawNotes[]): FoundDialect {
  const { dialect } = found;
  const said = notes.flatMap(({ facts }) => (facts === undefined ? [] : [childFactsIn(facts)]));
  const facts = said.reduce<KeptFacts>(mergedFacts, dialect?.facts ?? {});
  if (dialect === undefined || Object.keys(facts).length === 0) return found;
  return { ...found, dialect: { ...dialect, facts } };
}

/** The resources with answers that show their structure. A failed or empty listing shows less than an earlier one. */
function shownDialects(resources: Dialects['resources'], locks: Dialects['locks']): Dialects['resources'] {
  const all = Object.entries(resources) as [ResourceName, FoundDialect][];
  return Object.fromEntries(
    all.filter(([name, { dialect, records }]) => {
      const isFirst = locks[name]?.dialect === undefined;
      return dialect !== undefined && (records > 0 || isFirst);
    }),
  );
}
