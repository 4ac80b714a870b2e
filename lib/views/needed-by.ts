import { readViews, withReadViews } from './view-file.ts';

/** Where a query may name tables without a word of ours: all are then opened. */
const ASKS_FOR_NAMES = /\b(information_schema|pg_catalog|duckdb_\w+|sqlite_master|show|summarize)\b/i;

/**
 * Which tables and views a query needs, itself and by the views that it names: whatever is written in it as a word. A
 * word too many, in a comment or a text, opens a table for nothing; none that is needed is left out.
 */
export async function neededBy(sql: string, queries: URL): Promise<(name: string) => boolean> {
  if (ASKS_FOR_NAMES.test(sql)) return () => true;
  const words = new Set(sql.toLowerCase().match(/\w+/g) ?? []);
  const views = await readViews(queries);
  const read = views.filter(({ name }) => words.has(name)).flatMap((view) => withReadViews(view, views));
  const needed = new Set([...words, ...read.flatMap((view) => [view.name, ...view.reads])]);
  return (name) => needed.has(name);
}
