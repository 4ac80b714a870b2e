import { columnName } from './column-name.ts';

/** The keys from a record to a value. */
export type Path = readonly string[];

/** A path as one text, for comparison. */
export const pathText = (path: Path) => JSON.stringify(path);

/** The same for a path of a source. */
export const placeOf = ({ source, path }: Pick<NamedPath, 'source' | 'path'>) => pathText([source, ...path]);

export interface NamedPath {
  readonly source: string;
  readonly path: Path;
  readonly column: string;
}

export interface NameRequest {
  /** Names that no path may have: the table's fixed columns and `export_date`. */
  readonly reserved: readonly string[];
  /** The published names, kept for ever. */
  readonly known: readonly NamedPath[];
  /** The paths that each source showed in this run. */
  readonly paths: Readonly<Record<string, readonly Path[]>>;
}

/**
 * The table's names after this run: all known ones, unchanged, and one for each new (source, path). A
 * source's paths of one run never share a column. Those that most sources show come first, those with a sign
 * before a name last; the others are in the order of their paths. A later path gets `_2`, `_3`, …. Paths of
 * different sources with the same name do share a column. The result is sorted by source and path, whatever
 * order the input has. A source may show two paths together that different runs published under one name. No
 * row can hold both: the first by order keeps the name, the other gets a new one from now on.
 */
export function assignNames(request: NameRequest): readonly NamedPath[] {
  const names = namesOf(request);
  const unnamed = wantedPaths(request.paths).map(({ path, sources }) => ({
    path,
    base: columnName(path),
    sources: sources.filter((source) => !names.keepsKnown(source, path)),
  }));
  const passes: readonly ((each: Unnamed) => string | undefined)[] = [
    // Paths that already have this name in another source.
    (each) => names.ofSamePath(each.path).find((column) => names.isFree(column, each)),
    // Paths with a name of their own come first: `name_2` may be such a name, and must not go to another
    // path.
    (each) => [each.base].find((column) => names.isFree(column, each)),
    (each) => names.numbered(each),
  ];
  passes.reduce(
    (left, choose) => left.filter((each) => each.sources.length > 0 && !names.give(choose(each), each)),
    unnamed,
  );
  return names.all();
}

interface Unnamed {
  readonly path: Path;
  readonly base: string;
  /** The sources in which it has no name yet. */
  readonly sources: readonly string[];
}

/**
 * Every path once, with the sources that showed it. Those that most sources show come first: one source cannot take a
 * name from the others (`ID` next to `Id`). Of the others, those with a sign before a name come last: a framework adds
 * `_created`, and `created` is the API's own. Otherwise the order is that of the paths.
 */
function wantedPaths(paths: NameRequest['paths']): readonly { path: Path; sources: string[] }[] {
  const byPath = new Map<string, { path: Path; sources: string[] }>();
  for (const source of Object.keys(paths).sort()) {
    for (const path of paths[source] ?? []) {
      const wanted = byPath.get(pathText(path)) ?? { path, sources: [] };
      if (wanted.sources.at(-1) !== source) wanted.sources.push(source);
      byPath.set(pathText(path), wanted);
    }
  }
  return [...byPath.entries()]
    .sort(
      ([a, one], [b, other]) =>
        other.sources.length - one.sources.length || signs(one.path) - signs(other.path) || compare(a, b),
    )
    .map(([, wanted]) => wanted);
}

/** How many names of a path begin with a sign. */
function signs(path: Path): number {
  return path.filter((name) => /^[^\p{L}\p{N}]+[\p{L}\p{N}]/u.test(name)).length;
}

/** Which path has which column. A name keeps the meaning that any run gave it; in this run no two paths share a column. */
function namesOf({ known, reserved }: NameRequest) {
  const entries = new Map<string, NamedPath>();
  /**
   * By column: the names that its paths would have without a number. The column `name_2` may be the second
   * `name`, or a path named Name2.
   */
  const meanings = new Map<string, Set<string>>();
  const taken = new Set<string>();

  const add = (entry: NamedPath) => {
    entries.set(placeOf(entry), entry);
    meanings.set(entry.column, (meanings.get(entry.column) ?? new Set()).add(columnName(entry.path)));
  };
  for (const entry of known) add(entry);

  const isFree = (column: string, { base, sources }: Unnamed): boolean => {
    const hasOtherMeaning = meanings.get(column)?.has(base) === false;
    const isTaken = sources.some((source) => taken.has(pathText([source, column])));
    return !reserved.includes(column) && !hasOtherMeaning && !isTaken;
  };

  return {
    isFree,

    /** The first free one of `name_2`, `name_3`, …. */
    numbered(each: Unnamed): string {
      let number = 2;
      while (!isFree(`${each.base}_${number}`, each)) number++;
      return `${each.base}_${number}`;
    },

    /** True if the source's path keeps its name, which is then taken in this run. */
    keepsKnown(source: string, path: Path): boolean {
      const column = entries.get(placeOf({ source, path }))?.column;
      if (column === undefined || taken.has(pathText([source, column]))) return false;
      taken.add(pathText([source, column]));
      return true;
    },

    ofSamePath(path: Path): readonly string[] {
      const same = [...entries.values()].filter((entry) => pathText(entry.path) === pathText(path));
      return [...new Set(same.map((entry) => entry.column))].sort(compare);
    },

    give(column: string | undefined, { path, sources }: Unnamed): boolean {
      if (column === undefined) return false;
      for (const source of sources) {
        add({ source, path, column });
        taken.add(pathText([source, column]));
      }
      return true;
    },

    all: () => [...entries.entries()].sort(([a], [b]) => compare(a, b)).map(([, entry]) => entry),
  };
}

/** By code units: unlike localeCompare, the same on every machine. */
const compare = (a: string, b: string) => (a < b ? -1 : Number(a > b));
