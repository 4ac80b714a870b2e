import { CallRefused } from '../api/call/call.ts';
import { type Contract, provesMore } from '../api/contract/contract.ts';
import { createChildFacts, type FactTexts } from '../api/contract/fact-texts.ts';
import type { ExportError } from '../errors.ts';
import { ConditionFailed, type Lake } from '../lake/lake.ts';
import type { RawRow } from '../lake/raw/raw.ts';
import { createRawFile, type RawFile, rawIndexAt } from '../lake/raw/raw-file.ts';
import type { NoteSaid } from '../sources/note.ts';
import type { Question } from '../sources/question.ts';
import type { ResourceName } from '../sources/resources.ts';
import type { FoundDialect } from './dialects.ts';
import { createAnswerNotes, createQuestionNotes, createRecordKeys } from './noted.ts';
import type { Left } from './payloads.ts';

/** A slice has 64 KiB and then ends with its record, so a longer one has a large record. Plan counts them. */
const LARGE_BYTES = 128 * 1024;

/** The unfinished raw files of one batch, one for each resource. */
export interface RawFiles extends AsyncDisposable {
  append(resource: ResourceName, row: RawRow): Promise<void>;
  /** Looks at the records of a row before it is appended. */
  records(resource: ResourceName, records: readonly unknown[], isMended: boolean): void;
  /** Notes how the resource's answers are built. The file keeps the first of the strongest proofs. */
  found(resource: ResourceName, dialect: Contract): void;
  /** Notes what list found out about a listing without parent. The state of a run may be lost, and raw be kept. */
  listed(resource: ResourceName, found: FoundDialect): void;
  /** True where the file has noted how the resource's answers are built. */
  hasFound(resource: ResourceName): boolean;
  /** Notes the facts in the answer to one parent. */
  says(resource: ResourceName, facts: FactTexts): void;
  /** Notes a question for the operator; without its answer the resource is unreadable. */
  asks(resource: ResourceName, question: Question): void;
  /** Notes what was seen in an answer and needs no decision; without parent, `parentId` is null. */
  notes(resource: ResourceName, parentId: string | null, notes: readonly NoteSaid[]): void;
  /** Ends a resource's file. */
  close(resource: ResourceName, left: Left): Promise<void>;
  /** Puts a resource's closed file at the key. An existing file stays: raw is never overwritten. */
  put(resource: ResourceName, key: string): Promise<void>;
}

/** An unfinished raw file, and what is noted for its metadata. */
interface OpenFile {
  readonly file: RawFile;
  readonly questions: ReturnType<typeof createQuestionNotes>;
  readonly notes: ReturnType<typeof createAnswerNotes>;
  readonly keys: ReturnType<typeof createRecordKeys>;
  readonly facts: ReturnType<typeof createChildFacts>;
  dialect?: Contract;
  listed?: FoundDialect;
  /** Bytes of large records. */
  large: number;
}

/** Opens one raw file for each resource in a scratch folder of the lake. */
export async function openRawFiles(lake: Lake, resources: readonly ResourceName[]): Promise<RawFiles> {
  const scratch = await lake.scratch();
  const pathOf = (resource: ResourceName) => `${scratch.path}/${resource}.parquet`;
  const files = new Map<ResourceName, OpenFile>();
  for (const resource of resources)
    files.set(resource, {
      file: await createRawFile(pathOf(resource)),
      questions: createQuestionNotes(),
      notes: createAnswerNotes(),
      keys: createRecordKeys(),
      facts: createChildFacts(),
      large: 0,
    });
  const of = (resource: ResourceName): OpenFile => {
    const open = files.get(resource);
    if (open === undefined) throw new Error(`no raw file of ${resource} is open`);
    return open;
  };
  return {
    append: (resource, row) => {
      const bytes = row.items === 0 ? 0 : (row.body?.length ?? 0) || (row.mended?.length ?? 0);
      if (bytes > LARGE_BYTES) of(resource).large += bytes;
      return of(resource).file.append(row);
    },
    records: (resource, records, isMended) => of(resource).keys.add(records, isMended),
    found: (resource, dialect) => {
      const known = of(resource).dialect;
      if (provesMore(dialect, known))
        of(resource).dialect = { ...(known?.keys && { keys: known.keys }), ...dialect };
    },
    listed: (resource, found) => void Object.assign(of(resource), { listed: found }),
    hasFound: (resource) => of(resource).dialect !== undefined,
    says: (resource, said) => of(resource).facts.add(said),
    asks: (resource, question) => of(resource).questions.add(question),
    notes: (resource, parentId, seen) => of(resource).notes.add(parentId, seen),
    close: async (resource, left) => {
      const { file, dialect, listed, large, ...open } = of(resource);
      const noted = {
        left: String(left),
        dialect: JSON.stringify(dialect),
        listed: JSON.stringify(listed),
        keys: open.keys.text(),
        questions: open.questions.text(),
        notes: open.notes.text(),
        facts: open.facts.text(),
        large: large === 0 ? undefined : String(large),
      };
      const texts = Object.entries(noted).flatMap(([name, text]) =>
        text === undefined ? [] : [[name, text]],
      );
      await file.close(Object.fromEntries(texts));
    },
    put: async (resource, key) => {
      try {
        await lake.moveIn(key, pathOf(resource), { absent: true });
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
