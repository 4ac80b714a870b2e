import * as z from 'zod';
import { UsageError } from '../errors.ts';
import { childrenOf, RESOURCE_NAMES, resourceNamed } from '../sources/resources.ts';
import { isIn, quoteLiteral } from '../sql.ts';
import { childKeysSql, idInKey, isBaseKey, unnumberedSql } from './record-key.ts';
import type { Schema } from './schema.ts';

/** A record of a table, by its key. */
export const removedRecord = z.object({
  table: z.enum(RESOURCE_NAMES),
  /** Its `record_key`, without the number of a duplicate: those of one key are one record to a person. */
  key: z.string(),
});

export type RemovedRecord = Readonly<z.infer<typeof removedRecord>>;

/** What a purge removes: a source, or one record of it with its children. */
export const removed = z
  .object({ source: z.string(), record: removedRecord.readonly().exactOptional() })
  .readonly();

export type Removed = z.infer<typeof removed>;

/** The id by which the record's children are requested; undefined where its table has no children. */
export function parentOf({ table, key }: RemovedRecord): string | undefined {
  return childrenOf(table).length === 0 ? undefined : idInKey(key);
}

/** Throws UsageError RECORD_UNKNOWN for a text that no `record_key` can be. */
export function refuseOtherKey({ key }: RemovedRecord): void {
  if (isBaseKey(key)) return;
  const text = JSON.stringify(key);
  throw new UsageError(
    `${text} is no record_key. Leave out a # with a number at its end: it tells copies apart. Write %, / and # of an id as %25, %2F and %23.`,
    'RECORD_UNKNOWN',
  );
}

/**
 * The schema without the sampled records of the tables that lose rows. The next run takes other samples, and compares
 * them a day later.
 */
export function schemaWithout(schema: Schema, { source, record }: Removed): Schema {
  const tables = Object.entries(schema.tables).map(([name, table]) => {
    if (table.samples?.[source] === undefined || !mayHave(name, record)) return [name, table];
    const { [source]: _, ...samples } = table.samples;
    return [name, { ...table, samples }];
  });
  return { ...schema, tables: Object.fromEntries(tables) };
}

/** SQL condition over the rows of a table: they are of what is removed. Without a source, of that record of any. */
export function isRemovedSql(table: string, { source, record }: Partial<Removed>): string {
  const conditions = [
    ...(source === undefined ? [] : [`export_source = ${quoteLiteral(source)}`]),
    ...(record === undefined ? [] : [isOfRecordSql(table, record) ?? 'false']),
  ];
  return `coalesce(${conditions.join(' and ')}, false)`;
}

/** True for a table that may have rows of a record. */
export function mayHave(table: string, record: RemovedRecord | undefined): boolean {
  return record === undefined || isOfRecordSql(table, record) !== undefined;
}

function isOfRecordSql(table: string, record: RemovedRecord): string | undefined {
  const id = parentOf(record);
  const children = childrenOf(record.table).map(({ name }) => name);
  const isChild = (column: string) => isIn(column, children);
  const isKey = `${unnumberedSql('record_key')} = ${quoteLiteral(record.key)}`;
  if (table === record.table) return isKey;
  if (children.some((name) => name === table))
    return `${resourceNamed(record.table).parentColumn} = ${quoteLiteral(id ?? '')}`;
  if (table === 'outcomes') return `${isChild('resource')} and parent_id = ${quoteLiteral(id ?? '')}`;
  if (table === 'changes' || table === 'rejects')
    return `(table_name = ${quoteLiteral(record.table)} and ${isKey}
        or ${isChild('table_name')} and starts_with(record_key, ${childKeysSql(id ?? '')}))`;
  return undefined;
}
