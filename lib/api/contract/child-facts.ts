import * as z from 'zod';
import { type FactTexts, keptText, VARIES } from './fact-texts.ts';

/** A fact in fewer parents' answers may be their own. */
const ANSWERS = 3;
const NAMES_AT_MOST = 100;

const countedShape = z.record(z.string(), z.object({ text: z.string(), answers: z.number() }));

/** Facts in the answers to many parents: each name with its only text, or `varies`. */
export interface ChildFacts {
  readonly add: (facts: FactTexts) => void;
  /** Adds another batch's counts, from its `text`. */
  readonly addText: (text: string) => void;
  /** As JSON, with hashes instead of texts; undefined without facts. */
  readonly text: () => string | undefined;
  /** The facts that enough of the added answers have, as a contract keeps them. */
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
      for (const [name, text] of facts) note(name, text, 1);
    },
    addText: (text) => {
      for (const [name, said] of Object.entries(countedShape.parse(JSON.parse(text))))
        note(name, said.text, said.answers);
    },
    text: () => {
      const said = [...byName].map(([name, { text, answers }]) => [name, { text: keptText(text), answers }]);
      return said.length === 0 ? undefined : JSON.stringify(Object.fromEntries(said));
    },
    kept: (before) => {
      const kept: Record<string, string> = { ...before };
      for (const [name, { text, answers }] of byName) {
        const known = before[name];
        if (known === undefined ? answers >= ANSWERS : known !== text)
          kept[name] = known === undefined ? text : VARIES;
      }
      return kept;
    },
  };
}
