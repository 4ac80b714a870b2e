import { readFile } from 'node:fs/promises';
import * as z from 'zod';
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
import { readViews } from '#lib/views/view-file.ts';
import { existingLake } from './local-services.ts';
import { commandOf, flag, option, wholeOption, word } from './options.ts';
import { printRows } from './print-rows.ts';
import { note } from './say.ts';

const OPTIONS = {
  sql: word('<sql>', 'one SELECT, the name of a table or view such as screen_status, or a .sql file'),
  format: option(
    '<format>',
    'table, csv or json, each with exact values; a terminal is shown a table for people',
    z.enum(['table', 'csv', 'json'], { error: 'table, csv or json' }).optional(),
  ),
  all: flag('every row, also on a terminal'),
  safe: flag('for csv: no text acts as a formula in a spreadsheet, or as a command in a terminal'),
  timeout: option('<seconds>', 'how long the query may take', wholeOption(1, 86_400), String(QUERY_SECONDS)),
  athena: flag('ask Athena in the deployed workgroup instead of DuckDB'),
};

export const addQuery = commandOf(OPTIONS, async ({ sql: question, timeout: limitSeconds, ...options }) => {
  const { json, safe, all } = options;
  if (json && options.format !== undefined && options.format !== 'json')
    throw new UsageError(`--json means --format json: leave out --json or --format ${options.format}.`);
  const format = json ? 'json' : options.format;
  if (safe && format !== 'csv')
    throw new UsageError('--safe works only with --format csv: add that, or leave out --safe.');
  const { sql, tells } = await selectOf(question);
  if (options.athena) {
    const { queryAthena } = await import('./query-athena.ts');
    const answer = await queryAthena(await readConfig(options.config), { sql, limitSeconds });
    return printRows(answer, { format, safe, all, tells });
  }
  using tables = await openTables(await existingLake(options.lake), { sql, limitSeconds });
  printRows(await ask(tables, sql), { format, safe, all, tells });
  // stdout has only rows.
  for (const [name, sentences] of await notKnown(tables)) {
    if (!new RegExp(`\\b${name}(_daily)?\\b`, 'i').test(sql)) continue;
    for (const sentence of sentences) note(`${name}: ${told(sentence)}`);
  }
});

/** The SELECT of a .sql file, a table, a view or the argument. `tells`: the columns that answer a view's question. */
async function selectOf(question: string) {
  const words = question.trim();
  if (/^\w+$/.test(words)) {
    const name = words.toLowerCase();
    const view = (await readViews(QUERIES)).find((each) => each.name === name);
    const order = view === undefined ? '' : ` order by ${view.order}`;
    return { sql: `select * from "${name}"${order}`, tells: view?.tells ?? [] };
  }
  const isFile = /^\S+\.sql$/i.test(words);
  const sql = isFile ? await readFile(words, 'utf8').catch(unreadable) : question;
  if (saysAnything(sql)) return { sql, tells: undefined };
  const cure = 'write one SELECT, or the name of a table or view such as screen_status';
  const what = isFile ? words : JSON.stringify(question);
  throw new UsageError(`${what} holds no query: ${cure}.`, 'QUERY_INVALID');

  function unreadable(cause: unknown): never {
    const says = `${words} cannot be read (${errno(cause)}): name a file with one SELECT, or write the SQL itself.`;
    throw new UsageError(says, 'QUERY_INVALID', cause);
  }
}

/** Whether a text holds more than comments, space and semicolons, of which DuckDB's own message does not help. */
function saysAnything(sql: string): boolean {
  const rest = sql.replace(/^[\s;]+/, '');
  const end = rest.startsWith('--') ? '\n' : rest.startsWith('/*') ? '*/' : undefined;
  if (end === undefined) return rest !== '';
  const to = rest.indexOf(end, 2);
  return to === -1 ? end === '*/' : saysAnything(rest.slice(to + end.length));
}

/** The answer to a query. For an unknown table it throws UsageError, with the table that was probably meant. */
export async function ask(tables: Tables, sql: string): Promise<QueryResult> {
  try {
    return await tables.query(sql);
  } catch (error) {
    if (!(error instanceof NoTable)) throw error;
    const known = [
      ...TABLES.flatMap(({ name, onlyDays }) => (onlyDays ? [name] : [name, `${name}_daily`])),
      ...tables.views.map(({ name }) => name),
    ];
    const name = error.table;
    const meant = nearest(name, known) ?? known.find((each) => each.includes(name.toLowerCase()));
    const cure = meant === undefined ? `there are ${known.join(', ')}.` : `did you mean ${meant}?`;
    throw new UsageError(`no table ${name}; ${cure}`, 'QUERY_INVALID', error);
  }
}
