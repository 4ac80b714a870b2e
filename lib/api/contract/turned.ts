import { renderPaging } from '../../config/paging-style.ts';
import type { Resource } from '../../sources/resources.ts';
import type { PagesRead } from '../pages/reading.ts';
import { HARMLESS, HEALTHY, NONE_SAID } from '../read/vocabulary.ts';
import { wordsOf } from '../read/words.ts';
import type { Contract } from './contract.ts';
import { type Finding, ignoreCure, wholeCure } from './cures.ts';
import { besideTexts, type FactTexts, factsKept, keptText, VARIES } from './fact-texts.ts';

/** In one day a listing loses at most this share of its records. */
const LOST = 0.05;

interface Compared {
  readonly resource: Resource;
  readonly read: PagesRead;
  readonly contract: Contract | undefined;
  readonly texts: FactTexts;
}

/** True where it has lost more records than a day explains. */
export function hasLost({ items }: Pick<PagesRead, 'items'>, contract: Contract | undefined): boolean {
  const before = contract?.wholeItems ?? 0;
  return before - items > before * LOST;
}

/** Fewer records than before, next to a changed fact or at another place; for a parent no records at all. */
export function turnedIn({ resource, read, contract, texts }: Compared): Finding | null {
  if (contract === undefined) return null;
  const turned = turnedFacts(contract.facts ?? {}, texts);
  if (resource.parent !== null) {
    const names = turned.flatMap(({ name, isWord, text }) => {
      const isTurned = isWord || isReason(text);
      return isTurned && !isKnown(contract.facts?.[ofNone(name)], text) ? [name] : [];
    });
    if (resource.isQueue || read.items > 0 || names.length === 0) return null;
    const says = `The answer has no record, and ${names.join(', ')} is not what it was in all answers before: the records may be missing`;
    return { code: 'EMPTY_UNPROVEN', says, cures: [ignoreCure(resource.name, names, 'of missing records')] };
  }
  const isLost = hasLost(read, contract);
  const { wholeItems = 0 } = contract;
  if (read.items >= wholeItems) return null;
  const names = turned.flatMap(({ name, isWord }) => (isWord || isLost ? [name] : []));
  const hasMoved = isLost && read.envelope !== null && read.envelope !== contract.envelope;
  const what = [
    ...(names.length > 0 ? [`${names.join(', ')} changed`] : []),
    ...(hasMoved ? [`the records are at ${read.envelope} and were at ${contract.envelope}`] : []),
  ];
  if (what.length === 0) return null;
  return {
    code: 'SHAPE_CHANGED',
    says: `There are ${read.items} records and were ${wholeItems}, and ${what.join(' and ')}: some may be missing`,
    cures: [
      wholeCure(resource, `${read.items} is the right number today`),
      ...(names.length > 0 ? [ignoreCure(resource.name, names, 'of missing records')] : []),
    ],
  };
}

/** The facts that are new or differ from a contract's, except those that had two values before. */
function turnedFacts(before: Readonly<Record<string, string>>, now: FactTexts) {
  return [...now].flatMap(([name, text]) => {
    const known = before[name];
    // A new fact counts unless it says that all is well (`status: "OK"`), or its name speaks of no records.
    if (known === undefined && (text === 'flag:false' || HEALTHY.has(text.replace(/^word:/, '')))) return [];
    if (known === undefined && HARMLESS.has(wordsOf(name).at(-1) ?? '')) return [];
    if (isKnown(known, text)) return [];
    const isWord = known !== undefined && !text.startsWith('sentence:');
    return [{ name, text, isWord }];
  });
}

function isKnown(kept: string | undefined, text: string): boolean {
  return kept === VARIES || kept === keptText(text);
}

const ofNone = (name: string): string => `${name} without records`;

/** The facts of a complete child listing. `No screens assigned` of an empty one does not vary `Screens found`. */
export function childFacts({ items }: Pick<PagesRead, 'items'>, texts: FactTexts): FactTexts {
  return items > 0 ? texts : new Map([...texts].map(([name, text]) => [ofNone(name), text]));
}

/** True for a text that may say why there are no records: `Player is not connected`, but not `No screens found`. */
function isReason(text: string): boolean {
  const words = wordsOf(text);
  return words[0] !== 'flag' && !words.slice(1).every((word) => NONE_SAID.has(word));
}

/** The contract for later runs. It has facts and the number of records only without a doubt. */
export function nextContract(
  read: PagesRead,
  known: {
    readonly before: Contract | undefined;
    readonly envelope: string;
    readonly keys: readonly string[] | undefined;
    readonly isInDoubt: boolean;
    /** Null for children: their facts are counted over all parents. */
    readonly texts: FactTexts | null;
  },
): Contract {
  const { style, base, items, pageSize, totals, wasNumbered } = read;
  const { before, isInDoubt, texts } = known;
  // One page in doubt does not take the place of the pages before.
  if (isInDoubt && texts !== null && before !== undefined && style.name === 'none') return before;
  const total = totals.name();
  const facts = texts === null || isInDoubt ? (before?.facts ?? {}) : factsKept(before?.facts ?? {}, texts);
  const wholeItems = texts === null ? undefined : isInDoubt ? before?.wholeItems : items;
  const isNumbered = style.name === 'page' || style.name === 'offset';
  const isFollowed = items > pageSize;
  const alongside = texts === null && items > 0 ? besideTexts(read.opening.facts) : {};
  return {
    envelope: known.envelope,
    ...(known.keys && { keys: known.keys }),
    paging: renderPaging(style),
    ...(total !== null && { total }),
    ...(isFollowed && { pageSize }),
    ...(isNumbered && (wasNumbered || isFollowed) && { firstPage: base }),
    ...(Object.keys(facts).length > 0 && { facts }),
    ...(Object.keys(alongside).length > 0 && { alongside }),
    ...(wholeItems !== undefined && { wholeItems }),
  };
}
