import { type Path, pathText } from '../schema/columns/assign-names.ts';
import { columnName } from '../schema/columns/column-name.ts';
import type { TableSchema } from '../schema/schema.ts';

/** What earlier runs know of the paths of one source. Looks through a table once, because it has those of all. */
export function knownPaths(table: TableSchema | undefined, source: string) {
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
