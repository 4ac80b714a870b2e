import type { ColumnType } from '../column-types.ts';
import type { RunRecord } from '../run/run-record.ts';
import { type NamedPath, placeOf } from '../schema/columns/assign-names.ts';
import { neverClasses } from '../schema/columns/column-fit.ts';
import type { ColumnDecision } from '../schema/columns/decide-column.ts';
import { filledAfter } from '../schema/columns/filled.ts';
import type { AliasedPath } from '../schema/columns/give-aliases.ts';
import type { Sampled } from '../schema/columns/sampled.ts';
import { type ColumnProfile, countOf, nullShare, type ValueClass } from '../schema/columns/value-classes.ts';
import type { SchemaColumn } from '../schema/schema.ts';
import type { ColumnSetting } from '../sources/resource-settings.ts';
import { type ResourceName, resourceNamed } from '../sources/resources.ts';
import { changedAfter } from './meaning/changed-columns.ts';
import { isReplaced, recordsWith } from './meaning/emptied-columns.ts';
import type { SourceObserved } from './observe-sources.ts';

type SchemaPath = SchemaColumn['paths'][number];

/** The runs that saw a path first and last. A source may begin to tell a column that others told before. */
export type Seen = Required<Pick<SchemaPath, 'firstSeen' | 'lastSeen'>>;

/** A column of a table, with what the run and earlier ones showed of it. */
export interface ColumnInRun {
  readonly record: RunRecord;
  readonly table: ResourceName;
  readonly name: string;
  /** All paths that the column ever had. */
  readonly paths: readonly AliasedPath[];
  readonly observed: readonly SourceObserved[];
  /** By place of a path, in whichever column it was: the runs that saw it first and last. */
  readonly seenBefore: ReadonlyMap<string, Seen>;
  /** By source: some records of the earlier runs. */
  readonly samples: Readonly<Record<string, Sampled>>;
  /** The type that views want for the column. */
  readonly wanted: ColumnType | undefined;
  /** True if views cannot do without it. */
  readonly isNeeded: boolean;
}

export interface PlanPathsOptions extends ColumnInRun {
  /** By source: the column's settings. */
  readonly settings: Readonly<Record<string, ColumnSetting | undefined>>;
  /** The column's type, how each source's values are read, and how many of them the type rejects. */
  readonly decision?: Pick<ColumnDecision, 'type' | 'readings' | 'rejects'>;
  readonly earlierOf: (path: NamedPath) => SchemaPath | undefined;
  readonly profileOf: (path: NamedPath) => ColumnProfile | undefined;
  readonly isLeftOut: (path: NamedPath) => boolean;
}

/** A column's paths after this run, with what is known of their values. */
export function planPaths(options: PlanPathsOptions): SchemaColumn['paths'] {
  const found = options.paths.map((path) => planPath(path, options));
  return found.map(({ filled, ...each }) => {
    const isKept = filled !== undefined && !isReplaced({ ...each, filled }, { paths: found });
    return { ...each, ...(isKept && { filled }) };
  });
}

function planPath(path: AliasedPath, options: PlanPathsOptions): SchemaPath {
  const { record, table, observed, samples, wanted, settings, decision } = options;
  const earlier = options.earlierOf(path);
  const seen = options.seenBefore.get(placeOf(path));
  const profile = options.profileOf(path);
  const isDropped = options.isLeftOut(path);
  const { source, plainName } = path;
  const now = {
    profile,
    records: recordsWith(path, observed),
    misfits: decision?.rejects[source]?.type ?? 0,
    never: neverOf(source, decision),
    isNeeded: options.isNeeded && !resourceNamed(table).isQueue,
  };
  // All records of a queue may have changed, so only what views read is compared.
  const isCompared = !isDropped && (!resourceNamed(table).isQueue || wanted !== undefined);
  const filled = isCompared ? filledAfter(earlier?.filled, now, record) : undefined;
  const changed = changedAfter(earlier?.changed, {
    path: path.path,
    before: samples[source],
    now: observed.find((each) => each.source === source)?.sampled,
    run: record,
    accepted: settings[source]?.changed,
  });
  const emptyOn = emptyDates(earlier?.emptyOn, { profile, date: record.exportDate });
  return {
    source,
    path: [...path.path],
    ...(plainName !== undefined && { plainName }),
    firstSeen: seen?.firstSeen ?? record.runId,
    lastSeen: profile === undefined && seen !== undefined ? seen.lastSeen : record.runId,
    isDropped,
    nullShare: profile === undefined ? (earlier?.nullShare ?? 1) : nullShare(profile),
    ...(filled !== undefined && { filled }),
    ...(emptyOn.length > 0 && { emptyOn }),
    ...(changed !== undefined && !isDropped && { changed }),
  };
}

function neverOf(source: string, decision: PlanPathsOptions['decision']): readonly ValueClass[] {
  const reading = decision?.readings[source];
  const { type } = decision ?? {};
  return reading !== undefined && (type === 'timestamp' || type === 'date')
    ? neverClasses(type, reading)
    : ['sentinel', 'zeroTime'];
}

/** The first two dates on which a path was `""`. */
function emptyDates(
  earlier: readonly string[] = [],
  { profile, date }: { readonly profile: ColumnProfile | undefined; readonly date: string },
): readonly string[] {
  const isEmpty = profile !== undefined && countOf(profile, ['empty']) > 0;
  return isEmpty ? [...new Set([...earlier, date])].slice(0, 2) : earlier;
}
