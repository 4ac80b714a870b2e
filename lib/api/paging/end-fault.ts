import type { PagingStyle } from '../../config/paging-style.ts';
import type { Cure } from '../../sources/question.ts';
import type { Resource } from '../../sources/resources.ts';
import { counted } from '../../text.ts';
import type { Said } from '../beside/beside.ts';
import { kindOfValue, switchOf } from '../beside/said-value.ts';
import { type ApiCode, curesOf } from '../codes.ts';
import { opposite } from '../compared/flag-of.ts';
import { runBack } from '../compared/times.ts';
import { turnedChild } from '../compared/turned-child.ts';
import { wordsTurned } from '../compared/word-of.ts';
import type { Dialect } from '../dialect.ts';
import type { ErrorEntries } from '../records/error-entries.ts';
import type { End } from './page-step.ts';
import { isRoundNumber } from './round-number.ts';
import type { ToldSoFar } from './told-on-pages.ts';
import { unexplainedCures, unexplainedText } from './unexplained.ts';

/** A listing whose last page seems to have been read. */
export interface ReadPages extends ToldSoFar {
  readonly resource: Resource;
  /** `resources.NAME.paging` */
  readonly setting: string | undefined;
  readonly style: PagingStyle;
  readonly lock: Dialect | undefined;
  readonly end: End;
  readonly pages: number;
  readonly unexplained: readonly Said[];
  /** The usual way to ask for further pages in which there are some; null where none was found. */
  readonly further: string | null;
  /** True: a total is declared, and is known to be the listing's. */
  readonly hasTotal: boolean;
  /** `resources.NAME.complete` */
  readonly isDeclaredComplete: boolean;
}

/** Why the end of a listing is not proven. */
export interface EndFault {
  readonly code: ApiCode;
  readonly says: string;
  readonly cures?: readonly Cure[];
  /** True: the listing is published, and its outcome says that it may not be whole. */
  readonly isDoubt?: boolean;
}

/** Why the end of a listing is not proven; null if it is. */
export function endFault(found: ReadPages): EndFault | null {
  return (
    lostPages(found) ?? nothingFollowed(found) ?? answerFault(found) ?? capFault(found) ?? fullPage(found)
  );
}

/** What is wrong with what was read, wherever it ends: of a listing that the config calls one page, all that can be. */
export function answerFault(found: ReadPages): EndFault | null {
  return contradiction(found) ?? unexplainedFault(found);
}

/** The fault where what was read contradicts itself, or the day before, until `complete` says that it is whole. */
function contradiction(found: ReadPages): EndFault | null {
  const { items, resource, lock, isDeclaredComplete } = found;
  const says = skippedText(found) ?? movedText(found) ?? nullsText(found);
  if (says === null || isDeclaredComplete) return null;
  return {
    code: 'PAGING_UNPROVEN',
    says,
    cures: completeOrPaged(resource, `${items} is the right number today`),
    isDoubt: lock !== undefined && resource.parent === null,
  };
}

/** A page that says of itself that others are before it: page 1 leads to page 3. */
function skippedText({ skipped }: ReadPages): string | null {
  if (skipped === null) return null;
  const { page, said, due } = skipped;
  return `The page that is read as page ${page + 1} says ${said.name} ${said.value}, and after those before it would be ${due}: records between them may be missing`;
}

/**
 * A page that is built otherwise may be none of the listing: `[]` behind `{"items": […], "hasMore": true}`. So may an answer that is
 * built otherwise than the day before, beside fewer records.
 */
function movedText({ moved, place, items, lock, resource }: ReadPages): string | null {
  if (moved !== null)
    return `Page ${moved.page + 1} has its records at ${moved.is}, and the first one at ${moved.was}, so it may be no page of the listing`;
  if (resource.parent !== null || place === null || lock === undefined || place === lock.envelope)
    return null;
  return isFewer({ lock, items })
    ? `The records are at ${place}, and were at ${lock.envelope} before, with ${items} of ${lock.wholeItems}: the listing may not be whole`
    : null;
}

/** Entries that are null in place of records that were there before. */
function nullsText({ items, nulls, lock, resource }: ReadPages): string | null {
  if (nulls === 0 || resource.parent !== null || !isFewer({ lock, items })) return null;
  return `${nulls} of ${items + nulls} entries are null, and there were ${lock?.wholeItems} records before: the listing may not be whole`;
}

/** The fault of one page that is full, and leads to no other, where there were pages before. */
function lostPages(found: ReadPages): EndFault | null {
  const says = lostText(found);
  return says === null || found.resource.parent !== null ? null : { code: 'SHAPE_CHANGED', says };
}

/** The same of one parent's children, who may be as many as a page has. Plan believes it where other parents' answers lead on. */
function fullPage(found: ReadPages): EndFault | null {
  const { resource, items, isDeclaredComplete } = found;
  const says = lostText(found);
  if (says === null || resource.parent === null) return null;
  const whole = completeOrPaged(resource, `${items} is the right number today`).slice(0, 1);
  const cures = [...(isDeclaredComplete ? [] : whole), ...curesOf('SHAPE_CHANGED', resource.name)];
  return { code: 'SHAPE_CHANGED', says, cures, isDoubt: true };
}

function lostText({ lock, style, items }: ReadPages): string | null {
  const isLost = lock !== undefined && lock.paging !== 'none' && style.name === 'none' && items > 0;
  if (!isLost || items !== lock.pageSize) return null;
  return `There were pages (${lock.paging}); now there are ${items} records, as many as a page had, and no sign of more`;
}

/** A setting `paging` whose member the answer does not have: else the first page would pass as the whole listing. */
function nothingFollowed(found: ReadPages): EndFault | null {
  const { setting, style, lock, end, items, resource, hasTotal, isDeclaredComplete } = found;
  if (
    setting === undefined ||
    end !== 'nothing' ||
    isDeclaredComplete ||
    style.name === 'none' ||
    hasTotal ||
    items === 0
  )
    return null;
  const wasFollowed = lock?.pageSize !== undefined && items !== lock.pageSize;
  if (wasFollowed || (resource.parent !== null && !isRoundNumber(items))) return null;
  const where = style.place === null ? '' : ` at ${style.place}`;
  const says = `The setting paging is "${setting}", but the answer has nothing${where} that leads to a next page`;
  const cures = completeOrPaged(
    resource,
    `${items} is the right number today, and listings with further pages have it`,
  );
  return { code: 'PAGING_UNPROVEN', says, cures };
}

/** The fault of what stands beside the records and nobody has explained; null if all is. */
function unexplainedFault(found: ReadPages): EndFault | null {
  const { lock, resource, errors } = found;
  const areEntriesAnswered = errors?.name === null && found.isDeclaredComplete;
  if (errors !== null && !areEntriesAnswered) return errorsFault(errors, resource);
  const asked = unexplainedIn(found);
  const told = found.told.filter((said) => !asked.includes(said));
  if (asked.length === 0 && told.length === 0) return earlierFault(found) ?? turnedFault(found);
  return {
    code: 'PAGING_UNPROVEN',
    says: unexplainedText(asked, told),
    cures: unexplainedCures(asked, { resource: resource.name, told }),
    // What a whole listing had before is published, but nothing is removed for it.
    isDoubt: !asked.some(mayPage) && lock !== undefined && resource.parent === null,
  };
}

function errorsFault({ count, name, isAll }: ErrorEntries, resource: Resource): EndFault {
  const entries = `${counted(count, 'entry', 'entries')} of the list`;
  if (name === null)
    return {
      code: 'PAGING_UNPROVEN',
      says: `${entries} ${count === 1 ? 'has' : 'have'} no member, and there is no other: nobody knows if there are records`,
      cures: [
        {
          setting: `resources.${resource.name}.complete`,
          choices: [true],
          when: 'they are records all the same',
        },
      ],
    };
  const place = isAll ? 'and nothing else' : 'in place of what the other records have';
  const setting = `resources.${resource.name}.ignore`;
  return {
    code: 'API_ERROR',
    says: `${entries} ${count === 1 ? 'tells' : 'tell'} an error (${name}) ${place}`,
    cures: [{ setting, choices: [[name]], when: 'it tells no failure, and they are records' }],
  };
}

/**
 * The fault of times that run back: a cache, or a copy of the database, may give an old answer. It is published, and nothing is
 * removed for it.
 */
function earlierFault({ lock, times, resource, isDeclaredComplete }: ReadPages): EndFault | null {
  const names = runBack(lock?.times ?? {}, times);
  if (names.length === 0 || resource.parent !== null || isDeclaredComplete) return null;
  return {
    code: 'PAGING_UNPROVEN',
    says: `Beside the records stands ${names.join(', ')}, which is earlier than before: the answer may be an old one`,
    cures: [
      {
        setting: `resources.${resource.name}.ignore`,
        choices: [[...names]],
        when: 'it says nothing of its age',
      },
    ],
    isDoubt: true,
  };
}

/** A listing with a new word beside it has lost more than this share of its records, or the word is no news. */
const LOST = 0.05;

/**
 * The fault of flags and words that say what they never said before: `complet` was true while the config ignored it, or took one
 * answer for all, and is false now; `mode` was `full`, and is `delta` beside fewer records. The listing is published, and nothing is
 * removed for it. Flags of children are not compared: what stands beside them may be theirs.
 */
function turnedFault(found: ReadPages): EndFault | null {
  const { flags, lock, resource, isDeclaredComplete } = found;
  if (resource.parent !== null) {
    const child = turnedChild(found);
    return child && { code: 'PAGING_UNPROVEN', ...child };
  }
  const known = new Set(lock?.flags);
  const isTurned = (flag: string): boolean => !known.has(flag) && known.has(opposite(flag));
  const opposed = flags.filter(isTurned);
  const turned = isDeclaredComplete ? [] : opposed;
  // A number that was 0 is a flag, and one question.
  const others = turnedWords(found).filter(
    ({ name }) => !opposed.some((flag) => flag.startsWith(`${name}=`)),
  );
  const words = others.map(({ name }) => name);
  if (turned.length + words.length === 0) return null;
  const fewer = words.length > 0 ? `, with ${counted(found.items, 'record')} of ${lock?.wholeItems}` : '';
  const whole: Cure = {
    setting: `resources.${resource.name}.complete`,
    choices: [true],
    when: 'it is whole all the same',
  };
  const idle: Cure = {
    setting: `resources.${resource.name}.ignore`,
    choices: [words],
    when: `${words.length > 1 ? 'they say' : 'it says'} nothing of missing records`,
  };
  const isAnswered = turned.length > 0 || others.some(({ isIgnored }) => isIgnored);
  return {
    code: 'PAGING_UNPROVEN',
    says: `Beside the records stands ${[...turned, ...words].join(', ')}, which was otherwise before${fewer}: the listing may not be whole`,
    // What the config ignores already is answered by another word.
    cures: [isAnswered ? whole : idle],
    isDoubt: true,
  };
}

/** Whether there are fewer records than when nothing was in question, by more than come and go in a day. */
function isFewer({ lock, items }: Pick<ReadPages, 'lock' | 'items'>): boolean {
  const before = lock?.wholeItems ?? 0;
  return before - items > LOST * before;
}

/** The words that have turned beside fewer records. One that is ignored is no news to whom says that listings are whole. */
function turnedWords({ lock, items, words, isDeclaredComplete }: ReadPages): ReturnType<typeof wordsTurned> {
  if (!isFewer({ lock, items })) return [];
  return wordsTurned(lock?.words ?? [], words).filter(({ isIgnored }) => !isDeclaredComplete || !isIgnored);
}

/** What may be about pages: a link to a last page that nobody has read, whatever proves the end, and what nobody has explained. */
function unexplainedIn(found: ReadPages): readonly Said[] {
  const isAnswered = found.isDeclaredComplete || (found.style.name === 'none' && found.setting !== undefined);
  const open = openIn(found);
  return [...open, ...(isAnswered ? [] : found.beyond.filter((said) => !open.includes(said)))];
}

/** What nobody has explained; where the end of the pages is proven, what may tell a failure by being on each of them. */
function openIn(found: ReadPages): readonly Said[] {
  const { lock, end, unexplained, constant, setting, style } = found;
  const isNew = (said: Said): boolean => mayPage(said) && (lock === undefined || !isKnown(said, lock));
  // Beside fewer records than before, whatever is new may say why.
  if (lock !== undefined && isFewer(found)) return unexplained.filter((said) => !isKnown(said, lock));
  // That one answer is all says nothing of a failure that a later answer tells.
  if (style.name === 'none' && setting !== undefined) return lock === undefined ? [] : constant.filter(isNew);
  // What denies something may deny that a total is exact; another proof needs no total.
  const same = end === 'total' ? constant : constant.filter(({ value }) => switchOf(value) !== false);
  const open = isProven(end) ? same : unexplained;
  return lock === undefined && setting === undefined ? open : open.filter(isNew);
}

function isProven(end: End): boolean {
  return end !== 'nothing';
}

/** True if an unknown member may belong to paging: it says that there is more, or a page could be asked for with it. */
function mayPage({ value }: Said): boolean {
  const kind = kindOfValue(value);
  return kind === 'address' || kind === 'token' || (kind === 'flag' && switchOf(value) === true);
}

/** True if an earlier, whole listing had the member too. */
function isKnown({ path }: Said, { beside }: Dialect): boolean {
  return beside?.includes(path.join('.')) ?? false;
}

/**
 * The fault of a listing that says nothing of further records where there may be some: asked in the usual ways, the server
 * gives others, or the records are exactly as many as servers often give at most.
 */
function capFault(found: ReadPages): EndFault | null {
  const { end, items, pages, resource, lock, setting, isDeclaredComplete, further } = found;
  if (setting !== undefined || isDeclaredComplete || isProven(end) || pages > 1) return null;
  if (resource.parent !== null || (further === null && !isRoundNumber(items))) return null;
  const says =
    further === null
      ? `There are exactly ${items} records, a number at which servers often cut, and nothing says if there are more`
      : `There are exactly ${items} records, and nothing says if there are more, but asked by ${further} the server gives others`;
  return {
    code: 'CAP_SUSPECTED',
    says,
    cures: completeOrPaged(resource, `${items} is the right number today`, further),
    // A listing that was whole before is published, but nothing is removed for it.
    isDoubt: lock !== undefined,
  };
}

/** The cures: `complete`, if one answer is all; else the style of paging. */
export function completeOrPaged(
  { name }: Resource,
  when: string,
  further: string | null = null,
): readonly Cure[] {
  return [
    { setting: `resources.${name}.complete`, choices: [true], when },
    {
      setting: `resources.${name}.paging`,
      choices: further === null ? [] : [further],
      open: 'the style of the listing (page:PARAM, offset:PARAM, cursor:PARAM@PLACE, next@PLACE or link)',
      when: 'there are more',
    },
  ];
}
