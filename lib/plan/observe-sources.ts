import { parseEnvelope } from '../api/records/items-path.ts';
import { sourceNamed } from '../config/config.ts';
import { type NotedRaw, slicesOf } from '../run/answers.ts';
import { notedKeys } from '../run/noted.ts';
import { failListings, isOfValues, setAsideMessage } from '../run/outcomes/set-aside.ts';
import { isSmall } from '../run/raw-of-run.ts';
import type { DuckDb } from '../runtime/duckdb.ts';
import { meantOf } from '../schema/cells/readings.ts';
import { type Path, pathText } from '../schema/columns/assign-names.ts';
import { columnName } from '../schema/columns/column-name.ts';
import { countOf } from '../schema/columns/value-classes.ts';
import { NO_ID } from '../schema/record-key.ts';
import type { TableSchema } from '../schema/schema.ts';
import { sideBySide } from '../side-by-side.ts';
import { type Resource, type ResourceName, resourceNamed } from '../sources/resources.ts';
import { countedAnswers } from './counted.ts';
import { failForLostKey, findKey, likelyKey, lostKey, repeatedIds } from './find-key.ts';
import { sampleRecords } from './meaning/sample-records.ts';
import { type Crowded, type Observed, observe, ownKeys } from './observe.ts';
import type { Planning } from './planning.ts';
import { isHidden, privacyQuestions } from './privacy.ts';

/** What the records of one source showed; `sampled` are some of the records. */
export type SourceObserved = Awaited<ReturnType<typeof observeSources>>[number];

type Seen = NonNullable<Awaited<ReturnType<typeof observeSource>>>;

/** A listing that has records. */
interface ToObserve {
  readonly resource: Resource;
  readonly raw: NotedRaw;
  readonly records: number;
  readonly allCount: boolean;
}

/** Two run in parallel, because most resources are too small for more than one thread of DuckDB. */
const AT_ONCE = 2;

/** What the records of each resource and source show, in the order of `raw`. Empty listings are left out. */
export async function observeSources(options: Planning) {
  const countedOf = await countedAnswers(options.db);
  const listed = options.raw.flatMap((raw): readonly ToObserve[] => {
    const { records = 0, allCount = false } = countedOf(raw) ?? {};
    return records === 0 ? [] : [{ resource: resourceNamed(raw.resource), raw, records, allCount }];
  });
  const observed = new Map<ToObserve, Seen>();
  const observeAll = async (those: readonly ToObserve[], texts: readonly Seen[]) => {
    // The largest come first: the small ones fill the rest of the time.
    const byBytes = [...those].sort((a, b) => b.raw.bytes - a.raw.bytes);
    const look = async (each: ToObserve) => {
      using db = await options.db.beside();
      const asText = texts.flatMap((seen) => (seen.resource === each.resource.name ? seen.unflattened : []));
      const seen = await observeSource(db, { ...options, asText }, each);
      if (seen === undefined) observed.delete(each);
      else observed.set(each, seen);
    };
    const failed: ToObserve[] = [];
    await sideBySide(byBytes, AT_ONCE, async (each) => {
      try {
        await look(each);
      } catch (error) {
        if (!isOfValues(error)) throw error;
        failed.push(each);
      }
    });
    // They share the memory: one that had no room next to another may have it alone. Here is the wall around a source's
    // records of one resource. An error in them becomes their outcome, and the run continues with all others.
    for (const each of failed) {
      observed.delete(each);
      try {
        await look(each);
      } catch (error) {
        if (!isOfValues(error)) throw error;
        const message = setAsideMessage(error);
        await failListings(options.db, each.raw, { error_code: 'SOURCE_SET_ASIDE', message });
      }
    }
  };
  await observeAll(listed, []);
  // A column has one form: an object that is text in one source is text in all.
  const first = [...observed.values()];
  const textIn = (table: ResourceName) =>
    new Set(first.flatMap((seen) => (seen.resource === table ? seen.unflattened.map(pathText) : [])));
  const otherwise = listed.filter((each) =>
    observed.get(each)?.flattened.some((path) => textIn(each.resource.name).has(pathText(path))),
  );
  await observeAll(otherwise, first);
  const all = listed.flatMap((each) => observed.get(each) ?? []);
  const sampled = await sampleRecords(
    options.db,
    all.flatMap(({ toSample }) => toSample ?? []),
  );
  return all.map((seen) => ({ ...seen, sampled: seen.toSample && sampled.get(seen.toSample) }));
}

/**
 * What a source's records show. Undefined if they have lost their key: then the listing fails. `asText` has the paths of
 * objects that are text in another source.
 */
async function observeSource(
  db: DuckDb,
  { base, dialects, record, asText }: Planning & { readonly asText: readonly Path[] },
  { resource, raw, records, allCount }: ToObserve,
) {
  const { source } = raw;
  const before = base.schema.tables[resource.name];
  const known = knownPaths(before, source);
  const found = dialects.get(source)?.resources[resource.name];
  const { resources, maxColumns } = sourceNamed(record.config, source);
  const settings = resources[resource.name];
  const columns = new Map(Object.entries(settings?.columns ?? {}));
  const given = settings?.id ?? found?.idField;
  const locked = before?.keys[source];
  const slices = await slicesOf(db, { ...raw, allCount });
  const noted = slices.counts === undefined ? notedKeys(raw.notes) : undefined;
  const observed = await observe({
    db,
    slices,
    records,
    keys: noted ?? (await ownKeys(db, slices)),
    maxColumns,
    known: known.paths,
    areFew: isSmall(raw),
    ...(given === undefined && locked === undefined && { countAlso: likelyKey(resource) }),
    flattened: before?.flattened ?? [],
    unflattened: [...(before?.unflattened ?? []), ...asText],
    meantAt: (path) => meantOf(columns.get(known.plainNameAt(path)), known.readingAt(path)),
  });
  if ('crowded' in observed) {
    await failListings(db, raw, tooWide(raw, maxColumns, observed.crowded));
    return undefined;
  }
  // The field as the records write it. List knows it if it requests children by it.
  const setting = given && (found?.idField ?? spelling(given, observed));
  const lost = setting === undefined ? lostKey(locked, observed) : undefined;
  if (lost !== undefined) {
    await failForLostKey(db, raw, { field: lost, observed });
    return undefined;
  }
  const key = await findKey({
    db,
    slices,
    resource,
    records,
    fields: observed.profiles.flatMap(({ path: [first, ...deeper] }) =>
      first === undefined || deeper.length > 0 ? [] : [first],
    ),
    counts: observed.counts,
    setting,
    locked,
    isOneRecord: parseEnvelope(found?.dialect?.envelope ?? '')?.form === 'record',
  });
  const published = new Set(known.paths.map(pathText));
  const own = observed.profiles.map(({ path }) => path);
  const unpublished = own.filter((path) => !published.has(pathText(path)));
  const repeated = await repeatedIds({ db, slices, resource, key, paths: unpublished });
  const isRepeated = new Set(repeated.map(pathText));
  const paths = [
    ...own,
    ...observed.flattened,
    ...(before?.columns.flatMap((column) => column.paths.map(({ path }) => path)) ?? []),
  ];
  const values = [
    ...observed.profiles
      .filter(({ profile }) => countOf(profile) > countOf(profile, ['empty', 'sentinel', 'noNumber']))
      .map(({ path }) => path),
    ...known.withValues,
  ];
  const profiles = observed.profiles.filter(
    ({ path }) => !isHidden('drop', settings, path) && !isRepeated.has(pathText(path)),
  );
  const shown = profiles.map(({ path }) => path).filter((path) => !isHidden('mask', settings, path));
  return {
    ...observed,
    resource: resource.name,
    profiles,
    /** Undefined without ids or values. */
    toSample:
      key?.kind === 'field' && shown.length > 0
        ? { slices, field: key.field, paths: shown, areFew: isSmall(raw), at: record.startedAt }
        : undefined,
    /** Paths with values that the config drops. They get a name too: a later config may show them. */
    dropped: own.filter((path) => isHidden('drop', settings, path) && !isRepeated.has(pathText(path))),
    source,
    key,
    questions: privacyQuestions({ source, table: resource.name, settings, paths, values, key }),
  };
}

/** Members that a message shows. */
const SHOWN = 6;
/** Their names are data, and may be long. */
const NAME_LENGTH = 40;

/** Why a listing fails that has more members than its table may have columns. */
function tooWide({ resource }: NotedRaw, maxColumns: number, { path, added, room }: Crowded) {
  const names = added
    .slice(0, SHOWN)
    .map((name) => JSON.stringify([...path, name].join('.').slice(0, NAME_LENGTH)));
  return {
    error_code: 'TABLE_TOO_WIDE',
    message: `The records of ${resource} have ${maxColumns - room + added.length} different members and may have ${maxColumns}. New ones are ${names.join(', ')}. If the table is rightly so wide, raise maxColumns of the source.`,
  };
}

/** The member that the setting `id` names, in upper or lower case. */
function spelling(setting: string, { profiles }: Observed): string {
  if (setting === NO_ID) return setting;
  const names = profiles.map(({ path }) => path.join('.'));
  const other = names.find((name) => name.toLowerCase() === setting.toLowerCase());
  return names.includes(setting) ? setting : (other ?? setting);
}

/** What earlier runs know of the paths of one source. Looks through a table once, because it has those of all. */
function knownPaths(table: TableSchema | undefined, source: string) {
  const own = (table?.columns ?? []).flatMap((column) =>
    column.paths.filter((each) => each.source === source).map((each) => ({ ...each, column })),
  );
  const byPath = new Map(own.toReversed().map((each) => [pathText(each.path), each]));
  return {
    /** The paths that have a column already. */
    paths: own.map(({ path }) => path),
    /** The paths that are shown or left out. */
    withValues: own
      .filter(({ column, isDropped }) => !column.provisional || isDropped)
      .map(({ path }) => path),
    /** How earlier runs read a path. */
    readingAt: (path: Path) => byPath.get(pathText(path))?.column.readings[source],
    /** The name of a path without `as`: the name from earlier runs, otherwise the name it has alone. */
    plainNameAt: (path: Path) => {
      const known = byPath.get(pathText(path));
      return known === undefined ? columnName(path) : (known.plainName ?? known.column.name);
    },
  };
}
