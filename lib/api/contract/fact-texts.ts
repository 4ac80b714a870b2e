import { hash } from 'node:crypto';
import { type Fact, isIgnored, nameOf } from '../read/facts.ts';
import { roleOfFact } from '../read/role.ts';
import { switchOf } from '../read/value-kind.ts';
import { ELSEWHERE, HEALTHY } from '../read/vocabulary.ts';
import { wordsOf } from '../read/words.ts';

/** A name that has had two values. */
export const VARIES = 'varies';

/** What differs from call to call although nothing is wrong: ids, times, versions, and who answered. */
const VARYING = new Set(
  'empty any id uuid guid request trace span correlation time date timestamp at now version revision build release server node host hostname instance replica worker region datacenter pod backend cache ttl age'.split(
    ' ',
  ),
);
const LONGEST = 500;
const HASH_DIGITS = 8;

/** The facts of an answer that are compared with those of other days, by name: kind and text. */
export type FactTexts = ReadonlyMap<string, string>;

/** Numbers, times, addresses and what speaks of pages differ as the records do: they are not compared. */
export function factTexts(facts: readonly Fact[], ignore: readonly string[]): FactTexts {
  const texts = new Map<string, string>();
  for (const fact of facts) {
    const text =
      (fact.isHeader && nameOf(fact) !== 'warning') || isIgnored(fact, ignore) ? undefined : textOf(fact);
    if (text !== undefined) texts.set(nameOf(fact), text);
  }
  return texts;
}

function textOf(fact: Fact): string | undefined {
  const { kind, value, path } = fact;
  if (path.some((name) => wordsOf(name).some((word) => VARYING.has(word)))) return undefined;
  const role = roleOfFact(fact);
  if (role !== undefined && role !== 'harmless') return undefined;
  switch (kind) {
    case 'flag':
      return `flag:${switchOf(value)}`;
    case 'token':
      // A text with digits is an id or a version. A token of another page is another one as soon as the records are.
      return /\d/.test(String(value)) || leadsElsewhere(path)
        ? undefined
        : `word:${String(value).toLowerCase()}`;
    case 'sentence':
      return `sentence:${String(value).slice(0, LONGEST).replaceAll(/\d+/g, '0')}`;
    case 'list': {
      const entries = Array.isArray(value) ? (value as readonly unknown[]) : [];
      const isOfObjects = entries.some((entry) => typeof entry === 'object');
      return isOfObjects ? 'list' : `list:${entries.map(String).toSorted().join().slice(0, LONGEST)}`;
    }
    case 'nothing':
      return 'nothing';
    default:
      return undefined;
  }
}

function leadsElsewhere(path: readonly string[]): boolean {
  return path.some((name) => wordsOf(name).some((word) => ELSEWHERE.has(word)));
}

/** The text as a contract keeps it: its kind, and a hash in place of the value. */
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

/** A fact that is not what it was: a flag or a word, or something else. */
export interface Turned {
  readonly name: string;
  readonly isWord: boolean;
}

/** The facts that differ from those of a contract, or are new. One that had two values before is not compared. */
export function turnedFacts(before: Readonly<Record<string, string>>, now: FactTexts): readonly Turned[] {
  return [...now].flatMap(([name, text]) => {
    const known = before[name];
    if (known === undefined) return saysNothing(text) ? [] : [{ name, isWord: false }];
    if (known === VARIES || known === keptText(text)) return [];
    return [{ name, isWord: text.startsWith('flag:') || text.startsWith('word:') }];
  });
}

/** True for a new fact that says that nothing is wrong, such as `status.text: "OK"`. */
function saysNothing(text: string): boolean {
  return text === 'nothing' || text === 'flag:false' || HEALTHY.has(text.replace(/^word:/, ''));
}
