/** The part of parquetjs-lite 0.8.7 that raw-file.ts uses; it has no types. Everything may throw a string. */
declare module 'parquetjs-lite' {
  interface Field {
    type: 'UTF8' | 'INT32' | 'TIMESTAMP_MILLIS';
    optional: boolean;
    compression: 'ZSTD';
    statistics: false;
  }

  class ParquetSchema {
    constructor(fields: Readonly<Record<string, Field>>);
  }

  interface WriterOptions {
    /** Rows of a group. */
    rowGroupSize: number;
    /** Rows of a page. */
    pageSize: number;
    pageIndex: false;
  }

  class ParquetEnvelopeWriter {
    constructor(
      schema: ParquetSchema,
      write: (bytes: Buffer) => Promise<void>,
      close: () => Promise<void>,
      fileOffset: 0,
      options: WriterOptions,
    );
    setPageSize(rows: number): void;
    writeFooter(metadata: Readonly<Record<string, string>>): Promise<void>;
  }

  interface ColumnBuffer {
    /** Strings, buffers and integers, as they are written. */
    values: unknown[];
    /** For each row 1 where an optional column has a value. */
    dlevels: number[];
    rlevels: number[];
    count: number;
  }

  /** An unfinished row group; empty before its first row. */
  export type RowBuffer =
    | { columnData?: never }
    | {
        rowCount: number;
        /** Rows of the unfinished page. */
        pageRowCount: number;
        columnData: Record<string, ColumnBuffer>;
      };

  class ParquetWriter {
    rowBuffer: RowBuffer;
    /** Begins to write the header and does not wait for it. */
    constructor(schema: ParquetSchema, envelope: ParquetEnvelopeWriter, options: WriterOptions);
    /** A second call must wait for the first: rows that come in between are lost. */
    appendRow(row: Readonly<Record<string, unknown>>): Promise<void>;
    setRowGroupSize(rows: number): void;
    setMetadata(key: string, value: string): void;
    close(): Promise<void>;
  }

  export interface ColumnChunk {
    meta_data: { path_in_schema: string[]; data_page_offset: unknown; total_compressed_size: unknown };
  }

  interface FileMetadata {
    row_groups: { columns: ColumnChunk[] }[];
  }

  class ParquetEnvelopeReader {
    constructor(
      read: (offset: number, length: number) => Promise<Buffer>,
      close: () => Promise<void>,
      fileSize: number,
    );
    readFooter(): Promise<FileMetadata>;
  }

  interface Cursor {
    nextRowGroup(): Promise<Record<string, unknown>[] | null>;
  }

  class ParquetReader {
    constructor(metadata: FileMetadata, envelope: ParquetEnvelopeReader);
    getCursor(columns: readonly string[]): Cursor;
    getMetadata(): Record<string, string>;
  }

  const library: {
    ParquetSchema: typeof ParquetSchema;
    ParquetEnvelopeWriter: typeof ParquetEnvelopeWriter;
    ParquetWriter: typeof ParquetWriter;
    ParquetEnvelopeReader: typeof ParquetEnvelopeReader;
    ParquetReader: typeof ParquetReader;
  };
  export default library;
}

declare module 'parquetjs-lite/lib/compression.js' {
  interface Method {
    deflate: (bytes: Buffer) => Buffer;
    inflate: (bytes: Buffer) => Buffer;
  }

  /** By the names of Parquet's format. */
  export const PARQUET_COMPRESSION_METHODS: Record<string, Method>;
}

declare module 'parquetjs-lite/lib/types.js' {
  export const PARQUET_LOGICAL_TYPES: { TIMESTAMP_MILLIS: { fromPrimitive: (value: unknown) => Date } };
}
