import * as z from 'zod';

/**
 * What a value was like, without the value where it is text of its own: a number, true or false, `@MOMENT|FORM` of a time,
 * `=WORD` of a word that many records share, `#HASHES|FORM` of another text, `[` of a list and `{` of an object.
 */
const trait = z.union([z.null(), z.boolean(), z.number(), z.string()]);
export type Trait = z.infer<typeof trait>;

/** A few records of a source in a table, the same ones in each run: what their values were like. */
export const sampledShape = z.object({
  /** When the run began. */
  at: z.iso.datetime(),
  /** A hash of what each record is known by. */
  ids: z.array(z.string()),
  /** By the text of a path, a trait for each of the records. */
  traits: z.record(z.string(), z.array(trait)),
});

export type Sampled = Readonly<z.infer<typeof sampledShape>>;

/** The values of a path have another meaning than they had: what, and since which run and date. */
export const changedShape = z.object({
  since: z.string(),
  date: z.string(),
  kind: z.enum(['type', 'unit', 'zone', 'format', 'words']),
  /** Of a unit the factor, of a zone the seconds: the opposite takes the change back. */
  by: z.number().exactOptional(),
  /** Of other kinds what the values were and are, in a word; for the same. */
  was: z.string().exactOptional(),
  is: z.string().exactOptional(),
  /** What it was and what it is, as a sentence without its full stop. */
  says: z.string(),
});

export type Changed = Readonly<z.infer<typeof changedShape>>;
