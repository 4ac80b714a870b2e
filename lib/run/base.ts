import { ExportError } from '../errors.ts';
import { type Head, readHead, readHeadAt } from '../lake/head.ts';
import { stateCorrupt } from '../lake/json-object.ts';
import { lakeKey } from '../lake/keys.ts';
import type { Lake } from '../lake/lake.ts';
import { missingFiles, type NamedFiles, tableKeys } from '../lake/named-files.ts';
import { EMPTY_SCHEMA, isInFiles, readSchema, type Schema, type SchemaColumn } from '../schema/schema.ts';
import { RESOURCE_NAMES } from '../sources/resources.ts';
import type { RunRecord } from './run-record.ts';

/**
 * The committed state that an attempt builds upon. A repeated run (repair, rebuild) builds upon the same
 * state as its first attempt.
 */
export interface Base {
  readonly head: Head | undefined;
  readonly schema: Schema;
}

/** The base of the attempt. Throws COMMIT_FENCED where another run has committed since it began. */
export async function readBase(lake: Lake, record: RunRecord): Promise<Base> {
  const head = await readBaseHead(lake, record);
  return { head, schema: head === undefined ? EMPTY_SCHEMA : await readSchema(lake, head.schema) };
}

/** The head that the attempt builds upon. Throws the same errors as `readBase`. */
export async function readBaseHead(lake: Lake, record: RunRecord): Promise<Head | undefined> {
  const stored = await readHead(lake);
  if ((stored?.etag ?? null) !== record.baseEtag) {
    throw new ExportError({
      code: 'COMMIT_FENCED',
      message: `Run ${stored?.head.runId ?? 'unknown'} was committed while ${record.runId} was under way, so nothing of this one is published. Start a new run.`,
    });
  }
  if (record.baseHead === null) return undefined;
  if (record.baseHead === lakeKey('head')) return stored?.head;
  const head = await readHeadAt(lake, record.baseHead);
  if (head === undefined) throw stateCorrupt(lake, record.baseHead, { fault: 'missing' });
  return head;
}

/** The committed files that a run reads: the newest of each listing, and those of its own date. */
export function builtUpon({ head }: Base, { exportDate }: RunRecord): readonly NamedFiles[] {
  return Object.entries(head?.tables ?? {}).flatMap(([table, { newest, dates }]) => {
    const isRead =
      ['outcomes', 'schema_columns'].includes(table) || RESOURCE_NAMES.some((name) => name === table);
    const own = dates[exportDate];
    const files = isRead ? newest : own && { date: exportDate, ...own };
    return files === undefined ? [] : [{ table, ...files }];
  });
}

/** Keys of a table's committed newest files; empty where it has none. */
export function newestKeys({ head }: Base, table: string): readonly string[] {
  const files = head?.tables[table]?.newest;
  return files === undefined ? [] : tableKeys(table, files);
}

/**
 * Keys of a table's committed files in the lake; with `column`, only of those that have it. A lost file stops
 * no run.
 */
export async function keptKeys(
  lake: Lake,
  { head }: Base,
  { table, column }: { readonly table: string; readonly column?: SchemaColumn | undefined },
): Promise<readonly string[]> {
  const files = Object.entries(head?.tables[table]?.dates ?? {})
    .filter(([, { run }]) => column === undefined || isInFiles(column, run))
    .map(([date, each]) => ({ table, date, ...each }));
  const missing = new Set(await missingFiles(lake, files));
  return files.flatMap((each) => tableKeys(table, each)).filter((key) => !missing.has(key));
}
