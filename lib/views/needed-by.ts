import { readViews } from './view-file.ts';

/** Where a query may name tables without a word of ours: all are then opened. */
const ASKS_FOR_NAMES = /\b(information_schema|pg_catalog|duckdb_\w+|sqlite_master|show|summarize)\b/i;

/**
 * Which tables and views a query needs, itself and by the views that it names: whatever is written in it as a word. A
 * word too many, in a comment or a text, opens a table for nothing; none that is needed is left out.
 */
export async function neededBy(sql: string, queries: URL): Promise<(name: string) => boolean> {
  if (ASKS_FOR_NAMES.test(sql)) return () => true;
  const words = wordsIn(sql);
  const views = await readViews(queries);
  const needed = new Set(words);
  for (const view of views.filter(({ name }) => words.has(name))) {
    // No view stands on another; its comments may name one.
    for (const word of wordsIn(view.sql)) if (!views.some(({ name }) => name === word)) needed.add(word);
  }
  return (name) => needed.has(name);
}

function wordsIn(sql: string): ReadonlySet<string> {
  return new Set(sql.toLowerCase().match(/\w+/g) ?? []);
}
