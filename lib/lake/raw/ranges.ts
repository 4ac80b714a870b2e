import type { ColumnChunk } from 'parquetjs-lite';
import type { ObjectReader } from '../lake.ts';

interface Span {
  readonly from: number;
  readonly to: number;
}

/** The range of a row group's columns of these names: they are neighbours. */
export function spanOf(columns: readonly ColumnChunk[], names: readonly string[]): Span {
  const chunks = columns
    .map(({ meta_data }) => meta_data)
    .filter(({ path_in_schema }) => names.includes(path_in_schema.join('.')))
    .map((chunk) => ({ from: Number(chunk.data_page_offset), bytes: Number(chunk.total_compressed_size) }));
  return {
    from: Math.min(...chunks.map(({ from }) => from)),
    to: Math.max(...chunks.map(({ from, bytes }) => from + bytes)),
  };
}

/** Reads ranges of an object. A range within the last one comes from memory. */
export function rangesOf(reader: ObjectReader) {
  let span: Span = { from: 0, to: 0 };
  let held: Buffer = Buffer.alloc(0);
  const fetch = async ({ from, to }: Span): Promise<Buffer> => {
    if (!(from >= 0 && from <= to && to <= reader.size))
      throw new Error(`no bytes ${from} to ${to} of ${reader.size}`);
    return await reader.read(from, to - from);
  };
  return {
    prefetch: async (wanted: Span) => {
      held = await fetch(wanted);
      span = wanted;
    },
    read: async (offset: number, length: number) => {
      const wanted = { from: offset, to: offset + length };
      if (wanted.from < span.from || wanted.to > span.to) return await fetch(wanted);
      return held.subarray(wanted.from - span.from, wanted.to - span.from);
    },
  };
}
