import { readFile } from 'node:fs/promises';
import type { Command } from 'commander';
import { readConfig } from '#lib/config/parse-config.ts';
import { errno, UsageError } from '#lib/errors.ts';
import { NoTable } from '#lib/runtime/duckdb-errors.ts';
import { QUERY_SECONDS } from '#lib/runtime/query-stopped.ts';
import { TABLES } from '#lib/schema/tables.ts';
import { nearest } from '#lib/text.ts';
import { notKnown } from '#lib/views/not-known.ts';
import { openTables, type QueryResult, type Tables } from '#lib/views/open-tables.ts';
import { QUERIES } from '#lib/views/queries.ts';
import { told } from '#lib/views/sentence.ts';
import { readViews, type ViewFile } from '#lib/views/view-file.ts';
import { existingLake } from './local-services.ts';
import { commandOf, flag, option, text, wholeOption } from './options.ts';
import { printRows } from './print-rows.ts';
import { note } from './say.ts';

/** A day. */
const LONGEST_SECONDS = 86_400;

/** `query`: SQL over the committed tables and the views of queries/. */
export function addQuery(command: Command): void {
  command.argument('<sql>', 'one SELECT, the name of a table or view such as screen_status, or a .sql file');
  commandOf(command, OPTIONS, async (options, question = '') => {
    if (options.json && options.format !== undefined && options.format !== 'json')
      throw new UsageError(`--json means --format json: leave out --json or --format ${options.format}.`);
    const format = options.json ? 'json' : options.format;
    if (format !== undefined && !isFormat(format))
      throw new UsageError(`--format ${JSON.stringify(format)} is unknown: write table, csv or json.`);
    const { safe, all, timeout: limitSeconds } = options;
    if (safe && format !== 'csv')
      throw new UsageError('--safe works only with --format csv: add that, or leave out --safe.');
    const named = await namedView(question);
    const sql = await sqlOf(question, named?.order);
    const tells = named?.tells;
    if (options.athena) {
      const { queryAthena } = await import('./query-athena.ts');
      const answer = await queryAthena(await readConfig(options.config), { sql, limitSeconds });
      printRows(answer, { format, safe, all, tells });
      return;
    }
    using tables = await openTables(await existingLake(options.lake), { sql, limitSeconds });
    printRows(await ask(tables, sql), { format, safe, all, tells });
    await noteUnknown(tables, sql);
  });
}

const OPTIONS = {
  format: text(
    '--format <format>',
    'table, csv or json, each with exact values; a terminal is shown a table for people',
  ),
  all: flag('--all', 'every row, also on a terminal'),
  safe: flag('--safe', 'for csv: no text acts as a formula in a spreadsheet, or as a command in a terminal'),
  timeout: option(
    '--timeout <seconds>',
    'how long the query may take',
    wholeOption(1, LONGEST_SECONDS),
    String(QUERY_SECONDS),
  ),
  athena: flag('--athena', 'ask Athena in the deployed workgroup instead of DuckDB'),
};

const FORMATS = ['table', 'csv', 'json'] as const;

function isFormat(text: string): text is (typeof FORMATS)[number] {
  return (FORMATS as readonly string[]).includes(text);
}

/** A table or view to show with all rows. */
const NAME = /^\w+$/;

/**
 * The first columns of a view and the order of its rows. A table has neither; undefined for SQL, which has
 * its own order.
 */
async function namedView(question: string): Promise<Partial<Pick<ViewFile, 'tells' | 'order'>> | undefined> {
  const name = question.trim().toLowerCase();
  if (!NAME.test(name)) return undefined;
  const files = await readViews(QUERIES);
  return files.find((view) => view.name === name) ?? { tells: [] };
}

/** The SELECT for the argument: the content of a .sql file, all rows of a table or view, or the argument itself. */
async function sqlOf(question: string, order: string | undefined): Promise<string> {
  const words = question.trim();
  if (NAME.test(words)) {
    const all = `select * from "${words.toLowerCase()}"`;
    return order === undefined ? all : `${all} order by ${order}`;
  }
  if (!/^\S+\.sql$/i.test(words)) return heldQuery(question, JSON.stringify(question));
  return heldQuery(await textOf(words), words);
}

/** Refuses a text of comments, space and semicolons alone, because DuckDB's own message does not help. */
function heldQuery(sql: string, what: string): string {
  if (saysAnything(sql)) return sql;
  throw new UsageError(
    `${what} holds no query: write one SELECT, or the name of a table or view such as screen_status.`,
    'QUERY_INVALID',
  );
}

/** Whether a text holds more than comments, space and semicolons. */
function saysAnything(sql: string): boolean {
  let at = 0;
  while (at < sql.length) {
    const [end, behind] = sql.startsWith('--', at)
      ? ['\n', 1]
      : sql.startsWith('/*', at)
        ? ['*/', 2]
        : ['', 0];
    if (end === '' && !/[\s;]/.test(sql.charAt(at))) return true;
    const to = end === '' ? at : sql.indexOf(end, at + 2);
    if (to === -1) return end === '*/';
    at = to + Math.max(1, behind);
  }
  return false;
}

async function textOf(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (cause) {
    throw new UsageError(
      `${file} cannot be read (${errno(cause)}): name a file with one SELECT, or write the SQL itself.`,
      'QUERY_INVALID',
      cause,
    );
  }
}

/** The answer to a query. For an unknown table it throws UsageError, with the table that was probably meant. */
export async function ask(tables: Tables, sql: string): Promise<QueryResult> {
  try {
    return await tables.query(sql);
  } catch (error) {
    if (!(error instanceof NoTable)) throw error;
    throw new UsageError(noTable(tables, error.table), 'QUERY_INVALID', error);
  }
}

/** Reports on stderr what the query's tables and views do not know; stdout has only rows. */
async function noteUnknown(tables: Tables, sql: string): Promise<void> {
  for (const [name, sentences] of await notKnown(tables)) {
    if (!new RegExp(`\\b${name}(_daily)?\\b`, 'i').test(sql)) continue;
    for (const sentence of sentences) note(`${name}: ${told(sentence)}`);
  }
}

function noTable({ views }: Tables, name: string): string {
  const known = [
    ...TABLES.flatMap((table) => (table.onlyDays ? [table.name] : [table.name, `${table.name}_daily`])),
    ...views.map((view) => view.name),
  ];
  const meant = nearest(name, known) ?? known.find((each) => each.includes(name.toLowerCase()));
  return meant === undefined
    ? `no table ${name}; there are ${known.join(', ')}.`
    : `no table ${name}; did you mean ${meant}?`;
}
