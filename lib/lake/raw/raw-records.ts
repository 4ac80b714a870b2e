import parquet from 'parquetjs-lite';
import * as z from 'zod';
import type { ObjectReader } from '../lake.ts';
import { RAW_COLUMNS } from './raw-columns.ts';
// It adds ZSTD to parquetjs-lite.
import './raw-file.ts';

const COLUMNS = (['page', 'items', 'recordsFrom', 'recordsTo', 'body', 'mended'] as const).map(
  (field) => RAW_COLUMNS[field].name,
);

const slice = z.object({
  page: z.number(),
  items: z.number(),
  records_from: z.number().nullish(),
  records_to: z.number().nullish(),
  body: z.string().nullish(),
  mended: z.string().nullish(),
});

/** The records of each slice of a raw file, as JSON arrays. Its index must be readable (`readRawIndex`). */
export async function* rawRecords(
  reader: ObjectReader,
): AsyncGenerator<{ readonly page: number; readonly text: string }> {
  const read = (offset: number, length: number) => reader.read(offset, length);
  const envelope = new parquet.ParquetEnvelopeReader(read, async () => {}, reader.size);
  const footer = await envelope.readFooter();
  const cursor = new parquet.ParquetReader(footer, envelope).getCursor(COLUMNS);
  for (const _ of footer.row_groups) {
    for (const row of (await cursor.nextRowGroup()) ?? []) {
      const { page, items, records_from: from, records_to: to, body, mended } = slice.parse(row);
      if (items === 0 || typeof body !== 'string') continue;
      // Both places count code points, as DuckDB does.
      const own = typeof from === 'number' ? `[${[...body].slice(from, to ?? from).join('')}]` : body;
      yield { page, text: mended ?? own };
    }
  }
}
