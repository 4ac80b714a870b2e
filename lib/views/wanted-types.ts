import type { ColumnType } from '../column-types.ts';
import { readsText } from './given-column.ts';
import type { ViewFile } from './view-file.ts';

/**
 * TABLE.COLUMN → the type that the views want of it: of what they need, and of what they use where they cannot read it
 * from text. The text of a number is no harm there, so `A-17` stays the number of a screen.
 */
export function wantedTypes(
  views: readonly Pick<ViewFile, 'needs' | 'uses'>[],
): ReadonlyMap<string, ColumnType> {
  const wanted = views.flatMap(({ needs, uses }) => [
    ...needs,
    ...uses.filter(({ type }) => !readsText(type)),
  ]);
  return new Map(wanted.map(({ table, column, type }) => [`${table}.${column}`, type]));
}
