import { readdir, readFile } from 'node:fs/promises';
import * as z from 'zod';
import { COLUMN_TYPES, type ColumnType } from '../column-types.ts';

/** A view of queries/, as its file says it. */
export interface ViewFile {
  readonly name: string;
  /** The question that it answers. */
  readonly question: string;
  /** What a row of it is. */
  readonly grain: string;
  /** The columns that answer the question, in the order in which a person reads them. */
  readonly tells: readonly string[];
  /** What its rows are ordered by where nobody asks for another order, as DuckDB and Athena read it: what harms most comes first. */
  readonly order: string;
  /** Tables whose records its rows are; none where its rows are days or findings. */
  readonly lists: readonly string[];
  /** Columns of the API that say what is asked. One that a table lacks is said beside the view. */
  readonly needs: readonly NeededColumn[];
  /** Columns that it shows where the API gives them. */
  readonly uses: readonly ViewColumn[];
  readonly sql: string;
  /** The names of tables, views and parts of its own that its SELECT reads. */
  readonly reads: ReadonlySet<string>;
  /** What Trino says that its SELECT gives, in order: name → type as Trino spells it; none where it was never asked. */
  readonly columns: ViewTypes;
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

/** By their folder: they are a part of the program, and a command asks for them several times. */
const known = new Map<string, readonly ViewFile[]>();

/** The views in a folder, in the order of their names: a `.sql` file each, and `columns.json` with their columns. */
export async function readViews(folder: URL): Promise<readonly ViewFile[]> {
  const views = known.get(folder.href) ?? (await readFolder(folder));
  known.set(folder.href, views);
  return views;
}

async function readFolder(folder: URL): Promise<readonly ViewFile[]> {
  const files = (await readdir(folder)).filter((file) => file.endsWith('.sql')).sort();
  const types = typesByView.parse(JSON.parse(await readFile(new URL('columns.json', folder), 'utf8')));
  return Promise.all(
    files.map(async (file) => {
      const name = file.slice(0, -'.sql'.length);
      const sql = await readFile(new URL(file, folder), 'utf8');
      return { ...parseView(name, sql), columns: types[name] ?? {} };
    }),
  );
}

/** The views in an order in which they can be created: each behind those that it reads. */
export function inOrderOfReading<View extends Pick<ViewFile, 'name' | 'reads'>>(
  views: readonly View[],
): readonly View[] {
  return [...new Set(views.flatMap((view) => withReadViews(view, views)))];
}

/** A view behind all views that it reads, itself or by another. */
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

/** Reads a view and its header. Throws where the header lacks a line, which is a mistake in the file. */
function parseView(name: string, sql: string): Omit<ViewFile, 'columns'> {
  const line = (word: string) => new RegExp(`^-- ${word}:(.*)$`, 'm').exec(sql)?.[1]?.trim();
  const [grain, question, order] = [line('grain'), line('question'), line('order')];
  if (grain === undefined || question === undefined || order === undefined)
    throw new Error(`queries/${name}.sql must say grain, question and order in its header`);
  const needs = [...sql.matchAll(/^-- needs: (\S+ \S+), which says (.+)$/gm)].flatMap(
    ([, column = '', says = '']) => parseColumns(column).map((each) => ({ ...each, says })),
  );
  const [lists, tells] = [namesIn(line('lists')), namesIn(line('tells'))];
  const uses = parseColumns(line('uses') ?? '');
  return { name, question, grain, lists, tells, order, needs, uses, sql, reads: readsOf(sql) };
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
