import * as z from 'zod';

/**
 * What a value was like, without the value of a unique text. It is a number, true or false, `[` of a list or `{` of an
 * object. A time is `@MOMENT|FORM`, a word that many records share `=WORD`, another text `#HASHES|FORM`.
 */
const trait = z.union([z.null(), z.boolean(), z.number(), z.string()]);
export type Trait = z.infer<typeof trait>;

/** A few records of a source in a table and their values' traits. Each run takes the same records. */
export const sampledShape = z.object({
  /** When the run began. */
  at: z.iso.datetime(),
  /** A hash of what identifies each record: the lowest of all records. */
  ids: z.array(z.string()),
  /** The lowest of the first records, because there are many. */
  areFirst: z.literal(true).exactOptional(),
  /** By the text of a path: a trait for each of the records. */
  traits: z.record(z.string(), z.array(trait)),
});

export type Sampled = Readonly<z.infer<typeof sampledShape>>;

/** The values of a path have another meaning than before: what, and since which run and date. */
export const changedShape = z.object({
  since: z.string(),
  date: z.string(),
  kind: z.enum(['type', 'unit', 'zone', 'format', 'words']),
  /** The factor of a unit, or the seconds of a zone: the opposite cancels the change. */
  by: z.number().exactOptional(),
  /** For other kinds: what the values were and are, in a word, for the same purpose. */
  was: z.string().exactOptional(),
  is: z.string().exactOptional(),
  /** What it was and what it is, as a sentence without its full stop. */
  says: z.string(),
});

export type Changed = Readonly<z.infer<typeof changedShape>>;
