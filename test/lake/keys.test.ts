import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { KEY_KINDS, lakeKey, lakePrefix, parseKey } from '#lib/lake/keys.ts';
import { runIdAt } from '#lib/run-id.ts';
import { RESOURCE_NAMES } from '#lib/sources/resources.ts';

const count = fc.integer({ min: 0, max: 2_000_000 });
const fields = fc.record({
  runId: fc.date({ min: new Date(0), max: new Date('9998-12-31'), noInvalidDate: true }).map(runIdAt),
  source: fc.stringMatching(/^[a-z0-9][a-z0-9_-]{0,62}$/),
  resource: fc.constantFrom(...RESOURCE_NAMES),
  attempt: count,
  pass: count,
  batch: count,
  unit: count,
  table: fc.constantFrom(...RESOURCE_NAMES, 'changes', 'runs', 'schema_columns'),
  exportDate: fc
    .date({ min: new Date(0), max: new Date('9998-12-31'), noInvalidDate: true })
    .map((date) => date.toISOString().slice(0, 10)),
  part: count,
  month: fc.constantFrom('2026-09', '2026-10'),
  hash: fc.stringMatching(/^[0-9a-f]{20}$/),
});
describe('lake keys', () => {
  it('reads back every key that it renders', () => {
    fc.assert(
      fc.property(fc.constantFrom(...KEY_KINDS), fields, (kind, all) => {
        const key = lakeKey(kind, all);
        const read = parseKey(key);
        expect(read).toMatchObject({ kind });
        expect({ ...all, ...read }).toEqual({ ...all, kind });
        expect(lakePrefix(kind, all)).toBe(key.slice(0, key.lastIndexOf('/') + 1));
      }),
    );
  });

  it.each([
    '',
    'state/head.json.bak',
    'state/headXjson',
    'raw/20261121T030000Z/berlin/nothing/pass-1/batch-00007.parquet',
    'raw/20261121T030000Z/berlin/screens/pass-01/batch-00007.parquet',
    'raw/20261121T030000Z/berlin/screens/pass-1/batch-000007.parquet',
    'raw/20261121T030000Z/../screens/pass-1/batch-00007.parquet',
    'raw/20261121T030000Z/berlin/screens/pass-1/batch-00007.parquet\n',
    'tables/screens/export_date=2026-11-21/run=20261121T030000Z/part-0000.parquet',
  ])('knows %j for none of ours', (key) => {
    expect(parseKey(key)).toBeUndefined();
  });
});
