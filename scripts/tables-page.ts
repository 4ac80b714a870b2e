import { apiColumnSentence } from '#lib/schema/column-sentence.ts';
import { keyText } from '#lib/schema/key-text.ts';
import type { SchemaColumn } from '#lib/schema/schema.ts';
import { PARTITION_COLUMN, TABLES, type TableForm } from '#lib/schema/tables.ts';
import type { Tables } from '#lib/views/open-tables.ts';
import { QUERIES } from '#lib/views/queries.ts';
import { readViews, type ViewFile } from '#lib/views/view-file.ts';
import { beginningOf, table, withRows } from './page-parts.ts';

export type TablesPage = 'tables.md' | 'run-tables.md' | 'views.md';
export const TABLES_PAGES: readonly TablesPage[] = ['tables.md', 'run-tables.md', 'views.md'];

/** A page of the data dictionary below docs/read/: its tables or views as an export of the reference profile has them. */
export async function tablesPage(name: TablesPage, page: string, tables: Tables): Promise<string> {
  const beginning = beginningOf(page);
  if (name === 'views.md') return [beginning, ...(await viewSections(tables))].join('\n');
  const isOfApis = name === 'tables.md';
  const forms = TABLES.filter((form) => isOfApi(form) === isOfApis);
  const begun = withRows(beginning, 'column', sharedRows(isOfApis ? ADDED : OF_EVERY_TABLE));
  return [begun, ...forms.map((form) => tableSection(form, tables))].join('\n');
}

/** The columns that the program adds to the rows of every API's table. */
const ADDED = ['export_source', 'export_run_id', 'exported_at', 'record_key'];
const OF_EVERY_TABLE = ['export_source', 'export_run_id'];
const isOfApi = ({ columns }: TableForm) =>
  ADDED.every((name) => columns.some((column) => column.name === name));

/** A row for each column that the tables of a page share. */
function sharedRows(names: readonly string[]): readonly (readonly string[])[] {
  const [first] = TABLES.filter(isOfApi);
  const found = names.flatMap((name) => first?.columns.find((column) => column.name === name) ?? []);
  return found.map(({ name, type, description }) => [name, type, description]);
}

function tableSection(form: TableForm, { schema }: Tables): string {
  const shared = isOfApi(form) ? ADDED : OF_EVERY_TABLE;
  const own = schema.tables[form.name]?.columns ?? [];
  const day = form.onlyDays ? [[PARTITION_COLUMN.name, 'string', PARTITION_COLUMN.description]] : [];
  const fixed = form.columns
    .filter(({ name }) => !shared.includes(name))
    .map(({ name, type, description }) =>
      isOfApi(form) ? [name, type, description, ''] : [name, type, description],
    );
  return [
    `## ${form.name}`,
    `${form.description}. Its key: ${keyText(form, marked)}.`,
    '',
    table(
      ['column', 'type', 'what', ...(isOfApi(form) ? ['in the API'] : [])],
      [...fixed, ...day, ...own.map((column) => apiColumn(form.name, column))],
    ),
    '',
  ].join('\n');
}

const marked = (column: string) => `\`${column}\``;

function apiColumn(table: string, { name, type, paths, provisional }: SchemaColumn): readonly string[] {
  const [first] = paths;
  const path = `\`${(first?.path ?? []).join('.')}\``;
  const said = apiColumnSentence(table, name) ?? '';
  return [name, type, said, provisional ? `${path}; no record has a value yet, so its type is open` : path];
}

async function viewSections(tables: Tables): Promise<readonly string[]> {
  const files = new Map((await readViews(QUERIES)).map((file) => [file.name, file]));
  const sections: string[] = [];
  for (const { name, question, grain } of tables.views) {
    const file = files.get(name);
    const { rows } = await tables.query(`select column_name, column_type from (describe ${name})`);
    const columns = rows.map(
      ([column, type]) => `\`${column}\` ${columnType(String(type))} (${file?.sentences[String(column)]})`,
    );
    const list = (says: string, fields: readonly { table: string; column: string }[] = []) =>
      fields.length === 0
        ? ''
        : ` ${says}: ${fields.map(({ table, column }) => `\`${table}.${column}\``).join(', ')}.`;
    const needs = `${list('Needs of the API', file?.needs)}${list('Shows if there', file?.uses)}${readsOf(file, files)}`;
    sections.push(
      [
        `## ${name}`,
        `${question} A row is ${grain}. Its key: ${file === undefined ? '' : keyText(file, marked)}.${needs} ${notesOf(file?.sql ?? '')}`.trimEnd(),
        `- Columns: ${columns.join(', ')}.`,
        '',
      ].join('\n'),
    );
  }
  return sections;
}

function readsOf(view: ViewFile | undefined, files: ReadonlyMap<string, ViewFile>): string {
  const read = [...(view?.reads ?? [])].filter((name) => files.has(name));
  return read.length === 0 ? '' : ` Reads the views ${read.map((name) => `\`${name}\``).join(', ')}.`;
}

/** The lines of a view's header after the machine-readable ones, as one text. */
function notesOf(sql: string): string {
  const lines = sql.slice(0, sql.search(/^[^-]/m)).trimEnd().split('\n');
  const notes = lines.filter((line) => !/^-- (grain|key|question|tells|order|lists|needs|uses):/.test(line));
  return notes.map((line) => line.replace(/^-- ?/, '')).join(' ');
}

function columnType(duckdb: string): string {
  if (/^TIMESTAMP/.test(duckdb)) return 'timestamp';
  return /^(HUGEINT|INTEGER|BIGINT|DECIMAL\(38,0\))$/.test(duckdb) ? 'bigint' : duckdb.toLowerCase();
}
