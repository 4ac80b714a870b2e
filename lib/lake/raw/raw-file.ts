import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import './parquetjs-lite-globals.ts';
import type { RowBuffer } from 'parquetjs-lite';
import parquet from 'parquetjs-lite';
import { PARQUET_COMPRESSION_METHODS } from 'parquetjs-lite/lib/compression.js';
import { PARQUET_LOGICAL_TYPES } from 'parquetjs-lite/lib/types.js';
import type * as z from 'zod';
import { ExportError } from '../../errors.ts';
import { damagedRaw } from '../damaged-file.ts';
import type { Lake, ObjectReader } from '../lake.ts';
import { PAGES_SUM } from '../sums/file-sum.ts';
import { appender } from './appender.ts';
import { rangesOf, spanOf } from './ranges.ts';
import { type RawRow, rawRow } from './raw.ts';
import { encodeRawRow, RAW_COLUMNS, rowInvalid, weightOfRow } from './raw-columns.ts';

const MIB = 1024 * 1024;
/** A page is compressed while nothing else runs: 1 MiB takes about 2 ms. */
const PAGE_BYTES = MIB;
/** More rows than any page or group has, because their bytes end them. */
const NO_LIMIT = 2 ** 31;

/**
 * parquetjs-lite knows ZSTD only by name, so we add the function. GZIP takes six times as long for files that
 * are a quarter smaller.
 */
PARQUET_COMPRESSION_METHODS.ZSTD = {
  deflate: (bytes) => zstdCompressSync(bytes),
  inflate: (bytes) => zstdDecompressSync(bytes),
};

/** parquetjs-lite reads a time as a bigint, and cannot make a Date of one. */
PARQUET_LOGICAL_TYPES.TIMESTAMP_MILLIS.fromPrimitive = (value) => new Date(Number(value));

/**
 * No statistics: parquetjs-lite copies whole values into them, and a 9 MB body made a 129 MB file. No page
 * index either: nobody searches a raw file.
 */
const SCHEMA = new parquet.ParquetSchema(
  Object.fromEntries(
    Object.values(RAW_COLUMNS).map(({ name, type, optional }) => [
      name,
      { type, optional, compression: 'ZSTD', statistics: false } as const,
    ]),
  ),
);

export interface RawFile {
  /** Adds a row; calls need not wait for each other. Throws RAW_ROW_INVALID, LAKE_FULL. */
  append(row: RawRow): Promise<void>;
  /** Ends the file with this metadata in its footer. */
  close(metadata: Readonly<Record<string, string>>): Promise<void>;
}

/**
 * Begins a raw file at a free path. A row group is written when its bodies reach `maxGroupBytes`, 2 MiB.
 * DuckDB reads groups in parallel, and an unwritten group takes memory. In a large file a group may have a
 * 24th of the bytes before it. So even 2 GiB have about 120 groups and a footer under 80 kB. The file is
 * closed between two writes, so the caller may drop it at any time.
 */
export async function createRawFile(
  path: string,
  options: { maxGroupBytes?: number } = {},
): Promise<RawFile> {
  const file = appender(path);
  const writerOptions = { rowGroupSize: NO_LIMIT, pageSize: NO_LIMIT, pageIndex: false } as const;
  const envelope = new parquet.ParquetEnvelopeWriter(SCHEMA, file.write, async () => {}, 0, writerOptions);
  const writeFooter = envelope.writeFooter.bind(envelope);
  envelope.writeFooter = (metadata) => writeFooter({ ...metadata, [PAGES_SUM]: file.sum() });
  const writer = new parquet.ParquetWriter(SCHEMA, envelope, writerOptions);
  await file.written();

  const leastGroup = options.maxGroupBytes ?? 2 * MIB;
  let before = 0;
  let group = 0;
  let page = 0;

  async function appendAlone(row: RawRow): Promise<void> {
    const encoded = encodeRawRow(row);
    const weight = weightOfRow(row);
    page += weight;
    group += weight;
    const endsPage = page >= PAGE_BYTES;
    const endsGroup = group >= Math.max(leastGroup, before / 24);
    envelope.setPageSize(endsPage ? 1 : NO_LIMIT);
    writer.setRowGroupSize(endsGroup ? 1 : NO_LIMIT);
    const isAdded = !endsPage && !endsGroup && addRow(writer.rowBuffer, encoded);
    if (!isAdded) {
      await unwrapped(() => writer.appendRow(encoded));
      await file.written();
    }
    if (endsPage || endsGroup) page = 0;
    if (endsGroup) {
      before += group;
      group = 0;
    }
  }

  const oneByOne = queue();
  return {
    append: (row) => oneByOne(() => appendAlone(row)),
    close: (metadata) =>
      oneByOne(async () => {
        for (const [key, value] of Object.entries(metadata)) writer.setMetadata(key, value);
        await unwrapped(() => writer.close());
        await file.written();
      }),
  };
}

/** Runs steps one after the other: parquetjs-lite loses rows that come while it writes a group. */
function queue() {
  let last: Promise<unknown> = Promise.resolve();
  return <Result>(step: () => Promise<Result>): Promise<Result> => {
    const mine = last.then(step);
    last = mine.catch(() => {});
    return mine;
  };
}

/** The fields of a row that show how its listing ended. */
const indexRow = rawRow.pick({
  parentId: true,
  page: true,
  slice: true,
  outcome: true,
  errorCode: true,
  items: true,
});
type RawIndexRow = Readonly<z.infer<typeof indexRow>>;

export interface RawIndex {
  /** In the order in which they were appended. */
  readonly rows: readonly RawIndexRow[];
  /** The metadata of its `close`. */
  readonly metadata: Readonly<Record<string, string>>;
}

const INDEX_COLUMNS = indexRow.keyof().options.map((field) => RAW_COLUMNS[field].name);

/**
 * How every listing in a raw file ended. It reads no bodies: only the footer and one range of each row group.
 * Throws RAW_CORRUPT, which names the file by `key`.
 */
export async function readRawIndex(reader: ObjectReader, key = 'of this run'): Promise<RawIndex> {
  try {
    const ranges = rangesOf(reader);
    const envelope = new parquet.ParquetEnvelopeReader(ranges.read, async () => {}, reader.size);
    const footer = await envelope.readFooter();
    const file = new parquet.ParquetReader(footer, envelope);
    const cursor = file.getCursor(INDEX_COLUMNS);
    const rows: RawIndexRow[] = [];
    for (const { columns } of footer.row_groups) {
      await ranges.prefetch(spanOf(columns, INDEX_COLUMNS));
      for (const row of (await cursor.nextRowGroup()) ?? []) rows.push(indexRow.parse(decodedRow(row)));
    }
    const { [PAGES_SUM]: _, ...metadata } = file.getMetadata();
    return { rows, metadata };
  } catch (cause) {
    if (cause instanceof ExportError) throw cause;
    throw damagedRaw(key, cause);
  }
}

/** The index of the raw file at the key; undefined where none exists. Throws RAW_CORRUPT. */
export async function rawIndexAt(lake: Lake, key: string): Promise<RawIndex | undefined> {
  const reader = await lake.open(key);
  if (reader === undefined) return undefined;
  try {
    return await readRawIndex(reader, key);
  } finally {
    await reader.close();
  }
}

/** All rows of a raw file, in the order in which they were appended. Its index must be readable (`readRawIndex`). */
export async function* rawRows(reader: ObjectReader): AsyncGenerator<RawRow> {
  const envelope = new parquet.ParquetEnvelopeReader(reader.read, async () => {}, reader.size);
  const footer = await envelope.readFooter();
  const columns = Object.values(RAW_COLUMNS).map(({ name }) => name);
  const cursor = new parquet.ParquetReader(footer, envelope).getCursor(columns);
  for (const _ of footer.row_groups)
    for (const row of (await cursor.nextRowGroup()) ?? []) yield rawRow.parse(decodedRow(row));
}

/** The values of a row by field, null where the file has none. */
function decodedRow(row: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(RAW_COLUMNS).map(([field, { name }]) => [field, row[name] ?? null]),
  );
}

/** parquetjs-lite throws strings. */
async function unwrapped<Result>(step: () => Promise<Result>): Promise<Result> {
  try {
    return await step();
  } catch (cause) {
    throw typeof cause === 'string' ? rowInvalid(cause, cause) : cause;
  }
}

/** The records of each slice of a raw file, as JSON arrays. Its index must be readable (`readRawIndex`). */
export async function* rawRecords(reader: ObjectReader): AsyncGenerator<string> {
  for await (const row of rawRows(reader)) {
    const text = recordsText(row);
    if (text !== undefined) yield text;
  }
}

/** The records of a slice as a JSON array that DuckDB reads correctly; undefined without records. */
export function recordsText({ items, body, mended, recordsFrom, recordsTo }: RawRow): string | undefined {
  if (items === 0 || body === null) return undefined;
  if (mended !== null) return mended;
  const text = body.toString('utf8');
  // Both places count code points, as DuckDB does.
  return recordsFrom === null ? text : `[${[...text].slice(recordsFrom, recordsTo ?? recordsFrom).join('')}]`;
}

const COLUMNS = Object.values(RAW_COLUMNS);

/**
 * Adds an encoded row to the current page of parquetjs-lite, in place of the library's appendRow. False where no
 * page is begun. appendRow makes 70 objects for each row, a fifth of an answer's cost. And appendRow keeps
 * every body in memory until the group is written.
 */
function addRow(buffer: RowBuffer, row: Readonly<Record<string, unknown>>): boolean {
  const { columnData } = buffer;
  if (columnData === undefined || buffer.pageRowCount === 0) return false;
  for (const { name, optional, type } of COLUMNS) {
    const column = columnData[name];
    if (column === undefined) throw new Error(`parquetjs-lite has no column ${name}`);
    const value = row[name];
    column.count += 1;
    column.rlevels.push(0);
    column.dlevels.push(optional && value !== undefined ? 1 : 0);
    if (value === undefined) continue;
    column.values.push(type === 'TIMESTAMP_MILLIS' ? Number(value) : value);
  }
  buffer.rowCount += 1;
  buffer.pageRowCount += 1;
  return true;
}
