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

/** What is next to records, by name: a hash of its value, or `varies` for what differs from call to call. */
export function besideTexts(facts: readonly Fact[]): KeptFacts {
  const own = facts.filter(({ isHeader, kind }) => !isHeader && kind !== 'nothing');
  return Object.fromEntries(own.slice(0, FACTS_AT_MOST).map((fact) => [nameOf(fact), besideText(fact)]));
}

export function besideText({ path, kind, value }: Fact): string {
  return path.flatMap(wordsOf).some((word) => VARYING.has(word)) ? VARIES : keptText(`${kind}:${value}`);
}

/** The facts of whole listings as a contract keeps them, by name: each text, or `varies`. */
export type KeptFacts = Readonly<Record<string, string>>;

/** The most facts that a contract keeps; an envelope has a few. */
const FACTS_AT_MOST = 200;

/** The facts of a contract after a whole listing with these. */
export function factsKept(before: KeptFacts, now: FactTexts): KeptFacts {
  return mergedFacts(before, Object.fromEntries([...now].map(([name, text]) => [name, keptText(text)])));
}

/** The facts of a contract with those that others have shown. */
export function mergedFacts(before: KeptFacts, now: KeptFacts): KeptFacts {
  const merged = new Map(Object.entries(before));
  mergeInto(merged, Object.entries(now));
  return Object.fromEntries(merged);
}

function mergeInto(all: Map<string, string>, facts: Iterable<readonly [name: string, text: string]>): void {
  for (const [name, text] of facts) {
    const known = all.get(name);
    if (known === undefined && all.size >= FACTS_AT_MOST) continue;
    all.set(name, known === undefined || known === text ? text : VARIES);
  }
}

/** Facts in the answers to many parents. */
export function createChildFacts() {
  const all = new Map<string, string>();
  return {
    add: (facts: FactTexts): void => mergeInto(all, facts),
    /** As JSON, with hashes instead of texts; undefined without facts. */
    text: (): string | undefined => (all.size === 0 ? undefined : JSON.stringify(factsKept({}, all))),
  };
}

/** An older version also kept counts; such a fact is not compared. */
const keptShape = z.record(z.string(), z.string().catch(VARIES));

/** The facts in a text of createChildFacts. */
export function childFactsIn(text: string): KeptFacts {
  return keptShape.parse(JSON.parse(text));
}
