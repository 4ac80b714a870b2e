import { CallRefused } from '../api/call/call.ts';
import { type Contract, provesMore } from '../api/contract/contract.ts';
import { createChildFacts } from '../api/contract/fact-texts.ts';
import type { ExportError } from '../errors.ts';
import { ConditionFailed, type Lake } from '../lake/lake.ts';
import type { RawRow } from '../lake/raw/raw.ts';
import { createRawFile, rawIndexAt } from '../lake/raw/raw-file.ts';
import type { FoundDialect } from './dialects.ts';
import { createAnswerNotes, createQuestionNotes, createRecordKeys } from './noted.ts';
import type { Left } from './payloads.ts';

/** A slice has 64 KiB and then ends with its record, so a longer one has a large record. Plan counts them. */
const LARGE_BYTES = 128 * 1024;

/** An unfinished raw file of the answers of one resource, with what is noted for its metadata. */
export type UnfinishedRaw = Awaited<ReturnType<typeof openRaw>>;

/** Opens a raw file in a scratch folder of the lake. */
export async function openRaw(lake: Lake) {
  const scratch = await lake.scratch();
  const path = `${scratch.path}/raw.parquet`;
  const file = await createRawFile(path);
  const [questions, notes] = [createQuestionNotes(), createAnswerNotes()];
  const [keys, facts] = [createRecordKeys(), createChildFacts()];
  let dialect: Contract | undefined;
  let listed: FoundDialect | undefined;
  let large = 0;
  return {
    /** The questions for the operator; without their answers the resource is unreadable. */
    questions,
    /** What was seen in an answer and needs no decision. */
    notes,
    /** The keys of the records. They are looked at before their row is appended. */
    keys,
    /** The facts in the answers to parents. */
    facts,
    append: (row: RawRow): Promise<void> => {
      const bytes = row.items === 0 ? 0 : (row.body?.length ?? 0) || (row.mended?.length ?? 0);
      if (bytes > LARGE_BYTES) large += bytes;
      return file.append(row);
    },
    /** Notes how the answers are built. The file keeps the first of the strongest proofs. */
    found: (proof: Contract): void => {
      if (provesMore(proof, dialect)) dialect = { ...(dialect?.keys && { keys: dialect.keys }), ...proof };
    },
    /** The strongest proof until now. */
    shown: () => dialect,
    /** Notes what list found out about a listing without parent. The state of a run may be lost, and raw be kept. */
    listed: (found: FoundDialect): void => {
      listed = found;
    },
    close: async (left: Left): Promise<void> => {
      const noted = {
        left: String(left),
        dialect: JSON.stringify(dialect),
        listed: JSON.stringify(listed),
        keys: keys.text(),
        questions: questions.text(),
        notes: notes.text(),
        facts: facts.text(),
        large: large === 0 ? undefined : String(large),
      };
      const texts = Object.entries(noted).flatMap(([name, text]) =>
        text === undefined ? [] : [[name, text]],
      );
      await file.close(Object.fromEntries(texts));
    },
    /** Puts the closed file at the key. An existing file stays: raw is never overwritten. */
    put: async (key: string): Promise<void> => {
      try {
        await lake.moveIn(key, path, { absent: true });
      } catch (error) {
        if (!(error instanceof ConditionFailed)) throw error;
      }
    },
    [Symbol.asyncDispose]: () => scratch[Symbol.asyncDispose](),
  };
}

/** Returns whether the raw file at the key has something to try again; undefined without a file. */
export async function readLeft(lake: Lake, key: string): Promise<Left | undefined> {
  const index = await rawIndexAt(lake, key);
  return index && (index.metadata.left === '1' ? 1 : 0);
}

/**
 * The raw row of an item without an answer, because the API refuses the whole source. It counts the item's
 * own calls.
 */
export function failedRow(parentId: string | null, error: ExportError, now: Date): RawRow {
  const { attempts, status } = error instanceof CallRefused ? error : NOT_ASKED;
  return {
    parentId,
    page: 0,
    slice: 0,
    answeredAt: now,
    status,
    attempts,
    outcome: 'failed',
    errorCode: error.code,
    message: error.message,
    items: 0,
    recordsFrom: null,
    recordsTo: null,
    body: null,
    mended: null,
  };
}

const NOT_ASKED = { attempts: 0, status: null };
