import fc from 'fast-check';
import { expect, it } from 'vitest';
import { packedColumn, unpackedColumn } from '#lib/report/packed-column.ts';
import type { Cell, CellKind } from '#lib/report/report-data.ts';

const seconds = fc.integer({ min: 0, max: 2_000_000_000 });
const moments = seconds.map((at) => new Date(at * 1000).toISOString());
const names = fc.oneof(fc.string(), fc.constantFrom('on', 'off', '__proto__', 'constructor'));

it.each<[CellKind, fc.Arbitrary<Cell>]>([
  ['time', moments],
  ['age', moments],
  ['hours', seconds.map((count) => count / 3600)],
  ['text', names],
  ['number', fc.oneof(fc.double({ noNaN: true }), fc.integer())],
])('cells of the kind %s come out of the page as they went in', (kind, cells) => {
  const rows = fc.array(fc.oneof(fc.constant(null), cells), { maxLength: 30 });
  const property = fc.property(rows, (each) => {
    expect(unpackedColumn(packedColumn(each, kind), kind)).toEqual(each);
  });
  const filled: readonly Cell[] = [null, ...fc.sample(cells, { seed: 2, numRuns: 6 })];
  fc.assert(property, { seed: 1, examples: [[[...filled]]] });
});
