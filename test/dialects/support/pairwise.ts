import fc from 'fast-check';
import { AXES, type Axes } from '#simulator/profiles/axes.ts';
import { profileOf } from '#simulator/profiles/dialect.ts';
import type { Profile } from '#simulator/profiles/profile.ts';
import type { Shapes } from '#simulator/profiles/shapes.ts';

/** Values that would only make the set longer, for another value or a named profile tests the same. */
const LEFT_OUT: readonly string[] = ['items', 'page-if-asked'];

const anyOf = <Value extends string>(values: readonly Value[]) =>
  fc.constantFrom(...values.filter((value) => !LEFT_OUT.includes(value)));

const anyAxes: fc.Arbitrary<Axes> = fc
  .record({
    envelope: anyOf(AXES.envelope),
    id: anyOf(AXES.id),
    keys: anyOf(AXES.keys),
    absent: anyOf(AXES.absent),
    dates: anyOf(AXES.dates),
    booleans: anyOf(AXES.booleans),
    numbers: anyOf(AXES.numbers),
    paging: anyOf(AXES.paging),
  })
  .filter(fitTogether);

/** False if the body is a bare list and the paging needs members next to the records. */
function fitTogether({ envelope, paging }: Axes): boolean {
  const noRoom = envelope === 'bare' || envelope === 'keyed-map';
  return !noRoom || paging === 'none' || paging === 'link-header';
}

const SHAPES: readonly Shapes[] = [
  { app_groups: 'list', pending_file_transfers: 'list', backup_pricing: 'tree' },
  { app_groups: 'tree', pending_file_transfers: 'list', backup_pricing: 'list' },
  { app_groups: 'list', pending_file_transfers: 'tree', backup_pricing: 'tree' },
  { app_groups: 'map', pending_file_transfers: 'map', backup_pricing: 'map' },
];

/** So many that each pair is in some dozens of them. */
const DRAWS = 4000;

/** Dialects in which any two values of two axes meet, named `pairwise:0`, `pairwise:1`, …; the seed decides the set. */
export function pairwiseProfiles(seed: number): readonly Profile[] {
  const draws = fc.sample(anyAxes, { seed, numRuns: DRAWS }).map((axes) => ({ axes, pairs: pairsOf(axes) }));
  const missing = new Set(draws.flatMap(({ pairs }) => pairs));
  const gain = ({ pairs }: { readonly pairs: readonly string[] }) =>
    pairs.filter((pair) => missing.has(pair)).length;
  const rows: Axes[] = [];
  for (const next of missing) {
    const best = draws
      .filter(({ pairs }) => pairs.includes(next))
      .reduce((a, b) => (gain(b) > gain(a) ? b : a));
    rows.push(best.axes);
    for (const pair of best.pairs) missing.delete(pair);
  }
  return rows.map((axes, i) =>
    profileOf({
      name: `pairwise:${i}`,
      signage: axes,
      backup: axes,
      shapes: SHAPES[i % SHAPES.length] as Shapes,
    }),
  );
}

function pairsOf(axes: Axes): string[] {
  const values = Object.entries(axes).map(([axis, value]) => `${axis}=${value}`);
  return values.flatMap((a, i) => values.slice(i + 1).map((b) => `${a} with ${b}`));
}
