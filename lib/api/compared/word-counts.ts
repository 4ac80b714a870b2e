import * as z from 'zod';
import { isForm, mostOf, nameOfWord } from './word-of.ts';

/** The most names that are counted; an envelope has a few. */
const MOST_NAMES = 100;
/** What fewer parents' answers say may be their own. */
const ANSWERS = 3;

const counted = z.record(z.string(), z.number());

/** In how many parents' answers each word stands, as `childWords` has it; under each name the first two, and of forms some. */
export interface WordCounts {
  /** Counts what one answer says. */
  readonly add: (words: readonly string[]) => void;
  /** Adds what others have counted, as `text` gives it. */
  readonly addText: (text: string) => void;
  /** As JSON; undefined where nothing was said. */
  readonly text: () => string | undefined;
  /** The words that enough answers have, those of names that have two, and those of names that are known. */
  readonly proven: (known: readonly string[]) => readonly string[];
}

export function createWordCounts(): WordCounts {
  const byName = new Map<string, Map<string, number>>();

  function count(word: string, answers: number): void {
    const name = nameOfWord(word);
    const words = byName.get(name) ?? new Map<string, number>();
    if (byName.size < MOST_NAMES) byName.set(name, words);
    if (words.has(word) || words.size < mostOf(name)) words.set(word, (words.get(word) ?? 0) + answers);
  }

  return {
    add: (words) => {
      for (const word of words) count(word, 1);
    },
    addText: (text) => {
      for (const [word, answers] of Object.entries(counted.parse(JSON.parse(text)))) count(word, answers);
    },
    text: () => {
      const all = [...byName.values()].flatMap((words) => [...words]);
      return all.length === 0 ? undefined : JSON.stringify(Object.fromEntries(all));
    },
    proven: (known) => {
      const names = new Set(known.map(nameOfWord));
      return [...byName].flatMap(([name, words]) => {
        const counts = [...words.values()];
        const isEnough = isForm(name)
          ? counts.reduce((sum, answers) => sum + answers) >= ANSWERS
          : words.size > 1 || counts.some((answers) => answers >= ANSWERS);
        return isEnough || names.has(name) ? [...words.keys()] : [];
      });
    },
  };
}
