import type { ColumnType } from '../column-types.ts';
import type { Config } from '../config/config.ts';
import { sourceIfAny } from '../config/source-named.ts';
import { type LostCells, type LostCellsOptions, lossText } from '../run/history/lost-cells.ts';
import type { RunRecord } from '../run/run-record.ts';
import type { NamedPath } from '../schema/columns/assign-names.ts';
import { type ColumnDecision, decideColumn, widened } from '../schema/columns/decide-column.ts';
import type { AliasedPath } from '../schema/columns/give-aliases.ts';
import { type ColumnProfile, mergeProfiles, nullShare } from '../schema/columns/value-classes.ts';
import { type SchemaColumn, valueType } from '../schema/schema.ts';
import type { ColumnSetting } from '../sources/resource-settings.ts';
import type { ResourceName } from '../sources/resources.ts';
import type { SourceObserved } from './observe-sources.ts';
import { isDropped, isMasked } from './privacy.ts';

export interface PlanColumnOptions {
  readonly record: RunRecord;
  readonly table: ResourceName;
  readonly name: string;
  /** All paths that the column ever had. */
  readonly paths: readonly AliasedPath[];
  readonly before: SchemaColumn | undefined;
  readonly observed: readonly SourceObserved[];
  /** The type by `schema apply`; a type in the config wins over it. */
  readonly appliedType: ColumnType | undefined;
  /** Gives the committed values that the column's change would lose. */
  readonly lostBy: (of: Pick<LostCellsOptions, 'change' | 'areAll'>) => Promise<LostCells>;
}

/** A column after this run. Its type follows from the type before and from this run's values. */
export async function planColumn(options: PlanColumnOptions): Promise<SchemaColumn> {
  const { record, table, name, paths, before, observed } = options;
  const settings = bySource(record, (source) => source.resources[table]);
  const isInConfig = (source: string) => record.config.sources.some(({ name }) => name === source);
  const earlierOf = (each: NamedPath) =>
    before?.paths.find(
      ({ source, path }) => source === each.source && JSON.stringify(path) === JSON.stringify(each.path),
    );
  // What a source hides stays hidden after the source has left the config.
  const isLeftOut = (each: NamedPath) =>
    isInConfig(each.source)
      ? isDropped(settings[each.source], each.path)
      : earlierOf(each)?.isDropped === true;
  if (before !== undefined && paths.every(isLeftOut)) {
    const hidden = paths.map((each) => ({
      source: each.source,
      path: [...each.path],
      ...plainNameOf(each),
      isDropped: true,
      nullShare: earlierOf(each)?.nullShare ?? 1,
    }));
    return {
      ...before,
      name,
      paths: hidden,
      provisional: true,
      since: null,
      questions: [],
      drift: [],
      rejects: {},
    };
  }
  const masked = maskedSources(record.config, { table, paths, before });
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
  const wanted = settingsOf(options);
  const plainNames = Object.fromEntries(paths.map(({ source, plainName = name }) => [source, plainName]));
  const decide = (columnSettings: typeof wanted) =>
    decideColumn({
      table,
      name,
      profiles,
      locked: before && { ...before, type: valueType(before) },
      settings: columnSettings,
      plainNames,
      timeZones: bySource(record, (source) => source.timeZone),
    });
  const isSeen = Object.keys(profiles).length > 0;
  const columnOf = (decision: ColumnDecision, isMasked = masked): SchemaColumn => ({
    name,
    ...typesOf(decision.type, isMasked),
    provisional: decision.provisional,
    readings: { ...before?.readings, ...decision.readings },
    paths: paths.map((each) => {
      const profile = profileOf(each);
      const earlier = earlierOf(each);
      return {
        source: each.source,
        path: [...each.path],
        ...plainNameOf(each),
        isDropped: isLeftOut(each),
        nullShare: profile === undefined ? (earlier?.nullShare ?? 1) : nullShare(profile),
      };
    }),
    firstSeen: before?.firstSeen ?? record.runId,
    lastSeen: isSeen ? record.runId : (before?.lastSeen ?? record.runId),
    since: decision.provisional ? null : (before?.since ?? record.runId),
    questions: decision.questions,
    drift: decision.drift,
    rejects: decision.rejects,
  });
  const decision = decide(wanted);
  const isShown = before?.provisional === false;
  const isRetyped = isShown && decision.type !== valueType(before) && isConfigured(wanted);
  const isUnmasked = isShown && before.masked.some((source) => !masked.includes(source));
  /** The first of the wider types that holds every kept value; the type as it is where none does. */
  const widest = async (): Promise<SchemaColumn> => {
    for (const wider of decision.widen) {
      const column = columnOf(widened(decision, wider));
      const change = { before: before ?? column, column, hasNewKey: false };
      if ((await options.lostBy({ change, areAll: true })).values === 0) return column;
    }
    return columnOf(decision);
  };
  const column = isRetyped ? columnOf(decision) : await widest();
  if (before === undefined || !(isRetyped || isUnmasked)) return column;
  const lost = await options.lostBy({ change: { before, column, hasNewKey: false }, areAll: false });
  if (lost.values === 0) return column;
  const type = valueType(before);
  const asBefore = columnOf(decide(bySource(record, () => ({ type }))), before.masked);
  const questions = Object.keys(wanted)
    .filter((source) => wanted[source] !== undefined || before.masked.includes(source))
    .map((source) => ({
      code: 'HISTORY_LOST',
      source,
      resource: table,
      column: name,
      says: lossText(`${table}.${name}`, { to: column.type, lost }),
      cures: isRetyped
        ? [
            {
              setting: `resources.${table}.columns.${plainNames[source] ?? name}.type`,
              choices: [type],
              when: 'the old type is right',
            },
          ]
        : [],
    }));
  return { ...asBefore, questions };
}

/** The sources whose values of the column are masked; they stay masked after the source has left the config. */
export function maskedSources(
  { sources }: Pick<Config, 'sources'>,
  {
    table,
    paths,
    before,
  }: Pick<PlanColumnOptions, 'table' | 'before'> & {
    readonly paths: readonly Pick<NamedPath, 'source' | 'path'>[];
  },
): readonly string[] {
  const isHidden = ({ source, path }: Pick<NamedPath, 'source' | 'path'>) => {
    const configured = sourceIfAny({ sources }, source);
    return configured === undefined
      ? before?.masked.includes(source) === true
      : isMasked(configured.resources[table], path);
  };
  return [...new Set(paths.filter(isHidden).map(({ source }) => source))];
}

/** The type of a column: text if values of any source are masked. */
export function typesOf(
  type: ColumnType,
  masked: readonly string[],
): Pick<SchemaColumn, 'type' | 'plainType' | 'masked'> {
  return masked.length === 0
    ? { type, masked: [] }
    : { type: 'varchar', plainType: type, masked: [...masked] };
}

function bySource<Value>(
  { config }: RunRecord,
  value: (source: RunRecord['config']['sources'][number]) => Value,
): Readonly<Record<string, Value>> {
  return Object.fromEntries(config.sources.map((source) => [source.name, value(source)]));
}

/** What the config and the operator say of the column, by source. The config wins over `schema apply`. */
export function settingsOf({
  record,
  table,
  name,
  paths,
  appliedType,
}: Pick<PlanColumnOptions, 'record' | 'table' | 'name' | 'appliedType'> & {
  readonly paths: readonly Pick<AliasedPath, 'source' | 'plainName'>[];
}): Readonly<Record<string, ColumnSetting | undefined>> {
  const configured = bySource(record, (source) => {
    // A column may be called `constructor`.
    const columns = source.resources[table]?.columns ?? {};
    const plainName = paths.find((path) => path.source === source.name)?.plainName ?? name;
    return Object.hasOwn(columns, plainName) ? columns[plainName] : undefined;
  });
  if (isConfigured(configured) || appliedType === undefined) return configured;
  return bySource(record, () => ({ type: appliedType }));
}

const plainNameOf = ({ plainName }: AliasedPath) => (plainName === undefined ? {} : { plainName });

/** True where a setting says how values are read. `as` alone says nothing of that. */
const isConfigured = (settings: Readonly<Record<string, ColumnSetting | undefined>>) =>
  Object.values(settings).some(
    (setting) => setting !== undefined && (setting.type ?? setting.format ?? setting.values) !== undefined,
  );
