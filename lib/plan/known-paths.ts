import type { Reading } from '../schema/cells/formats.ts';
import { type Path, placeOf } from '../schema/columns/assign-names.ts';
import { columnName } from '../schema/columns/column-name.ts';
import type { TableSchema } from '../schema/schema.ts';

/** The source's paths that have a column already. */
export function pathsIn(table: TableSchema | undefined, source: string): readonly Path[] {
  const paths = table?.columns.flatMap((column) => column.paths) ?? [];
  return paths.filter((each) => each.source === source).map(({ path }) => path);
}

/** The source's paths that are shown or left out. */
export function valuesBefore(table: TableSchema | undefined, source: string): readonly Path[] {
  const shown = table?.columns.flatMap(({ provisional, paths }) =>
    paths.filter(({ isDropped }) => !provisional || isDropped),
  );
  return (shown ?? []).filter((each) => each.source === source).map(({ path }) => path);
}

/** How earlier runs read a source's path. */
export function readingAt(
  table: TableSchema | undefined,
  at: { readonly source: string; readonly path: Path },
): Reading | undefined {
  const found = table?.columns.find(({ paths }) => paths.some((each) => placeOf(each) === placeOf(at)));
  return found?.readings[at.source];
}

/** The name of a source's path without `as`: the name from earlier runs, otherwise the name it has alone. */
export function plainNameAt(
  table: TableSchema | undefined,
  at: { readonly source: string; readonly path: Path },
): string {
  for (const { name, paths } of table?.columns ?? []) {
    const known = paths.find((each) => placeOf(each) === placeOf(at));
    if (known !== undefined) return known.plainName ?? name;
  }
  return columnName(at.path);
}
