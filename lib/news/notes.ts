import * as z from 'zod';
import { readJson, replaceObject } from '../lake/json-object.ts';
import { lakeKey } from '../lake/keys.ts';
import type { Lake } from '../lake/lake.ts';
import { type Attempt, attemptName } from '../run-id.ts';

const heardShape = z.object({
  /** The newest attempts that were reported; earlier versions noted them elsewhere. */
  attempts: z.array(z.string()).default([]),
  /** By id: the number of each finding's rows; missing if nobody could read them. */
  findings: z.record(z.string(), z.number()).optional(),
  /** What each drift and question says, without its numbers. */
  asks: z.array(z.string()),
});

/** What a way heard last; the next commit compares with it. It has no name and no value of a record. */
export type Heard = Readonly<Omit<z.infer<typeof heardShape>, 'attempts'>>;

const notesShape = z.object({
  /** By way of reporting. */
  ways: z.record(z.string(), heardShape).default({}),
  /** The dates with a page. */
  pages: z.array(z.string()).default([]),
});
export type Notes = Readonly<z.infer<typeof notesShape>>;

/** Lambda and EventBridge repeat the newest executions only. */
const MOST_ATTEMPTS = 20;

/** What was reported and put so far. */
export async function readNotes(lake: Lake): Promise<Notes> {
  return (await readJson(lake, lakeKey('found'), notesShape)) ?? notesShape.parse({});
}

/** Notes that the way reported the attempt, and what it heard. */
export async function noteTold(
  lake: Lake,
  { of, way, heard }: { readonly of: Attempt; readonly way: string; readonly heard: Heard },
): Promise<void> {
  await changeNotes(lake, 'ways', (ways) => {
    const attempts = [...(ways[way]?.attempts ?? []), attemptName(of)].slice(-MOST_ATTEMPTS);
    return { ...ways, [way]: { ...heard, attempts } };
  });
}

/** Changes a field of the notes, which other calls may change meanwhile. */
export async function changeNotes<Field extends keyof Notes>(
  lake: Lake,
  field: Field,
  change: (noted: Notes[Field]) => Notes[Field],
): Promise<void> {
  await replaceObject(lake, lakeKey('found'), (stored) => {
    const notes = notesShape.parse(JSON.parse(stored?.toString('utf8') ?? '{}'));
    return JSON.stringify({ ...notes, [field]: change(notes[field]) }, null, 1);
  });
}
