import { allPairs, type Row } from './all-pairs.ts';
import { AXES, type Axes, fitTogether } from './axes.ts';
import { profileOf } from './dialect.ts';
import type { Profile } from './profile.ts';
import type { Shapes } from './shapes.ts';

/** Values that would only make the set longer, for another value or a named profile tests the same. */
const LEFT_OUT: readonly string[] = ['items', 'rows', 'offset', 'page-if-asked'];

const CHOICES = Object.fromEntries(
  Object.entries(AXES).map(([axis, values]) => [axis, values.filter((value) => !LEFT_OUT.includes(value))]),
);

const SHAPES: readonly Shapes[] = [
  { app_groups: 'list', pending_file_transfers: 'list', backup_pricing: 'tree' },
  { app_groups: 'tree', pending_file_transfers: 'list', backup_pricing: 'list' },
  { app_groups: 'list', pending_file_transfers: 'tree', backup_pricing: 'tree' },
  { app_groups: 'map', pending_file_transfers: 'map', backup_pricing: 'map' },
];

/** Dialects in which any two values of two axes meet, named `pairwise:0`, `pairwise:1`, …; the seed decides the set. */
export function pairwiseProfiles(seed: number): readonly Profile[] {
  return pairwiseAxes(seed).map((axes, i) =>
    profileOf({
      name: `pairwise:${i}`,
      signage: axes,
      backup: axes,
      shapes: SHAPES[i % SHAPES.length] ?? {
        app_groups: 'list',
        pending_file_transfers: 'list',
        backup_pricing: 'list',
      },
    }),
  );
}

/** The axes of each of these dialects. */
function pairwiseAxes(seed: number): readonly Axes[] {
  return allPairs(
    CHOICES,
    (row: Row) => fitTogether(row as Partial<Axes>),
    seed,
  ) as unknown as readonly Axes[];
}
