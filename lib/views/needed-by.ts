import { allRead, readViews, withReadViews } from './view-file.ts';

/** A query with these may name tables without a word of ours: then all are opened. */
const ASKS_FOR_NAMES = /\b(information_schema|pg_catalog|duckdb_\w+|sqlite_master|show|summarize)\b/i;

/**
 * The tables and views that a query needs, directly or through views: every one of its words that is such a
 * name. An extra word, in a comment or a text, opens a table for nothing; no needed one is left out.
 */
export async function neededBy(sql: string, queries: URL): Promise<(name: string) => boolean> {
  if (ASKS_FOR_NAMES.test(sql)) return () => true;
  const words = new Set(sql.toLowerCase().match(/\w+/g) ?? []);
  const views = await readViews(queries);
  const read = views.filter(({ name }) => words.has(name)).flatMap((view) => withReadViews(view, views));
  const needed = allRead([...words, ...read.flatMap((view) => [view.name, ...view.reads])]);
  return (name) => needed.has(name);
}
