import { hash } from 'node:crypto';
import * as z from 'zod';
import { type Fact, isIgnored, nameOf } from '../read/facts.ts';
import { roleOfFact } from '../read/role.ts';
import { switchOf } from '../read/value-kind.ts';
import { ELSEWHERE, VARYING } from '../read/vocabulary.ts';
import { wordsOf } from '../read/words.ts';

/** A name that has had two values. */
export const VARIES = 'varies';

const LONGEST = 500;
const HASH_DIGITS = 8;

/** The facts of an answer that are compared with other days, by name: kind and text. */
export type FactTexts = ReadonlyMap<string, string>;

/** Flags, words and sentences. Other facts change with the records: numbers, times, addresses and pages. */
export function factTexts(facts: readonly Fact[], ignore: readonly string[]): FactTexts {
  const texts = new Map<string, string>();
  for (const fact of facts) {
    const text = fact.isHeader || isIgnored(fact, ignore) ? undefined : textOf(fact);
    if (text !== undefined) texts.set(nameOf(fact), text);
  }
  return texts;
}

function textOf(fact: Fact): string | undefined {
  const words = fact.path.flatMap(wordsOf);
  if (words.some((word) => VARYING.has(word))) return undefined;
  const role = roleOfFact(fact);
  if (role !== undefined && role !== 'harmless') return undefined;
  const text = String(fact.value);
  if (fact.kind === 'flag') return `flag:${switchOf(fact.value)}`;
  if (fact.kind === 'sentence') return `sentence:${text.slice(0, LONGEST).replaceAll(/\d+/g, '0')}`;
  // A text with digits is an id or a version. A page token changes as soon as the records do.
  const isWord = fact.kind === 'token' && !/\d/.test(text) && !words.some((word) => ELSEWHERE.has(word));
  return isWord ? `word:${text.toLowerCase()}` : undefined;
}

/** The text as a contract keeps it: its kind, and a hash instead of the value. */
export function keptText(text: string): string {
  const at = text.indexOf(':');
  if (at === -1 || text.startsWith('flag:')) return text;
  return `${text.slice(0, at)}:${hash('sha256', text).slice(0, HASH_DIGITS)}`;
}

/** The most facts that a contract keeps; an envelope has a few. */
const FACTS_AT_MOST = 200;

/** The facts of a contract after a whole listing with these. */
export function factsKept(
  before: Readonly<Record<string, string>>,
  now: FactTexts,
): Readonly<Record<string, string>> {
  const kept: Record<string, string> = { ...before };
  for (const [name, text] of now) {
    const own = keptText(text);
    const known = before[name];
    if (known === undefined && Object.keys(kept).length >= FACTS_AT_MOST) continue;
    kept[name] = known === undefined || known === own ? own : VARIES;
  }
  return kept;
}

/** A fact in fewer parents' answers may be their own. */
const ANSWERS = 3;
const NAMES_AT_MOST = 100;

const countedShape = z.record(z.string(), z.object({ text: z.string(), answers: z.number() }));

/** Facts in the answers to many parents: each name with its only text, or `varies`. */
export function createChildFacts() {
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
    add: (facts: FactTexts): void => {
      for (const [name, text] of facts) note(name, text, 1);
    },
    /** Adds another batch's counts, from its `text`. */
    addText: (text: string): void => {
      for (const [name, said] of Object.entries(countedShape.parse(JSON.parse(text))))
        note(name, said.text, said.answers);
    },
    /** As JSON, with hashes instead of texts; undefined without facts. */
    text: (): string | undefined => {
      const said = [...byName].map(([name, { text, answers }]) => [name, { text: keptText(text), answers }]);
      return said.length === 0 ? undefined : JSON.stringify(Object.fromEntries(said));
    },
    /** The facts that enough of the added answers have, as a contract keeps them. */
    kept: (before: Readonly<Record<string, string>>): Readonly<Record<string, string>> => {
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
