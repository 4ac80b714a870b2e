import type { ColumnType } from '../column-types.ts';
import { readsText } from './given-column.ts';
import type { ViewFile } from './view-file.ts';

/**
 * TABLE.COLUMN → the type that the views want: of what they need, and of what they use unless they can read
 * it from text. A number as text does no harm there: `A-17` stays the number of a screen.
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
