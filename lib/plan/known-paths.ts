import type { Reading } from '../schema/cells/formats.ts';
import { type Path, pathText } from '../schema/columns/assign-names.ts';
import { columnName } from '../schema/columns/column-name.ts';
import type { TableSchema } from '../schema/schema.ts';

/** What earlier runs know of the paths of one source. */
export interface KnownPaths {
  /** The paths that have a column already. */
  readonly paths: readonly Path[];
  /** The paths that are shown or left out. */
  readonly withValues: readonly Path[];
  /** How earlier runs read a path. */
  readonly readingAt: (path: Path) => Reading | undefined;
  /** The name of a path without `as`: the name from earlier runs, otherwise the name it has alone. */
  readonly plainNameAt: (path: Path) => string;
}

/** Looks through a table once, because it has the paths of all sources. */
export function knownPaths(table: TableSchema | undefined, source: string): KnownPaths {
  const own = (table?.columns ?? []).flatMap((column) =>
    column.paths.filter((each) => each.source === source).map((each) => ({ ...each, column })),
  );
  const byPath = new Map(own.toReversed().map((each) => [pathText(each.path), each]));
  return {
    paths: own.map(({ path }) => path),
    withValues: own
      .filter(({ column, isDropped }) => !column.provisional || isDropped)
      .map(({ path }) => path),
    readingAt: (path) => byPath.get(pathText(path))?.column.readings[source],
    plainNameAt: (path) => {
      const known = byPath.get(pathText(path));
      return known === undefined ? columnName(path) : (known.plainName ?? known.column.name);
    },
  };
}
