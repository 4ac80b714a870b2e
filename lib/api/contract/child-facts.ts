import * as z from 'zod';
import { type FactTexts, keptText, VARIES } from './fact-texts.ts';

/** What fewer parents' answers say may be their own. */
const ANSWERS = 3;
const NAMES_AT_MOST = 100;

const countedShape = z.record(z.string(), z.object({ text: z.string(), answers: z.number() }));

/** What stands next to the records in the answers to many parents: each name with its only text, or that it varies. */
export interface ChildFacts {
  readonly add: (facts: FactTexts) => void;
  /** Adds what another batch has counted, as `text` gives it. */
  readonly addText: (text: string) => void;
  /** As JSON; undefined where nothing was said. */
  readonly text: () => string | undefined;
  /** The facts that enough answers have, as a contract keeps them. */
  readonly kept: (before: Readonly<Record<string, string>>) => Readonly<Record<string, string>>;
}

export function createChildFacts(): ChildFacts {
  const byName = new Map<string, { text: string; answers: number }>();

  function note(name: string, text: string, answers: number): void {
    const known = byName.get(name);
    if (known === undefined) {
      if (byName.size < NAMES_AT_MOST) byName.set(name, { text, answers });
      return;
    }
    known.answers += answers;
    if (known.text !== text) known.text = VARIES;
  }

  return {
    add: (facts) => {
      for (const [name, text] of facts) note(name, hashedText(text), 1);
    },
    addText: (text) => {
      for (const [name, said] of Object.entries(countedShape.parse(JSON.parse(text))))
        note(name, said.text, said.answers);
    },
    text: () => (byName.size === 0 ? undefined : JSON.stringify(Object.fromEntries(byName))),
    kept: (before) => {
      const kept: Record<string, string> = { ...before };
      for (const [name, { text, answers }] of byName) {
        const known = before[name];
        if (known === undefined) {
          if (answers >= ANSWERS) kept[name] = text;
        } else if (known !== text) kept[name] = VARIES;
      }
      return kept;
    },
  };
}

/** The texts of thousands of answers are the same few. */
const hashes = new Map<string, string>();
const HASHES_KEPT = 1000;

function hashedText(text: string): string {
  const known = hashes.get(text);
  if (known !== undefined) return known;
  const kept = keptText(text);
  if (hashes.size < HASHES_KEPT) hashes.set(text, kept);
  return kept;
}
