import { readFileSync } from 'node:fs';

/** The pages of questions as one text. */
export const QUESTIONS = ['questions', 'questions-over-time']
  .map((page) => readFileSync(`docs/read/${page}.md`, 'utf8'))
  .join('\n');

/** The SQL of each question, in the order of the pages. */
export const SQL_OF_QUESTIONS: ReadonlyMap<string, string> = new Map(
  [...QUESTIONS.matchAll(/^### (.+)\n(?:(?!^#)[^`]|`[^`\n]+`)*?```sql\n([^`]+)```/gm)].map(
    ([, question = '', sql = '']) => [question, sql] as const,
  ),
);

/** The SQL of a question. @throws where no page asks it. */
export function sqlOfQuestion(question: string): string {
  const sql = SQL_OF_QUESTIONS.get(question);
  if (sql === undefined) throw new Error(`no page asks: ${question}`);
  return sql;
}
