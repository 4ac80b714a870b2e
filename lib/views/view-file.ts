import { readdir, readFile } from 'node:fs/promises';
import * as z from 'zod';
import { COLUMN_TYPES, type ColumnType } from '../column-types.ts';
import { shownColumnSentence } from '../schema/column-sentence.ts';

/** A view of queries/, from its file. */
export interface ViewFile {
  readonly name: string;
  /** The question that it answers. */
  readonly question: string;
  /** What a row of it is. */
  readonly grain: string;
  /** The columns that tell its rows apart. */
  readonly key: readonly string[];
  /** Those of them in which null counts as a value: the header says `COLUMN or null`. */
  readonly keyNulls: readonly string[];
  /** The columns that answer the question, in the order for a person. */
  readonly tells: readonly string[];
  /** The order of its rows by default, in SQL for DuckDB and Athena: the most harmful comes first. */
  readonly order: string;
  /** Tables with records that are its rows; empty if its rows are days or findings. */
  readonly lists: readonly string[];
  /** The API's columns that answer the question. The view reports one that a table lacks. */
  readonly needs: readonly NeededColumn[];
  /** Columns that it shows if the API has them. */
  readonly uses: readonly ViewColumn[];
  readonly sql: string;
  /** The names of tables, views and parts of its own that its SELECT reads. */
  readonly reads: ReadonlySet<string>;
  /** Its SELECT's columns by Trino, in order: name → type as Trino spells it. Empty before Trino's answer. */
  readonly columns: ViewTypes;
  /** What each of these columns says, in one sentence. A test finds a column without one. */
  readonly sentences: Readonly<Record<string, string>>;
}

const viewTypes = z.record(z.string(), z.string()).readonly();
const typesByView = z.record(z.string(), viewTypes);

/** Types by column. */
export type ViewTypes = z.infer<typeof viewTypes>;

export interface ViewColumn {
  readonly table: string;
  readonly column: string;
  readonly type: ColumnType;
}

interface NeededColumn extends ViewColumn {
  /** What the view cannot say without it, such as "when a player was last seen". */
  readonly says: string;
}

/** By folder: they belong to the program, and a command needs them several times. */
const known = new Map<string, readonly ViewFile[]>();

/**
 * The views in a folder, in the order of their names: `.sql` files, `columns.json` with their columns, and
 * `sentences.json` with what COLUMN or VIEW.COLUMN says where no table has a column of that name and meaning.
 */
export async function readViews(folder: URL): Promise<readonly ViewFile[]> {
  const views = known.get(folder.href) ?? (await readFolder(folder));
  known.set(folder.href, views);
  return views;
}

async function readFolder(folder: URL): Promise<readonly ViewFile[]> {
  const files = (await readdir(folder)).filter((file) => file.endsWith('.sql')).sort();
  const json = async (file: string) => JSON.parse(await readFile(new URL(file, folder), 'utf8'));
  const types = typesByView.parse(await json('columns.json'));
  const said = z.record(z.string(), z.string()).parse(await json('sentences.json'));
  return Promise.all(
    files.map(async (file) => {
      const name = file.slice(0, -'.sql'.length);
      const sql = await readFile(new URL(file, folder), 'utf8');
      const columns = types[name] ?? {};
      const sentences = Object.keys(columns).flatMap((column) => {
        const sentence = said[`${name}.${column}`] ?? said[column] ?? shownColumnSentence(column);
        return sentence === undefined ? [] : [[column, sentence] as const];
      });
      return { ...parseView(name, sql), columns, sentences: Object.fromEntries(sentences) };
    }),
  );
}

/** The views in an order for their creation: each comes after those that it reads. */
export function inOrderOfReading<View extends Pick<ViewFile, 'name' | 'reads'>>(
  views: readonly View[],
): readonly View[] {
  return [...new Set(views.flatMap((view) => withReadViews(view, views)))];
}

/** A view after all views that it reads, directly or through another. */
export function withReadViews<View extends Pick<ViewFile, 'name' | 'reads'>>(
  view: View,
  views: readonly View[],
): readonly View[] {
  const read = views.filter((each) => view.reads.has(each.name));
  return [...read.flatMap((each) => withReadViews(each, views)), view];
}

function readsOf(sql: string): ReadonlySet<string> {
  const said = sql.replaceAll(/--.*$/gm, '');
  return new Set([...said.matchAll(/\b(?:from|join)\s+(\w+)/g)].map(([, name = '']) => name));
}

/** What is read, with the tables that the config's tables read. */
export function allRead(reads: Iterable<string>): ReadonlySet<string> {
  const all = new Set(reads);
  if (all.has('config_groups')) all.add('players');
  if (all.has('config_groups_daily')) all.add('players_daily');
  return all;
}

const OR_NULL = / or null$/;

/** Reads a view and its header. Throws if the header lacks a line, which is a mistake in the file. */
function parseView(name: string, sql: string): Omit<ViewFile, 'columns' | 'sentences'> {
  const line = (word: string) => new RegExp(`^-- ${word}:(.*)$`, 'm').exec(sql)?.[1]?.trim();
  const [lists, tells, stated] = [namesIn(line('lists')), namesIn(line('tells')), namesIn(line('key'))];
  const key = stated.map((column) => column.replace(OR_NULL, ''));
  const keyNulls = key.filter((column) => !stated.includes(column));
  const [grain, question, order] = [line('grain'), line('question'), line('order')];
  if (grain === undefined || key.length === 0 || question === undefined || order === undefined)
    throw new Error(`queries/${name}.sql must say grain, key, question and order in its header`);
  const needs = [...sql.matchAll(/^-- needs: (\S+ \S+), which says (.+)$/gm)].flatMap(
    ([, column = '', says = '']) => parseColumns(column).map((each) => ({ ...each, says })),
  );
  const uses = parseColumns(line('uses') ?? '');
  return { name, question, grain, key, keyNulls, lists, tells, order, needs, uses, sql, reads: readsOf(sql) };
}

function namesIn(text = ''): readonly string[] {
  return text === '' ? [] : text.split(', ');
}

function parseColumns(text: string): readonly ViewColumn[] {
  return [...text.matchAll(/\b(\w+)\.(\w+) (\w+)/g)].map(([, table = '', column = '', type]) => ({
    table,
    column,
    type: z.enum(COLUMN_TYPES).parse(type),
  }));
}
