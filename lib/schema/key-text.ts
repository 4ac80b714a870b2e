import type { TableForm } from './tables.ts';

export type Keyed = Pick<TableForm, 'key' | 'keyNulls'>;

/** The columns that tell rows apart. No column of a key is null, except those that say so. */
export function keyText({ key, keyNulls = [] }: Keyed, shown = (column: string) => column): string {
  return key.map((column) => `${shown(column)}${keyNulls.includes(column) ? ' or null' : ''}`).join(', ');
}
