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
  /** As JSON, with hashes in place of texts; undefined where nothing was said. */
  readonly text: () => string | undefined;
  /** The facts that enough answers of the batches added by `addText` have, as a contract keeps them. */
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
