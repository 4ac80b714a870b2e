import { parseAttemptName } from '../run-id.ts';
import { lakeKey } from './keys.ts';

/** The keys of a table's files of one date, as the head names them. */
export function tableKeys(
  table: string,
  files: { readonly date: string; readonly run: string; readonly parts: readonly number[] },
): readonly string[] {
  const place = { table, exportDate: files.date, ...parseAttemptName(files.run) };
  return files.parts.map((part) => lakeKey('table', { ...place, part }));
}
