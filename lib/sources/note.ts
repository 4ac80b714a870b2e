import * as z from 'zod';
import { RESOURCE_NAMES } from './resources.ts';

/** A note as JSON, for whoever reads one. */
export const noteForm = z
  .object({
    /** docs/run/codes.md explains it. */
    code: z.string(),
    source: z.string(),
    resource: z.enum(RESOURCE_NAMES),
    /** What was seen, as a sentence without its full stop: names and counts, never a value of an answer. */
    says: z.string(),
  })
  .readonly();

/** What was seen and needs no answer: rows are published and removed as usual, and nobody gets a message. */
export type Note = z.infer<typeof noteForm>;

/** A note before its listing is known. */
export type NoteSaid = Pick<Note, 'code' | 'says'>;
