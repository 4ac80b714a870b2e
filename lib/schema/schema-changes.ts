import type { ColumnType } from '../column-types.ts';
import type { Schema, SchemaColumn } from './schema.ts';

/** A column whose type is another one now. */
export interface Retyped {
  readonly column: SchemaColumn;
  readonly from: ColumnType;
  /** Sources whose committed values are not masked yet. */
  readonly newlyMasked: readonly string[];
}

/**
 * The columns of a table whose type differs from that of the committed files, or whose values are masked now and not in
 * those files.
 */
export function retypedColumns(base: Schema, now: Schema, table: string): readonly Retyped[] {
  const before = new Map(base.tables[table]?.columns.map((column) => [column.name, column]));
  return (now.tables[table]?.columns ?? []).flatMap((column) => {
    const old = before.get(column.name);
    if (old === undefined || old.provisional || column.provisional) return [];
    const newlyMasked = column.masked.filter((source) => !old.masked.includes(source));
    return old.type === column.type && newlyMasked.length === 0
      ? []
      : [{ column, from: old.type, newlyMasked }];
  });
}

/** The columns of a table that are not in the files any more, because the config drops them. */
export function droppedColumns(base: Schema, now: Schema, table: string): readonly string[] {
  const after = new Map(now.tables[table]?.columns.map((column) => [column.name, column]));
  const before = base.tables[table]?.columns ?? [];
  return before
    .filter(({ name, since }) => since !== null && after.get(name)?.since === null)
    .map(({ name }) => name);
}

/**
 * A column that stays in the files for some sources, and the sources whose values the config drops now. The committed
 * files still show those values.
 */
export interface DroppedHere {
  readonly column: string;
  readonly sources: readonly string[];
}

/** The columns of a table that the config drops for some of their sources. */
export function droppedHere(base: Schema, now: Schema, table: string): readonly DroppedHere[] {
  const before = new Map(base.tables[table]?.columns.map((column) => [column.name, column]));
  return (now.tables[table]?.columns ?? []).flatMap(({ name, since, paths }) => {
    const old = before.get(name);
    if (since === null || old === undefined || old.since === null) return [];
    const was = new Set(old.paths.filter(({ isDropped }) => isDropped).map(placeOfPath));
    const sources = paths
      .filter((path) => path.isDropped && !was.has(placeOfPath(path)))
      .map(({ source }) => source);
    return sources.length === 0 ? [] : [{ column: name, sources: [...new Set(sources)] }];
  });
}

function placeOfPath({
  source,
  path,
}: {
  readonly source: string;
  readonly path: readonly string[];
}): string {
  return JSON.stringify([source, ...path]);
}

/** True where the config hides a column that the committed files show. */
export function hidesAnything(base: Schema, now: Schema): boolean {
  return Object.keys(now.tables).some(
    (table) =>
      droppedColumns(base, now, table).length > 0 ||
      droppedHere(base, now, table).length > 0 ||
      retypedColumns(base, now, table).some(({ newlyMasked }) => newlyMasked.length > 0),
  );
}
