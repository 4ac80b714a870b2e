import { createChildFacts } from '../api/contract/child-facts.ts';
import { type Contract, provesMore } from '../api/contract/contract.ts';
import type { FactTexts } from '../api/contract/fact-texts.ts';
import { ConditionFailed, type Lake } from '../lake/lake.ts';
import type { RawRow } from '../lake/raw/raw.ts';
import { createRawFile, type RawFile, readRawIndex } from '../lake/raw/raw-file.ts';
import type { NoteSaid } from '../sources/note.ts';
import type { Question } from '../sources/question.ts';
import type { ResourceName } from '../sources/resources.ts';
import { createAnswerNotes, createQuestionNotes } from './noted.ts';
import type { Left } from './payloads.ts';
import { createRecordKeys } from './record-keys.ts';

/** A slice has 64 KiB and then ends with its record, so one of more bytes has a large record. Plan asks how many there are. */
const LARGE_BYTES = 128 * 1024;

/** The raw files of one batch in the making, one a resource. */
export interface RawFiles extends AsyncDisposable {
  append(resource: ResourceName, row: RawRow): Promise<void>;
  /** Looks at the records of a row that is to be appended. */
  records(resource: ResourceName, records: readonly unknown[], isMended: boolean): void;
  /** Notes how the resource's answers are built. The file keeps the first of the notes that prove most. */
  found(resource: ResourceName, dialect: Contract): void;
  /** Whether the file has noted how the resource's answers are built. */
  hasFound(resource: ResourceName): boolean;
  /** Notes what the answer to one parent says next to its records. */
  says(resource: ResourceName, facts: FactTexts): void;
  /** Notes what the operator has to decide before the resource's answers can be read. */
  asks(resource: ResourceName, question: Question): void;
  /** Notes what was seen in the answer to a parent, or to none, and needs no decision. */
  notes(resource: ResourceName, parentId: string | null, notes: readonly NoteSaid[]): void;
  /**
   * Closes a resource's file and puts it under the key. A file that lies there already stays: raw is never overwritten.
   */
  put(resource: ResourceName, key: string, left: Left): Promise<void>;
}

/** Opens one raw file a resource in a scratch folder of the lake. */
export async function openRawFiles(lake: Lake, resources: readonly ResourceName[]): Promise<RawFiles> {
  const scratch = await lake.scratch();
  const pathOf = (resource: ResourceName) => `${scratch.path}/${resource}.parquet`;
  const files = new Map<ResourceName, RawFile>();
  const dialects = new Map<ResourceName, Contract>();
  for (const resource of resources) files.set(resource, await createRawFile(pathOf(resource)));
  const questions = new Map(resources.map((resource) => [resource, createQuestionNotes()]));
  const notes = new Map(resources.map((resource) => [resource, createAnswerNotes()]));
  const keys = new Map(resources.map((resource) => [resource, createRecordKeys()]));
  const facts = new Map(resources.map((resource) => [resource, createChildFacts()]));
  const fileOf = (resource: ResourceName): RawFile => {
    const file = files.get(resource);
    if (file === undefined) throw new Error(`no raw file of ${resource} is open`);
    return file;
  };
  const large = new Map<ResourceName, number>();
  return {
    append: (resource, row) => {
      const bytes = row.items === 0 ? 0 : (row.body?.length ?? 0) || (row.mended?.length ?? 0);
      if (bytes > LARGE_BYTES) large.set(resource, (large.get(resource) ?? 0) + bytes);
      return fileOf(resource).append(row);
    },
    records: (resource, records, isMended) => keys.get(resource)?.add(records, isMended),
    found: (resource, dialect) => {
      const known = dialects.get(resource);
      if (provesMore(dialect, known))
        dialects.set(resource, { ...(known?.keys && { keys: known.keys }), ...dialect });
    },
    hasFound: (resource) => dialects.has(resource),
    says: (resource, said) => facts.get(resource)?.add(said),
    asks: (resource, question) => questions.get(resource)?.add(question),
    notes: (resource, parentId, seen) => notes.get(resource)?.add(parentId, seen),
    put: async (resource, key, left) => {
      const dialect = dialects.get(resource);
      const known = keys.get(resource)?.text();
      const asked = questions.get(resource)?.text();
      const noted = notes.get(resource)?.text();
      const said = facts.get(resource)?.text();
      await fileOf(resource).close({
        left: String(left),
        ...(dialect && { dialect: JSON.stringify(dialect) }),
        ...(known !== undefined && { keys: known }),
        ...(asked !== undefined && { questions: asked }),
        ...(noted !== undefined && { notes: noted }),
        ...(said !== undefined && { facts: said }),
        ...(large.has(resource) && { large: String(large.get(resource)) }),
      });
      try {
        await lake.moveIn(key, pathOf(resource), { absent: true });
      } catch (error) {
        if (!(error instanceof ConditionFailed)) throw error;
      }
    },
    [Symbol.asyncDispose]: () => scratch[Symbol.asyncDispose](),
  };
}

/** Whether the raw file under the key has something left to try again; undefined where there is no such file. */
export async function readLeft(lake: Lake, key: string): Promise<Left | undefined> {
  const reader = await lake.open(key);
  if (reader === undefined) return undefined;
  try {
    return (await readRawIndex(reader, key)).metadata.left === '1' ? 1 : 0;
  } finally {
    await reader.close();
  }
}
