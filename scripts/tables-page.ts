import { apiColumnSentence } from '#lib/schema/column-sentence.ts';
import { keyText } from '#lib/schema/key-text.ts';
import type { SchemaColumn } from '#lib/schema/schema.ts';
import { PARTITION_COLUMN, TABLES, type TableForm } from '#lib/schema/tables.ts';
import type { Tables } from '#lib/views/open-tables.ts';
import { QUERIES } from '#lib/views/queries.ts';
import { readViews, type ViewColumn } from '#lib/views/view-file.ts';
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
  const files = await readViews(QUERIES);
  const names = new Set(files.map(({ name }) => name));
  const sections: string[] = [];
  for (const file of files) {
    const { rows } = await tables.query(`select column_name, column_type from (describe ${file.name})`);
    const columns = rows.map(
      ([column, type]) => `\`${column}\` ${columnType(String(type))} (${file.sentences[String(column)]})`,
    );
    const says = [
      `${file.question} A row is ${file.grain}. Its key: ${keyText(file, marked)}.`,
      ...listed('Needs of the API:', file.needs.map(fullName)),
      ...listed('Shows if there:', file.uses.map(fullName)),
      ...listed(
        'Reads the views',
        [...file.reads].filter((name) => names.has(name)),
      ),
      notesOf(file.sql),
    ].join(' ');
    sections.push(`## ${file.name}\n${says.trimEnd()}\n- Columns: ${columns.join(', ')}.\n`);
  }
  return sections;
}

const fullName = ({ table, column }: ViewColumn) => `${table}.${column}`;

/** A sentence with these names; nothing without names. */
function listed(begins: string, names: readonly string[]): readonly string[] {
  return names.length === 0 ? [] : [`${begins} ${names.map(marked).join(', ')}.`];
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
