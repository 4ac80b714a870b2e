import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parquetMetadata } from 'hyparquet';
import { expect } from 'vitest';
import { folderLake } from '#lib/lake/folder/folder-lake.ts';
import { readHead } from '#lib/lake/head.ts';
import { tableKeys } from '#lib/lake/named-files.ts';

/** Reads the footers of all files that the head names: a column has one physical and logical type in all of a table's. */
export async function expectOneTypeAColumn(folder: string): Promise<void> {
  const root = join(folder, 'lake');
  const head = (await readHead(folderLake(root)))?.head;
  const types = new Map<string, Set<string>>();
  for (const [table, { dates }] of Object.entries(head?.tables ?? {})) {
    for (const [date, files] of Object.entries(dates)) {
      for (const key of tableKeys(table, { date, ...files })) {
        const bytes = readFileSync(join(root, key));
        const file = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length) as ArrayBuffer;
        for (const { name, type, converted_type, scale, precision } of parquetMetadata(file).schema.slice(
          1,
        )) {
          const column = `${table}.${name}`;
          types.set(
            column,
            (types.get(column) ?? new Set()).add([type, converted_type, scale, precision].join(' ')),
          );
        }
      }
    }
  }
  expect(types.size).toBeGreaterThan(50);
  expect([...types].filter(([, each]) => each.size > 1)).toEqual([]);
}
