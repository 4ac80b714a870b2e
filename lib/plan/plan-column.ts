import type { ColumnType } from '../column-types.ts';
import type { Config } from '../config/config.ts';
import { type LostCells, type LostCellsOptions, lossText } from '../run/history/lost-cells.ts';
import { meantOf } from '../schema/cells/readings.ts';
import { typeAskedIn } from '../schema/columns/asked-type.ts';
import { type NamedPath, pathText, placeOf } from '../schema/columns/assign-names.ts';
import { type ColumnDecision, type ColumnRequest, decideColumn } from '../schema/columns/decide-column.ts';
import { type ColumnProfile, mergeProfiles } from '../schema/columns/value-classes.ts';
import { type SchemaColumn, valueType } from '../schema/schema.ts';
import { bySource, settingsOf } from './column-settings.ts';
import { misfitForms } from './meaning/misfit-forms.ts';
import { type ColumnInRun, planPaths } from './plan-paths.ts';
import { isHiddenBy } from './privacy.ts';

/** By source. */
type Profiles = Readonly<Record<string, ColumnProfile>>;

export interface PlanColumnOptions extends ColumnInRun {
  readonly before: SchemaColumn | undefined;
  /** The type by `schema apply`; a type in the config has precedence. */
  readonly appliedType: ColumnType | undefined;
  /** Returns the committed values that the column's change loses. */
  readonly lostBy: (of: Pick<LostCellsOptions, 'change' | 'areAll'>) => Promise<LostCells>;
  /** Returns by source what the column's values were in the runs with kept rows. */
  readonly keptOf: (column: SchemaColumn) => Promise<Profiles>;
}

/** A column after this run. Its type follows from the type before and from this run's values. */
export async function planColumn(options: PlanColumnOptions): Promise<SchemaColumn> {
  const { record, table, name, paths, before, observed } = options;
  const earlier = new Map(before?.paths.map((path) => [placeOf(path), path]));
  const earlierOf = (each: NamedPath) => earlier.get(placeOf(each));
  const isLeftOut = (each: NamedPath) =>
    isHiddenBy(record.config, 'drop', { ...each, table, before: earlierOf(each)?.isDropped === true });
  const profileOf = ({ source, path }: NamedPath): ColumnProfile | undefined =>
    observed
      .find((each) => each.source === source)
      ?.profiles.find((each) => pathText(each.path) === pathText(path))?.profile;
  const settings = settingsOf(options);
  const pathsOf = (decision?: ColumnDecision) =>
    planPaths({
      ...options,
      settings,
      earlierOf,
      profileOf,
      isLeftOut,
      ...(decision && { decision }),
    });
  if (before !== undefined && paths.every(isLeftOut)) {
    const hidden = { provisional: true, since: null, questions: [], drift: [], rejects: {} };
    return { ...before, name, paths: pathsOf(), ...hidden };
  }
  const masked = maskedSources(record.config, { table, paths, before });
  const profiles = mergedBySource(
    paths.flatMap((path) => {
      const profile = profileOf(path);
      return profile === undefined ? [] : [[path.source, profile] as const];
    }),
  );
  const plainNames = Object.fromEntries(paths.map(({ source, plainName = name }) => [source, plainName]));
  const places = new Set(paths.map(placeOf));
  const ownPaths = before?.paths.filter((each) => places.has(placeOf(each))) ?? [];
  // Its values were in another source's column under another name: that source's decision does not bind them.
  const isApart = before !== undefined && before.name !== name && ownPaths.length < before.paths.length;
  const decide = (by: Pick<ColumnRequest, 'settings' | 'kept'>) =>
    decideColumn({
      table,
      name,
      profiles,
      locked: before && !isApart ? { ...before, type: valueType(before) } : undefined,
      ...by,
      plainNames,
      wanted: options.wanted,
      isEmptyKnown: emptyKnown(before, record.exportDate),
      examples: (source, type) => misfitForms(paths, { source, type, observed }),
      timeZones: bySource(record, (source) => source.timeZone),
    });
  const isSeen = Object.keys(profiles).length > 0;
  const columnOf = (decision: ColumnDecision, isMasked = masked): SchemaColumn => ({
    name,
    ...decided(decision, { before, masked: isMasked, runId: record.runId }),
    paths: pathsOf(decision),
    firstSeen: before?.firstSeen ?? record.runId,
    lastSeen: isSeen ? record.runId : (before?.lastSeen ?? record.runId),
    drift: decision.drift,
    rejects: decision.rejects,
  });
  const isShown = before?.provisional === false;
  const keptValues = async () => {
    if (before === undefined) return {};
    const readings = bySource(record, ({ name: source }) => ({
      formats: [],
      ...meantOf(settings[source], undefined),
    }));
    const kept = Object.entries(await options.keptOf({ ...before, paths: ownPaths, readings }));
    return Object.fromEntries(
      kept.filter(([source]) => !isApart || paths.some((path) => path.source === source)),
    );
  };
  const now = decide({ settings });
  // Another type or column, a new zone, or words that the config no longer has: all kept values decide again.
  const isAnew = isShown && (isApart || now.type !== valueType(before));
  const decision = isAnew ? decide({ settings, kept: await keptValues() }) : now;
  const isRetyped = isShown && decision.type !== valueType(before) && typeAskedIn(settings) !== undefined;
  const isUnmasked = isShown && before.masked.some((source) => !masked.includes(source));
  let column = columnOf(decision);
  // Of wider types the first that holds every kept value.
  for (const wider of decision.widen) {
    const change = {
      before: before ?? column,
      column: columnOf({ ...decision, ...wider }),
      hasNewKey: false,
    };
    if ((await options.lostBy({ change, areAll: true })).values > 0) continue;
    column = change.column;
    break;
  }
  if (before === undefined || !(isRetyped || isUnmasked)) return column;
  const lost = await options.lostBy({ change: { before, column, hasNewKey: false }, areAll: false });
  if (lost.values === 0) return column;
  const type = valueType(before);
  const asBefore = columnOf(decide({ settings: bySource(record, () => ({ type })) }), before.masked);
  const says = lossText(`${table}.${name}`, { to: column.type, lost });
  const questions = Object.keys(settings)
    .filter((source) => settings[source] !== undefined || before.masked.includes(source))
    .map((source) => {
      const setting = `resources.${table}.columns.${plainNames[source] ?? name}.type`;
      const oldType = { setting, choices: [type], when: 'the old type is right' };
      const place = { source, resource: table, column: name };
      return { code: 'HISTORY_LOST', ...place, says, cures: isRetyped ? [oldType] : [] };
    });
  return { ...asBefore, questions };
}

/** By source: whether `""` came on two earlier dates. */
function emptyKnown(before: SchemaColumn | undefined, date: string): Readonly<Record<string, boolean>> {
  return Object.fromEntries(
    (before?.paths ?? []).map(({ source, emptyOn = [] }) => [
      source,
      emptyOn.filter((each) => each !== date).length === 2,
    ]),
  );
}

function mergedBySource(found: readonly (readonly [source: string, ColumnProfile])[]): Profiles {
  const merged: Record<string, ColumnProfile> = {};
  for (const [source, profile] of found) {
    const earlier = merged[source];
    merged[source] = earlier === undefined ? profile : mergeProfiles(earlier, profile);
  }
  return merged;
}

type Place = Pick<NamedPath, 'source' | 'path'>;

/** The sources with masked values in the column. They stay masked after the source has left the config. */
export function maskedSources(
  config: Pick<Config, 'sources'>,
  of: Pick<PlanColumnOptions, 'table' | 'before'> & { readonly paths: readonly Place[] },
): readonly string[] {
  const hidden = of.paths.filter(({ source, path }) => {
    const before = of.before?.masked.includes(source) === true;
    return isHiddenBy(config, 'mask', { table: of.table, source, path, before });
  });
  return [...new Set(hidden.map(({ source }) => source))];
}

/** The column after a decision. It is text if values of any source are masked. */
export function decided(
  { type, provisional, readings, questions }: ColumnDecision,
  of: Pick<PlanColumnOptions, 'before'> & { readonly masked: readonly string[]; readonly runId: string },
) {
  return {
    ...(of.masked.length === 0 ? { type } : { type: 'varchar' as const, plainType: type }),
    masked: [...of.masked],
    provisional,
    readings: { ...of.before?.readings, ...readings },
    since: provisional ? null : (of.before?.since ?? of.runId),
    questions,
  };
}
