import { hash } from 'node:crypto';
import { glueType } from '../column-types.ts';
import type { Head, TableHead } from '../lake/head.ts';
import { lakePrefix } from '../lake/keys.ts';
import { parseAttemptName } from '../run-id.ts';
import { commentedColumns, tableComment } from '../schema/comments.ts';
import type { Schema } from '../schema/schema.ts';
import { TABLES, type TableForm } from '../schema/tables.ts';
import type { CatalogColumn, CatalogPartition, CatalogTable } from './catalog.ts';

/** What decides the tables of the catalog. */
export interface Wanted {
  readonly table: CatalogTable;
  readonly partitions: readonly CatalogPartition[];
}

export interface WantedOptions {
  readonly head: Head;
  readonly schema: Schema;
  /** s3://bucket/prefix, without `/` at its end. */
  readonly lake: string;
}

/** Glue's limit of a column's comment. */
const COMMENT = 255;

/**
 * The catalog's tables for a head. For each table of the lake, one has the newest run's folder as its
 * location. Another has a partition for each date, each with its own location. All tables exist from the
 * first commit on, so that a query works even if the API returned nothing.
 */
export function wantedTables(options: WantedOptions): readonly Wanted[] {
  return TABLES.flatMap((form) => {
    const daily = dailyTable(form, options);
    return form.onlyDays ? [daily] : [newestTable(form, options), daily];
  });
}

function newestTable(form: TableForm, { head, schema, lake }: WantedOptions): Wanted {
  const newest = head.tables[form.name]?.newest;
  const location = newest === undefined ? placeOfNone(lake, form) : placeOf(lake, form, newest.date, newest);
  const table = withFingerprint({
    name: form.name,
    description: tableComment(form, 'newest'),
    columns: catalogColumns(form, schema),
    location,
    isDaily: false,
  });
  return { table, partitions: [] };
}

function dailyTable(form: TableForm, options: WantedOptions): Wanted {
  const { head, schema, lake } = options;
  const table = withFingerprint({
    name: form.onlyDays ? form.name : `${form.name}_daily`,
    description: tableComment(form, 'daily'),
    columns: catalogColumns(form, schema),
    location: `${lake}/${lakePrefix('table', { table: form.name })}`,
    isDaily: true,
  });
  const fingerprint = fingerprintOf(table.columns);
  const partitions = Object.entries(head.tables[form.name]?.dates ?? {})
    .filter(([, { parts }]) => parts.length > 0)
    .map(([date, files]) => ({ date, location: placeOf(lake, form, date, files), fingerprint }))
    .sort((a, b) => (a.date < b.date ? -1 : 1));
  return { table, partitions };
}

function placeOf(
  lake: string,
  form: TableForm,
  date: string,
  { run }: Pick<TableHead['newest'], 'run'>,
): string {
  const place = { table: form.name, exportDate: date, ...parseAttemptName(run) };
  return `${lake}/${lakePrefix('table', place)}`;
}

/** The location of a table without rows: a folder that stays empty. */
function placeOfNone(lake: string, form: TableForm): string {
  return `${lake}/${lakePrefix('table', { table: form.name })}none/`;
}

function catalogColumns(form: TableForm, schema: Schema): readonly CatalogColumn[] {
  return commentedColumns(form, schema).map(({ name, type, comment }) => ({
    name,
    type: glueType(type),
    comment: glueComment(comment),
  }));
}

/** Glue takes no line breaks here, and names come from a foreign server. */
export function glueComment(text: string): string {
  const plain = text.replaceAll(/[\p{Cc}\p{Cf}\p{Cs}]/gu, ' ');
  return plain.length <= COMMENT ? plain : `${plain.slice(0, COMMENT - 1)}…`;
}

/** The table with the fingerprint of its contents. */
export function withFingerprint(table: Omit<CatalogTable, 'fingerprint'>): CatalogTable {
  return { ...table, fingerprint: fingerprintOf(table) };
}

function fingerprintOf(value: unknown): string {
  return hash('sha256', JSON.stringify(value)).slice(0, 32);
}
