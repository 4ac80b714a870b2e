import { apiColumnSentence } from '#lib/schema/column-sentence.ts';
import type { SchemaColumn } from '#lib/schema/schema.ts';
import { PARTITION_COLUMN, TABLES, type TableForm } from '#lib/schema/tables.ts';
import type { Tables } from '#lib/views/open-tables.ts';
import { QUERIES } from '#lib/views/queries.ts';
import { readViews, type ViewFile } from '#lib/views/view-file.ts';

/** The pages of the data dictionary below docs/read/: tables and views as an export of the simulator's reference profile has them. */
export async function tablesPages(tables: Tables): Promise<Readonly<Record<string, string>>> {
  const [ofApis, ofRuns] = [TABLES.filter(isOfApi), TABLES.filter((form) => !isOfApi(form))];
  return {
    'tables.md': [HEAD, ...ofApis.map((form) => tableSection(form, tables))].join('\n'),
    'run-tables.md': [RUNS_HEAD, ...ofRuns.map((form) => tableSection(form, tables))].join('\n'),
    'views.md': await viewsPage(tables),
  };
}

/** The columns that the program adds to the rows of every API's table. */
const ADDED = ['export_source', 'export_run_id', 'exported_at', 'record_key'];
const isOfApi = ({ columns }: TableForm) =>
  ADDED.every((name) => columns.some((column) => column.name === name));

/** A row of the table of shared columns for each that the tables of the APIs begin with. */
const sharedRows = () => {
  const [first] = TABLES.filter(isOfApi);
  const found = ADDED.flatMap((name) => first?.columns.find((column) => column.name === name) ?? []);
  return found.map(({ name, type, description }) => [name, type, description]);
};

const HEAD = `# Tables of the APIs

\`\`\`sql
select name, city, last_access from players where is_licensed
\`\`\`

\`npm run docs\` writes this page; do not edit it. [run-tables.md](run-tables.md) has the tables about runs,
[views.md](views.md) the views. The columns are those of the simulator's reference profile. Your API may have others:
\`schema show\` and the table \`schema_columns\` list them. Types are Athena's. Every timestamp is UTC.

Every table has the newest state. The same name with \`_daily\` has every day; \`export_date\` is then part of its key. Join
on \`export_source\` and the id: two sources may have the same id.

A list stays in its column as JSON text. To get a row for each entry of \`children\`:

\`\`\`sql
-- DuckDB; a name of the entry is child ->> 'Name'
select child from app_groups, unnest(from_json(children, '["json"]')) as t(child);
-- Athena; a name of the entry is json_extract_scalar(child, '$.Name')
select child from app_groups cross join unnest(cast(json_parse(children) as array(json))) as t(child);
\`\`\`

Every table of this page begins with these columns:

${table(['column', 'type', 'what'], sharedRows())}
`;

const RUNS_HEAD = `# Tables about runs

\`\`\`sql
select resource, outcome, count(*) from outcomes group by resource, outcome
\`\`\`

\`npm run docs\` writes this page; do not edit it. \`changes\`, \`rejects\` and \`runs\` have a row for every day, and no table
of the newest state.

Every table of this page begins with these columns:

${table(
  ['column', 'type', 'what'],
  sharedRows().filter(([name]) => name === 'export_source' || name === 'export_run_id'),
)}
`;

function tableSection(form: TableForm, { schema }: Tables): string {
  const shared = isOfApi(form) ? ADDED : ['export_source', 'export_run_id'];
  const own = schema.tables[form.name]?.columns ?? [];
  const day = form.onlyDays ? [[PARTITION_COLUMN.name, 'string', PARTITION_COLUMN.description]] : [];
  const fixed = form.columns
    .filter(({ name }) => !shared.includes(name))
    .map(({ name, type, description }) =>
      isOfApi(form) ? [name, type, description, ''] : [name, type, description],
    );
  return [
    `## ${form.name}`,
    `${form.description}. Its key: ${keyOf(form.key)}.`,
    '',
    table(
      ['column', 'type', 'what', ...(isOfApi(form) ? ['in the API'] : [])],
      [...fixed, ...day, ...own.map((column) => apiColumn(form.name, column))],
    ),
    '',
  ].join('\n');
}

function keyOf(columns: readonly string[]): string {
  return columns.map((name) => `\`${name}\``).join(', ');
}

function apiColumn(table: string, { name, type, paths, provisional }: SchemaColumn): readonly string[] {
  const [first] = paths;
  const path = `\`${(first?.path ?? []).join('.')}\``;
  const said = apiColumnSentence(table, name) ?? '';
  return [name, type, said, provisional ? `${path}; no record has a value yet, so its type is open` : path];
}

const VIEWS_HEAD = `# Views

\`\`\`sql
select player_name, city, offline_hours from player_health where health = 'offline'
\`\`\`

\`npm run docs\` writes this page; do not edit it. Each view answers one question; its SQL is in \`queries/\`. Athena has the
views next to the tables. [questions.md](questions.md) has SQL to copy.
`;

async function viewsPage(tables: Tables): Promise<string> {
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
        `${question} A row is ${grain}. Its key: ${keyOf(file?.key ?? [])}.${needs} ${notesOf(file?.sql ?? '')}`.trimEnd(),
        `- Columns: ${columns.join(', ')}.`,
        '',
      ].join('\n'),
    );
  }
  return [VIEWS_HEAD, ...sections].join('\n');
}

function readsOf(view: ViewFile | undefined, files: ReadonlyMap<string, ViewFile>): string {
  const read = [...(view?.reads ?? [])].filter((name) => files.has(name));
  return read.length === 0 ? '' : ` Reads the views ${read.map((name) => `\`${name}\``).join(', ')}.`;
}

/** The lines of a view's header after the machine-readable ones, as one text. */
function notesOf(sql: string): string {
  const lines = sql.slice(0, sql.indexOf('\nwith')).split('\n');
  const notes = lines.filter((line) => !/^-- (grain|key|question|tells|order|lists|needs|uses):/.test(line));
  return notes.map((line) => line.replace(/^-- ?/, '')).join(' ');
}

function columnType(duckdb: string): string {
  if (/^TIMESTAMP/.test(duckdb)) return 'timestamp';
  return /^(HUGEINT|INTEGER|BIGINT|DECIMAL\(38,0\))$/.test(duckdb) ? 'bigint' : duckdb.toLowerCase();
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}
