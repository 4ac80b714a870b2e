import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import fc from 'fast-check';
import { asyncBufferFromFile, parquetMetadataAsync, parquetReadObjects } from 'hyparquet';
import { compressors } from 'hyparquet-compressors';
import { describe, expect, it } from 'vitest';
import type { RawRow } from '#lib/lake/raw/raw.ts';
import { createRawFile } from '#lib/lake/raw/raw-file.ts';
import { startChildOfLimitedFiles, temporaryFolder } from '../support/lake-children.ts';
import { rawRow } from '../support/raw-row.ts';

const COLUMNS = [
  ...['parent_id', 'page', 'slice', 'outcome', 'error_code', 'answered_at', 'status', 'attempts'],
  ...['message', 'items', 'records_from', 'records_to', 'body', 'mended'],
];
const TEXTS = ['parent_id', 'outcome', 'error_code', 'message', 'body', 'mended'];

async function written(path: string, rows: readonly RawRow[], maxGroupBytes?: number) {
  const file = await createRawFile(path, maxGroupBytes === undefined ? {} : { maxGroupBytes });
  await Promise.all(rows.map((row) => file.append(row)));
  await file.close({ left: '0', 'note 😀': 'ä\0' });
}

/** The rows as both other readers shall find them. */
function expected(rows: readonly RawRow[]) {
  const nameOf = (field: string) => field.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  const found = (cell: unknown) =>
    cell instanceof Date ? cell.getTime() : cell instanceof Buffer ? cell.toString('utf8') : cell;
  return rows.map((row) =>
    Object.fromEntries(Object.entries(row).map(([field, cell]) => [nameOf(field), found(cell)])),
  );
}

async function byHyparquet(path: string): Promise<(Record<string, unknown> & { answered_at: number })[]> {
  const file = await asyncBufferFromFile(path);
  // Its own decoder drops a byte order mark.
  const stringFromBytes = (bytes: Uint8Array | undefined) => bytes && Buffer.from(bytes).toString('utf8');
  const rows = await parquetReadObjects({ file, compressors, parsers: { stringFromBytes } });
  return rows.map((row) => ({ ...row, answered_at: (row.answered_at as Date).getTime() }));
}

async function byDuckdb(path: string) {
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  // Texts as bytes: the binding's decoder drops a byte order mark.
  const texts = TEXTS.map((column) => `encode(${column}) as ${column}`).join(', ');
  const answer = await connection.runAndReadAll(
    `select * replace (epoch_ms(answered_at)::double as answered_at, ${texts}) from read_parquet($path, hive_partitioning = false)`,
    { path },
  );
  connection.closeSync();
  instance.closeSync();
  return answer
    .getRowObjectsJS()
    .map((row) =>
      Object.fromEntries(
        Object.entries(row).map(([name, cell]) => [
          name,
          cell instanceof Uint8Array ? Buffer.from(cell).toString('utf8') : cell,
        ]),
      ),
    );
}

const emoji = '😀 ä 中文 \u{10FFFF} \uFFFD';
/** The largest number that a place may have. */
const MOST = 2 ** 31 - 1;
const edges: readonly RawRow[] = [
  rawRow({}),
  rawRow({ parentId: '', message: '', errorCode: '', body: Buffer.alloc(0), mended: '' }),
  rawRow({ parentId: '\0', message: 'a\0b', body: Buffer.from('[{"Name":"a\0b"}]'), mended: '["\0"]' }),
  rawRow({ parentId: emoji, message: emoji, errorCode: emoji, body: Buffer.from(emoji), mended: emoji }),
  rawRow({ body: Buffer.from('\uFEFF[1]') }),
  rawRow({ status: null, outcome: 'failed', errorCode: 'TIMEOUT', body: null, attempts: 5 }),
  rawRow({ page: MOST, slice: MOST, recordsFrom: 0, recordsTo: MOST, items: MOST }),
  rawRow({ answeredAt: new Date(-1) }),
  rawRow({ answeredAt: new Date('0001-01-01T00:00:00.001Z') }),
  rawRow({ answeredAt: new Date('9999-12-31T23:59:59.999Z') }),
  rawRow({ body: Buffer.from(JSON.stringify('x'.repeat(1 << 20))), mended: 'y'.repeat(1 << 20) }),
  rawRow({ body: Buffer.from(emoji.repeat(50_000)) }),
];

describe('raw file', () => {
  it('is read back by both in the order of its appends, cell by cell, whatever its rows and wherever its groups end', async () => {
    await using folder = await temporaryFolder();
    const path = join(folder.path, 'any.parquet');
    const text = fc.string({ unit: 'binary', maxLength: 40 });
    const count = fc.nat({ max: 2 ** 31 - 1 });
    const row = fc.record<RawRow>({
      parentId: fc.option(text),
      page: count,
      slice: count,
      answeredAt: fc.date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true }),
      status: fc.option(count),
      attempts: count,
      outcome: fc.option(fc.constantFrom('ok', 'empty', 'gone', 'denied', 'failed')),
      errorCode: fc.option(text),
      message: fc.option(text),
      items: count,
      recordsFrom: fc.option(count),
      recordsTo: fc.option(count),
      body: fc.option(text.map((body) => Buffer.from(body))),
      mended: fc.option(text),
    });
    let each = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(row, { maxLength: 40 }),
        fc.integer({ min: 1, max: 4000 }),
        async (rows, groupBytes) => {
          each += 1;
          await written(`${path}.${each}`, rows, groupBytes);
          expect(await byHyparquet(`${path}.${each}`)).toEqual(expected(rows));
          expect(await byDuckdb(`${path}.${each}`)).toEqual(expected(rows));
        },
      ),
      { numRuns: 40, examples: [[edges, 4000]] },
    );
  });

  it('is a Parquet file with its columns also where it has no row', async () => {
    await using folder = await temporaryFolder();
    const path = join(folder.path, 'empty.parquet');
    await written(path, []);
    expect([await byHyparquet(path), await byDuckdb(path)]).toEqual([[], []]);
    const { schema, key_value_metadata } = await parquetMetadataAsync(await asyncBufferFromFile(path));
    expect(schema.slice(1).map(({ name }) => name)).toEqual(COLUMNS);
    expect(key_value_metadata).toEqual([
      { key: 'left', value: '0' },
      { key: 'note 😀', value: 'ä\0' },
      { key: 'pages_sha256', value: expect.stringMatching(/^[0-9a-f]{64}$/) },
    ]);
  });

  it('is compressed, has no statistics, and a footer under 80 kB after 1,024 times the bytes of its first group', async () => {
    await using folder = await temporaryFolder();
    const path = join(folder.path, 'long.parquet');
    const body = Buffer.from(JSON.stringify([{ Name: 'x'.repeat(4000) }]));
    await written(
      path,
      Array.from({ length: 8192 }, (_, slice) => rawRow({ slice, body })),
      1 << 15,
    );
    const { metadata_length, row_groups } = await parquetMetadataAsync(await asyncBufferFromFile(path));
    expect((await stat(path)).size).toBeLessThan((8192 * body.length) / 2);
    expect(metadata_length).toBeLessThan(80_000);
    expect(row_groups.length).toBeGreaterThan(90);
    const stated = row_groups.flatMap(({ columns }) =>
      columns.filter(({ meta_data }) => meta_data?.statistics),
    );
    expect(stated).toEqual([]);
  });

  it('says that no space is left', async () => {
    await using folder = await temporaryFolder();
    const { output } = await startChildOfLimitedFiles('write-raw', join(folder.path, 'large.parquet')).end();
    expect(JSON.parse(output)).toMatchObject({ code: 'LAKE_FULL' });
  });
});

it.each<[object, string]>([
  [{ page: '1' }, 'column page cannot hold its value'],
  [{ recordsFrom: 1n }, 'column records_from cannot hold its value'],
  [{ mended: '"\ud800"' }, 'column mended cannot hold its value'],
  [{ answeredAt: new Date('x') }, 'column answered_at cannot hold its value'],
  [{ outcome: 'lost' }, 'column outcome cannot hold its value'],
  [{ body: Buffer.from([0xff]) }, 'column body cannot hold its value'],
  [{ extra: 1 }, 'there is no column for the field "extra"'],
])('raw row with %o is refused by name', async (wrong, what) => {
  await using folder = await temporaryFolder();
  const path = join(folder.path, 'strict.parquet');
  const file = await createRawFile(path);
  await file.append(rawRow({ page: 1 }));
  await expect(file.append({ ...rawRow({}), ...wrong } as RawRow)).rejects.toThrow(
    expect.objectContaining({
      code: 'RAW_ROW_INVALID',
      message: expect.stringContaining(`A raw row cannot be written: ${what}. `),
    }),
  );
  await file.append(rawRow({ page: 2 }));
  await file.close({});
  expect((await byHyparquet(path)).map(({ page }: Record<string, unknown>) => page)).toEqual([1, 2]);
});
