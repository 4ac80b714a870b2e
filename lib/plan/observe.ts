import type { DuckDb } from '../runtime/duckdb.ts';
import { meantSql } from '../schema/cells/cast-sql.ts';
import type { Meant } from '../schema/cells/formats.ts';
import { type Path, pathText } from '../schema/columns/assign-names.ts';
import { profileColumns } from '../schema/columns/profile-sql.ts';
import { type ColumnProfile, countOf } from '../schema/columns/value-classes.ts';
import { leafColumn, leavesSql, recordTextsSql, type Slices } from '../schema/leaves.ts';

/** Objects at a greater depth stay as JSON text. */
const MAX_DEPTH = 6;
/** An object with more different keys holds data in its keys and stays as JSON text. */
const MAX_KEYS = 64;

interface PathProfile {
  readonly path: Path;
  readonly profile: ColumnProfile;
}

export interface Observed {
  /** Every path except those of only flattened objects. */
  readonly profiles: readonly PathProfile[];
  /** Paths with objects that are taken apart. */
  readonly flattened: readonly Path[];
  /** Paths with objects that stay as JSON text, because their keys are data. */
  readonly unflattened: readonly Path[];
  /** The counts of `countAlso`; empty without it. */
  readonly counts: readonly number[];
}

/** The records, or an object that is taken apart, have more members now than the table has room for. */
export interface Crowded {
  /** Empty for the records. */
  readonly path: Path;
  /** Its members that have no column yet. */
  readonly added: readonly string[];
  /** Columns that the table may still get. */
  readonly room: number;
}

export interface ObserveOptions {
  readonly db: DuckDb;
  /** The slices of one source's answers. */
  readonly slices: Slices;
  /** The number of records in the slices. */
  readonly records: number;
  /** The top-level keys of the records. */
  readonly keys: readonly string[];
  /** From so many columns of the source on, with those of earlier runs, no more objects are flattened. */
  readonly maxColumns: number;
  /** The source's paths that have a column. */
  readonly known: readonly Path[];
  /** True if the records are few enough to be read once and kept in memory. */
  readonly areFew: boolean;
  /** Returns SQL of further counts, from the records' top-level keys and the column of each. */
  readonly countAlso?: (fields: readonly string[], leafOf: (field: string) => string) => readonly string[];
  /** The paths that earlier runs flattened. */
  readonly flattened: readonly Path[];
  readonly unflattened: readonly Path[];
  /** Returns what values at a path mean, as far as the config says so. */
  readonly meantAt: (path: Path) => Meant;
}

/**
 * Looks at one source's records of the whole run, level by level: keys, their values, then the keys of
 * objects. Ends early where the records, or an object that is already taken apart, have too many new members.
 */
export async function observe(options: ObserveOptions): Promise<Observed | { readonly crowded: Crowded }> {
  const { db, records, maxColumns } = options;
  const profiles: PathProfile[] = [];
  const flattened: Path[] = [];
  const unflattened: Path[] = [];
  let counts: readonly number[] = [];
  const known = { flattened: setOf(options.flattened), unflattened: setOf(options.unflattened) };
  const keys = records === 0 ? [] : options.keys;
  // Only the member counts in an object that is taken apart: other members must not make a new one fail.
  const members = new Set(options.known.map(([first]) => first));
  const added = keys.filter((key) => !members.has(key));
  const room = Math.max(0, maxColumns - members.size);
  if (added.length > room) return { crowded: { path: [], added, room } };
  let level: readonly Path[] = keys.map((key) => [key]);
  /** Paths that have a column, or get one. */
  const columns = setOf([...options.known, ...level]);
  for (const path of options.flattened) columns.delete(pathText(path));

  for (let depth = 1; level.length > 0; depth++) {
    const next: Path[] = [];
    const leaves = await leavesOf(options, level);
    const found = await profileLevel(options, { level, leaves, isTop: depth === 1 });
    if (depth === 1) counts = found.counts;
    const isText = ({ path, profile }: PathProfile) =>
      countOf(profile, ['object']) === 0 ||
      (known.unflattened.has(pathText(path)) && !known.flattened.has(pathText(path)));
    const keysAt = await keysOfLeaves(
      db,
      leaves,
      found.profiles.flatMap((each, index) => (isText(each) ? [] : [leafColumn(index)])),
    );
    for (const [index, { path, profile }] of found.profiles.entries()) {
      const objects = countOf(profile, ['object']);
      const wasFlat = known.flattened.has(pathText(path));
      const keys = keysAt.get(leafColumn(index)) ?? [];
      const added = keys.filter((key) => !columns.has(pathText([...path, key])));
      const room = Math.max(0, maxColumns - columns.size);
      if (wasFlat && added.length > room) return { crowded: { path, added, room } };
      const isSmall = depth < MAX_DEPTH && keys.length <= MAX_KEYS && added.length <= room;
      const isFlat = keys.length > 0 && (isSmall || wasFlat);
      if (isFlat) {
        flattened.push(path);
        columns.delete(pathText(path));
        for (const key of keys) {
          next.push([...path, key]);
          columns.add(pathText([...path, key]));
        }
      } else if (objects > 0) {
        // All objects are `{}`, which counts as no value.
        unflattened.push(path);
      }
      const { object: _, ...others } = profile.counts;
      const own = isFlat ? { ...profile, counts: others } : profile;
      if (!isFlat || countOf(own) > 0) {
        profiles.push({ path, profile: own });
        columns.add(pathText(path));
      }
    }
    level = next;
  }
  return { profiles, flattened, unflattened, counts };
}

/** SQL of a level's leaves. They are read up to four times, so few ones are put into a table. */
async function leavesOf(
  { db, slices, areFew, meantAt }: ObserveOptions,
  level: readonly Path[],
): Promise<string> {
  const meant = level.flatMap((path, index) => {
    const leaf = leafColumn(index);
    const read = meantSql(meantAt(path), leaf);
    return read === undefined ? [] : [`${read} as ${leaf}`];
  });
  const said = `(${leavesSql(slices, level)})`;
  const leaves = meant.length === 0 ? said : `(select * replace (${meant.join(', ')}) from ${said})`;
  if (!areFew) return leaves;
  await db.run(`create or replace temp table leaves as from ${leaves}`);
  return 'leaves';
}

interface Level {
  readonly level: readonly Path[];
  /** SQL of the level's leaves. */
  readonly leaves: string;
  readonly isTop: boolean;
}

async function profileLevel(
  { db, records, countAlso }: ObserveOptions,
  { level, leaves, isTop }: Level,
): Promise<{ readonly profiles: readonly PathProfile[]; readonly counts: readonly number[] }> {
  const columns = level.map((_, index) => leafColumn(index));
  const fields = level.map(([key = '']) => key);
  const counts = isTop ? countAlso?.(fields, (field) => leafColumn(fields.indexOf(field))) : undefined;
  const found = await profileColumns({
    rows: db.rows,
    relation: leaves,
    columns,
    records,
    counts: counts ?? [],
  });
  const profiles = level.map((path, index) => {
    const profile = found.columns.get(leafColumn(index));
    if (profile === undefined) throw new Error(`${pathText(path)} has no profile`);
    return { path, profile };
  });
  return { profiles, counts: found.counts };
}

/** The different members of the records themselves. */
export async function ownKeys(db: DuckDb, slices: Slices): Promise<readonly string[]> {
  return (await keysOfLeaves(db, `(${recordTextsSql(slices)})`, ['record'])).get('record') ?? [];
}

/** The different keys of the objects in each of the columns, in a fixed order. One query reads the rows. */
async function keysOfLeaves(
  db: DuckDb,
  relation: string,
  columns: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  if (columns.length === 0) return new Map();
  const leaves = columns.map(
    (name) => `{ name: '${name}', keys: case when starts_with(${name}, '{') then json_keys(${name}) end }`,
  );
  const rows = await db.rows(`
    -- grain: leaf, key
    select distinct leaf.name as name, unnest(leaf.keys) as key
    from (select distinct unnest([${leaves.join(', ')}]) as leaf from ${relation})
    order by key`);
  const byName = Map.groupBy(rows, ({ name }) => String(name));
  return new Map([...byName].map(([name, keys]) => [name, keys.map(({ key }) => String(key))]));
}

const setOf = (paths: readonly Path[]) => new Set(paths.map(pathText));
