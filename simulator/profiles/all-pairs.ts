import { dice } from '../dice.ts';

/** The name of an axis → its values. */
export type Choices = Readonly<Record<string, readonly string[]>>;
export type Row = Readonly<Record<string, string>>;

/**
 * Few rows. Any two values of different axes are together in at least one, unless `allows` forbids the pair. Each row
 * begins with a missing pair and takes the values that add most missing pairs. The same seed makes the same rows.
 */
export function allPairs(choices: Choices, allows: (row: Row) => boolean, seed: number): readonly Row[] {
  const axes = Object.keys(choices);
  const missing = new Set(everyPair(choices, axes, allows));
  const draw = dice(seed);
  const rows: Row[] = [];
  for (const first of missing) {
    let row = JSON.parse(first) as Row;
    for (const axis of shuffled(axes, draw.below)) {
      if (!(axis in row)) row = { ...row, [axis]: best(row, axis, choices[axis] ?? [], missing, allows) };
    }
    for (const pair of pairsOf(row, axes)) missing.delete(pair);
    rows.push(row);
  }
  return rows;
}

function everyPair(choices: Choices, axes: readonly string[], allows: (row: Row) => boolean): string[] {
  return axes.flatMap((a, i) =>
    axes
      .slice(i + 1)
      .flatMap((b) =>
        (choices[a] ?? []).flatMap((left) =>
          (choices[b] ?? [])
            .filter((right) => allows({ [a]: left, [b]: right }))
            .map((right) => pair(a, left, b, right)),
        ),
      ),
  );
}

/** The allowed value that adds most missing pairs. */
function best(
  row: Row,
  axis: string,
  values: readonly string[],
  missing: ReadonlySet<string>,
  allows: (row: Row) => boolean,
): string {
  const gains = values
    .filter((value) => allows({ ...row, [axis]: value }))
    .map((value) => ({ value, gain: gainOf(row, axis, value, missing) }));
  return gains.reduce((a, b) => (b.gain > a.gain ? b : a)).value;
}

function gainOf(row: Row, axis: string, value: string, missing: ReadonlySet<string>): number {
  const brings = (other: string) =>
    missing.has(pair(axis, value, other, row[other] ?? '')) ||
    missing.has(pair(other, row[other] ?? '', axis, value));
  return Object.keys(row).filter(brings).length;
}

function pairsOf(row: Row, axes: readonly string[]): string[] {
  return axes.flatMap((a, i) => axes.slice(i + 1).map((b) => pair(a, row[a] ?? '', b, row[b] ?? '')));
}

function pair(a: string, left: string, b: string, right: string): string {
  return JSON.stringify({ [a]: left, [b]: right });
}

function shuffled<T>(values: readonly T[], below: (limit: number) => number): T[] {
  const rest = [...values];
  return values.flatMap(() => rest.splice(below(rest.length), 1));
}
