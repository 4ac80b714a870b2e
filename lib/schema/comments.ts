import { plainPath } from '../lake/raw/marks.ts';
import { questionsText } from '../sources/question.ts';
import { apiColumnSentence } from './column-sentence.ts';
import { type Keyed, keyText } from './key-text.ts';
import type { Schema, SchemaColumn } from './schema.ts';
import type { TableForm } from './tables.ts';

/** The columns of a table that no partition has: the fixed ones and the API's, including those without a value so far. */
export function commentedColumns(form: TableForm, schema: Schema) {
  const own = schema.tables[form.name]?.columns ?? [];
  return [
    ...form.columns.map(({ name, type, description }) => ({ name, type, comment: description })),
    ...own.map((column) => ({ name: column.name, type: column.type, comment: comment(form.name, column) })),
  ];
}

function comment(table: string, { name, paths, provisional, questions }: SchemaColumn): string {
  const named = [...new Set(paths.map(({ path }) => plainPath(path)))];
  return [
    apiColumnSentence(table, name),
    named.join(', '),
    ...(provisional ? ['no value yet: the first one decides the type'] : []),
    ...(questions.length === 0 ? [] : [questionsText(questions)]),
  ]
    .filter((part) => part !== undefined)
    .join('; ');
}

/** What a table has, and its key; of a table of days, the key includes the day. */
export function tableComment(form: TableForm, which: 'newest' | 'daily'): string {
  const { description, onlyDays } = form;
  if (which === 'newest') return `${description}, as of the newest run. Key: ${keyText(form)}`;
  return `${description}, by day. Key: ${keyText(form)}${onlyDays ? '' : ', export_date'}`;
}

/** What a view answers, and its key. */
export function viewComment(view: { readonly question: string; readonly grain: string } & Keyed): string {
  return `${view.question} A row: ${view.grain}. Key: ${keyText(view)}`;
}
