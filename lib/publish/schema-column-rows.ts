import { readingText } from '../schema/cells/formats.ts';
import type { SchemaColumn } from '../schema/schema.ts';
import { tableForm } from '../schema/tables.ts';
import { questionText } from '../sources/question.ts';
import { rowsSql } from '../sql.ts';
import type { UnitContext } from './unit-context.ts';

/** SQL of the data dictionary of this run: one row for each column and path of a source. */
export function schemaColumnRows({ record, schema }: UnitContext): string {
  const configured = record.config.sources.map(({ name }) => name);
  const rows = Object.entries(schema.tables).flatMap(([table, { columns }]) =>
    columns.flatMap((column) =>
      column.paths
        .filter(({ source }) => configured.includes(source))
        .map(({ source, path, nullShare, filled }) => ({
          export_source: source,
          export_run_id: record.runId,
          table_name: table,
          column_name: column.name,
          type: column.type,
          api_path: path.join('.'),
          first_seen: column.firstSeen,
          last_seen: column.lastSeen,
          null_share: nullShare,
          format: readingOf(column, source),
          provisional: column.provisional,
          question: questionsText(column, source),
          empty_since: filled?.emptied?.since ?? null,
        })),
    ),
  );
  return rowsSql(tableForm('schema_columns').columns, rows);
}

function questionsText({ questions }: SchemaColumn, source: string): string | null {
  const own = questions.filter((each) => each.source === source);
  return own.length === 0 ? null : own.map(questionText).join(' ');
}

function readingOf({ readings }: SchemaColumn, source: string): string | null {
  const reading = readings[source];
  return reading === undefined ? null : readingText(reading);
}
