import { parseAttemptName } from '../run-id.ts';
import type { TableFiles } from './head.ts';
import { lakeKey } from './keys.ts';

/** The keys of a table's files of one date in the head. */
export function tableKeys(table: string, files: TableFiles & { readonly date: string }): readonly string[] {
  const place = { table, exportDate: files.date, ...parseAttemptName(files.run) };
  return files.parts.map((part) => lakeKey('table', { ...place, part }));
}
