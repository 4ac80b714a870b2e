import * as z from 'zod';
import { RESOURCE_NAMES } from './resources.ts';

const cureForm = z
  .object({
    /** The setting's place below the source in the config: `resources.players.paging`, `timeZone`. */
    setting: z.string(),
    /** Possible values, as the config has them; the likeliest first. Empty if only the operator knows. */
    choices: z.array(z.json()).readonly(),
    /** Other possible values, in words: `where the records are`. */
    open: z.string().exactOptional(),
    /** When this is the right cure, in words: `one answer has all records`. */
    when: z.string().exactOptional(),
    /**
     * The answers support its first choice, and it loses nothing: `check` proposes it, and tests whether it
     * helps.
     */
    isLikely: z.literal(true).exactOptional(),
  })
  .readonly();

/** A question as JSON, for whoever reads one. */
export const questionForm = z
  .object({
    /** docs/run/codes.md explains it. */
    code: z.string(),
    source: z.string(),
    resource: z.enum(RESOURCE_NAMES),
    /** The name of its column in the table. */
    column: z.string().exactOptional(),
    /** What was seen, as a sentence without its full stop: keys and counts, never a value of a record. */
    says: z.string(),
    /** The settings that answer it: one of them is enough. Empty if no setting does. */
    cures: z.array(cureForm).readonly(),
  })
  .readonly();

/** A setting that may answer a question, and its possible values. */
export type Cure = z.infer<typeof cureForm>;

/** What only the operator can decide, with its answers as values: nobody has to parse its sentence. */
export type Question = z.infer<typeof questionForm>;

/** Codes of questions about columns that make a run partial: its tables may show something else than before. */
export const COLUMN_DOUBTS: ReadonlySet<string> = new Set([
  'COLUMN_CHANGED',
  'COLUMN_EMPTIED',
  'TIME_ZONE_MISFIT',
  'TYPE_DIFFERS',
  'TYPE_MISFIT',
]);

/** The question in words, only for people: `players.created: The times have no time zone. Set timeZone to …`. */
export function questionText({ resource, column, says, cures }: Omit<Question, 'code' | 'source'>): string {
  const place = column === undefined ? resource : `${resource}.${column}`;
  return `${place}: ${saidWithCures(says, cures)}`;
}

/** The text of all questions about one thing, each sentence once. */
export function questionsText(questions: readonly Question[]): string {
  return [...new Set(questions.map(({ says, cures }) => saidWithCures(says, cures)))].join(' ');
}

/** What was seen and what to set, as sentences. */
export function saidWithCures(says: string, cures: readonly Cure[]): string {
  return cures.length === 0 ? `${says}.` : `${says}. ${curesText(cures)}.`;
}

/** `Set resources.players.paging to "next", or to "none" if one answer has all records`. */
function curesText(cures: readonly Cure[]): string {
  const parts = cures.map(({ setting, choices, open, when }, index) => {
    const values = [
      ...choices.map((choice) => JSON.stringify(choice)),
      ...(open === undefined ? [] : [open]),
    ];
    const isSame = index > 0 && cures[index - 1]?.setting === setting;
    const verb = isSame ? 'to' : `set ${setting} to`;
    return `${verb} ${values.join(' or ')}${when === undefined ? '' : ` if ${when}`}`;
  });
  const text = parts.join(', or ');
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}
