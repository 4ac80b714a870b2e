import type { ColumnType } from '../column-types.ts';
import type { RunRecord } from '../run/run-record.ts';
import type { NamedPath } from '../schema/columns/assign-names.ts';
import { type ColumnDecision, decideColumn } from '../schema/columns/decide-column.ts';
import { type ColumnProfile, mergeProfiles, nullShare } from '../schema/columns/value-classes.ts';
import type { SchemaColumn } from '../schema/schema.ts';
import type { ColumnSetting } from '../sources/resource-settings.ts';
import type { ResourceName } from '../sources/resources.ts';
import type { SourceObserved } from './observe-sources.ts';
import { isDropped, isMasked } from './privacy.ts';

export interface PlanColumnOptions {
  readonly record: RunRecord;
  readonly table: ResourceName;
  readonly name: string;
  /** All paths that the column ever had. */
  readonly paths: readonly NamedPath[];
  readonly before: SchemaColumn | undefined;
  readonly observed: readonly SourceObserved[];
  /** What the operator gave it with `schema apply`; a type in the config wins. */
  readonly appliedType: ColumnType | undefined;
  /** Widens it if all retained values allow. */
  readonly chooseWidth: (decision: ColumnDecision) => Promise<ColumnDecision>;
}

/** A column after this run: its type by what it was before and what its values were now. */
export async function planColumn(options: PlanColumnOptions): Promise<SchemaColumn> {
  const { record, table, name, paths, before, observed } = options;
  const settings = bySource(record, (source) => source.resources[table]);
  if (before !== undefined && paths.every(({ source, path }) => isDropped(settings[source], path))) {
    return { ...before, provisional: true, since: null, questions: [], drift: [], rejects: {} };
  }
  const masked = [
    ...new Set(
      paths.filter(({ source, path }) => isMasked(settings[source], path)).map(({ source }) => source),
    ),
  ];
  const profileOf = ({ source, path }: NamedPath): ColumnProfile | undefined =>
    observed
      .find((each) => each.source === source)
      ?.profiles.find((each) => JSON.stringify(each.path) === JSON.stringify(path))?.profile;
  const profiles: Record<string, ColumnProfile> = {};
  for (const path of paths) {
    const profile = profileOf(path);
    const earlier = profiles[path.source];
    if (profile !== undefined)
      profiles[path.source] = earlier === undefined ? profile : mergeProfiles(earlier, profile);
  }
  const decision = await options.chooseWidth(
    decideColumn({
      table,
      name,
      profiles,
      locked: before,
      settings: settingsOf(
        masked.length > 0 ? { ...options, appliedType: 'varchar', isHidden: true } : options,
      ),
      timeZones: bySource(record, (source) => source.timeZone),
    }),
  );
  const isSeen = Object.keys(profiles).length > 0;
  return {
    name,
    type: decision.type,
    provisional: decision.provisional,
    readings: { ...before?.readings, ...decision.readings },
    // What was masked once stays so in the files: it cannot be undone.
    masked,
    paths: paths.map((each) => {
      const profile = profileOf(each);
      const earlier = before?.paths.find(
        ({ source, path }) => source === each.source && JSON.stringify(path) === JSON.stringify(each.path),
      );
      return {
        source: each.source,
        path: [...each.path],
        isDropped: isDropped(settings[each.source], each.path),
        nullShare: profile === undefined ? (earlier?.nullShare ?? 1) : nullShare(profile),
      };
    }),
    firstSeen: before?.firstSeen ?? record.runId,
    lastSeen: isSeen ? record.runId : (before?.lastSeen ?? record.runId),
    since: decision.provisional ? null : (before?.since ?? record.runId),
    questions: decision.questions,
    drift: decision.drift,
    rejects: decision.rejects,
  };
}

function bySource<Value>(
  { config }: RunRecord,
  value: (source: RunRecord['config']['sources'][number]) => Value,
): Readonly<Record<string, Value>> {
  return Object.fromEntries(config.sources.map((source) => [source.name, value(source)]));
}

/** What config and operator say of the column, by source; a word in the config wins over `schema apply`, a mask over all. */
export function settingsOf({
  record,
  table,
  name,
  appliedType,
  isHidden = false,
}: Pick<PlanColumnOptions, 'record' | 'table' | 'name' | 'appliedType'> & {
  readonly isHidden?: boolean;
}): Readonly<Record<string, ColumnSetting | undefined>> {
  const configured = bySource(record, (source) => source.resources[table]?.columns[name]);
  const isConfigured = Object.values(configured).some((setting) => setting !== undefined);
  if ((isConfigured && !isHidden) || appliedType === undefined) return configured;
  return bySource(record, () => ({ type: appliedType }));
}
