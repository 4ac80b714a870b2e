import * as z from 'zod';
import type { NoteSaid } from '../sources/note.ts';
import { type Question, questionForm } from '../sources/question.ts';
import type { RawNotes } from './answers.ts';

/** Most questions in one raw file: answers to many parents raise the same. */
const MOST_OF_A_FILE = 8;

const noted = z.array(questionForm);

/** The questions of an unfinished raw file, for its metadata; the text is JSON, undefined without questions. */
export function createQuestionNotes() {
  const questions = new Map<string, Question>();
  return {
    add: (question: Question): void => {
      // Each parent shows something different, so only the code and the cures count.
      const key = JSON.stringify([question.code, question.cures]);
      if (questions.size < MOST_OF_A_FILE && !questions.has(key)) questions.set(key, question);
    },
    text: () => (questions.size === 0 ? undefined : JSON.stringify([...questions.values()])),
  };
}

/** The questions in raw files, each with the pass of its file. */
export function notedQuestions(
  notes: readonly RawNotes[],
): readonly { readonly pass: number; readonly question: Question }[] {
  return notes.flatMap(({ pass, questions = '[]' }) =>
    noted.parse(JSON.parse(questions)).map((question) => ({ pass, question })),
  );
}

/** The form of the JSON, as DuckDB reads it: most parents' answers have the same notes. */
export const NOTED_JSON = '[{"code":"VARCHAR","says":"VARCHAR","parents":["VARCHAR"]}]';

/**
 * The notes about the answers of an unfinished raw file, for its metadata; the text has the form of `NOTED_JSON`. A
 * listing without parent has the parent null. A note has at most 700 bytes, and a batch some thousand parents.
 */
export function createAnswerNotes() {
  const parentsOf = new Map<string, (string | null)[]>();
  return {
    add: (parentId: string | null, notes: readonly NoteSaid[]): void => {
      for (const { code, says } of notes) {
        const note = JSON.stringify({ code, says });
        const parents = parentsOf.get(note) ?? [];
        parents.push(parentId);
        parentsOf.set(note, parents);
      }
    },
    text: () =>
      parentsOf.size === 0
        ? undefined
        : JSON.stringify([...parentsOf].map(([note, parents]) => ({ ...JSON.parse(note), parents }))),
  };
}

/** An object with more different keys has data in its keys: it is a map, or the server is hostile. */
const MOST_KEYS = 1000;

/**
 * Notes the keys of a resource's records as they come, so that plan need not read every record. `isMended`: DuckDB reads
 * these records in their mended form, which may have other keys. The text is a JSON array, undefined where some are unknown.
 */
export function createRecordKeys() {
  const keys = new Set<string>();
  let isKnown = true;
  let last: readonly string[] = [];

  const take = (record: unknown): void => {
    if (typeof record !== 'object' || record === null) return;
    const own = Object.keys(record);
    // Nearly all records have the keys of the one before.
    if (own.length === last.length && own.every((key, index) => key === last[index])) return;
    for (const key of own) keys.add(key);
    last = own;
  };

  return {
    add: (records: readonly unknown[], isMended: boolean): void => {
      isKnown &&= !isMended;
      if (isKnown) records.forEach(take);
      isKnown &&= keys.size <= MOST_KEYS;
    },
    text: () => (isKnown ? JSON.stringify([...keys]) : undefined),
  };
}

/** The keys of all records in raw, in a fixed order; undefined where a file lacks them. */
export function notedKeys(notes: readonly RawNotes[]): readonly string[] | undefined {
  if (notes.some(({ keys }) => keys === undefined)) return undefined;
  return [...new Set(notes.flatMap(({ keys = '[]' }): string[] => JSON.parse(keys)))].sort();
}
