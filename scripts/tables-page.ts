import type { SchemaColumn } from '#lib/schema/schema.ts';
import { PARTITION_COLUMN, TABLES, type TableForm } from '#lib/schema/tables.ts';
import type { Tables } from '#lib/views/open-tables.ts';
import { QUERIES } from '#lib/views/queries.ts';
import { readViews, type ViewFile } from '#lib/views/view-file.ts';

/** The data dictionary as a page: tables and views as an export of the simulator's reference profile has them. */
export async function tablesPage(tables: Tables): Promise<string> {
  return [HEAD, ...TABLES.map((form) => tableSection(form, tables)), await viewSections(tables)].join('\n');
}

const HEAD = `# Tables and views

Made by \`npm run docs\`; do not edit. The columns of the APIs are those of the simulator's reference profile, which
speaks as the documented installations do: yours may have others, which \`schema show\` and the table
\`schema_columns\` list. Types are Athena's. Every timestamp is UTC.

Every table shows the newest state, and with \`_daily\` behind its name every day, told apart by \`export_date\`;
\`changes\`, \`rejects\` and \`runs\` have days only. Join on \`export_source\` and the id: ids of different sources may
be the same.

A list stays in its column as JSON text; a tree is one, whose records hold lists of records. A row an entry of
\`children\`, say: \`from app_groups, unnest(from_json(children, '["json"]')) as t(child)\` in DuckDB, then
\`child ->> 'Name'\`; \`from app_groups cross join unnest(cast(json_parse(children) as array(json))) as t(child)\` in
Athena, then \`json_extract_scalar(child, '$.Name')\`.
`;

function tableSection(form: TableForm, { schema }: Tables): string {
  const own = schema.tables[form.name]?.columns ?? [];
  const day = form.onlyDays ? [[PARTITION_COLUMN.name, 'string', PARTITION_COLUMN.description]] : [];
  const fixed = form.columns.map(({ name, type, description }) => [name, type, description]);
  return [
    `## ${form.name}`,
    '',
    `${form.description}.`,
    '',
    table(['column', 'type', 'what'], [...fixed, ...day, ...own.map(apiColumn)]),
    '',
  ].join('\n');
}

function apiColumn({ name, type, paths, provisional }: SchemaColumn): readonly string[] {
  const [first] = paths;
  const path = `\`${(first?.path ?? []).join('.')}\``;
  return [name, type, provisional ? `${path}, never seen with a value: its type is open` : path];
}

async function viewSections(tables: Tables): Promise<string> {
  const files = new Map((await readViews(QUERIES)).map((file) => [file.name, file]));
  const sections: string[] = [];
  for (const { name, question, grain } of tables.views) {
    const file = files.get(name);
    const { rows } = await tables.query(`select column_name, column_type from (describe ${name})`);
    const list = (columns: readonly { table: string; column: string }[] = []) =>
      columns.map(({ table, column }) => `\`${table}.${column}\``).join(', ') || 'nothing';
    sections.push(
      [
        `### ${name}`,
        '',
        `${question} A row is ${grain}. Needs of the API: ${list(file?.needs)}; shows where given: ${list(file?.uses)}.${readsOf(file, files)}`,
        '',
        ...(notesOf(file?.sql ?? '') ?? []),
        table(
          ['column', 'type'],
          rows.map(([column, type]) => [String(column), athenaType(String(type))]),
        ),
        '',
      ].join('\n'),
    );
  }
  return [
    '## Views',
    '',
    'One question each, in `queries/`. Athena has them next to the tables.',
    '',
    ...sections,
  ].join('\n');
}

function readsOf(view: ViewFile | undefined, files: ReadonlyMap<string, ViewFile>): string {
  const read = [...(view?.reads ?? [])].filter((name) => files.has(name));
  return read.length === 0 ? '' : ` Reads the views ${read.map((name) => `\`${name}\``).join(', ')}.`;
}

/** The lines of a view's header after the machine-readable ones. */
function notesOf(sql: string): readonly string[] | undefined {
  const lines = sql.slice(0, sql.indexOf('\nwith')).split('\n');
  const notes = lines.filter((line) => !/^-- (grain|question|tells|order|lists|needs|uses):/.test(line));
  return notes.length === 0 ? undefined : [...notes.map((line) => line.replace(/^-- ?/, '')), ''];
}

function athenaType(duckdb: string): string {
  if (/^TIMESTAMP/.test(duckdb)) return 'timestamp';
  if (duckdb === 'VARCHAR') return 'string';
  return /^(HUGEINT|INTEGER|BIGINT|DECIMAL\(38,0\))$/.test(duckdb) ? 'bigint' : duckdb.toLowerCase();
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}
