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
const run = { runId: '20261121T030000Z' };
const batch = { ...run, source: 'berlin', pass: 1, batch: 7 };

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

  it('gives the folder of what is known, as far as the key says it in that order', () => {
    const prefixes = [
      lakePrefix('raw', {}),
      lakePrefix('raw', run),
      lakePrefix('raw', { ...run, source: 'berlin', resource: 'screens' }),
      lakePrefix('batch', { ...run, source: 'berlin' }),
      lakePrefix('table', { table: 'screens', exportDate: '2026-11-21' }),
    ];
    expect(prefixes).toEqual([
      'raw/',
      'raw/20261121T030000Z/',
      'raw/20261121T030000Z/berlin/screens/',
      'state/runs/20261121T030000Z/batches/berlin/',
      'tables/screens/export_date=2026-11-21/',
    ]);
  });

  it.each([
    [
      lakeKey('raw', { ...batch, resource: 'screens' }),
      'raw/20261121T030000Z/berlin/screens/pass-1/batch-00007.parquet',
    ],
    [lakeKey('head'), 'state/head.json'],
    [lakeKey('lease'), 'state/lease.json'],
    [lakeKey('runConfig', run), 'state/runs/20261121T030000Z/config.json'],
    [lakeKey('runHead', run), 'state/runs/20261121T030000Z/head.json'],
    [lakeKey('batch', batch), 'state/runs/20261121T030000Z/batches/berlin/pass-1/batch-00007.json'],
    [lakeKey('dialects', batch), 'state/runs/20261121T030000Z/dialects/berlin.json'],
    [lakeKey('plan', { ...run, attempt: 2 }), 'state/runs/20261121T030000Z/2/plan.json'],
    [lakeKey('schema', { ...run, attempt: 2 }), 'state/runs/20261121T030000Z/2/schema.json'],
    [lakeKey('unit', { ...run, attempt: 2, unit: 3 }), 'state/runs/20261121T030000Z/2/units/unit-0003.json'],
    [
      lakeKey('published', { ...run, attempt: 2, unit: 3 }),
      'state/runs/20261121T030000Z/2/published/unit-0003.json',
    ],
    [
      lakeKey('table', { ...run, attempt: 2, table: 'screens', exportDate: '2026-11-21', part: 0 }),
      'tables/screens/export_date=2026-11-21/run=20261121T030000Z.2/part-0000.parquet',
    ],
  ])('renders %s', (key, expected) => {
    expect(key).toBe(expected);
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

  it('refuses to render what it could not read', () => {
    expect(() => lakeKey('dialects', { ...run, source: '../berlin' })).toThrow(
      'is no key of the kind dialects',
    );
    expect(() => lakeKey('dialects', { source: 'berlin', runId: 'yesterday' })).toThrow(
      'is no key of the kind dialects',
    );
  });
});
