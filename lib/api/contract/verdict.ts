import type { NoteSaid } from '../../sources/note.ts';
import { counted } from '../../text.ts';
import { isRoundNumber } from '../pages/round-number.ts';
import { type Fact, isIgnored } from '../read/facts.ts';
import { wholeNumberOf } from '../read/value-kind.ts';
import type { Contract } from './contract.ts';
import { completeOrPaged, ignoreCure, openCures, openText, totalCures, wholeCure } from './cures.ts';
import { turnedFacts } from './fact-texts.ts';
import type { Finding, Judged } from './judged.ts';
import { noteOn } from './note-on.ts';

/**
 * `complete`: the records are all. `doubt`: they are published, nothing is removed, and a question is asked. `failed`: the answers
 * contradict themselves, and the rows of before stay.
 */
export interface Verdict {
  readonly kind: 'complete' | 'doubt' | 'failed';
  /** Why it is not complete. */
  readonly finding: Finding | null;
  /** What is said and changes nothing. */
  readonly notes: readonly NoteSaid[];
}

/** Whether a listing is complete. There is one question at most. */
export function verdictOf(judged: Judged): Verdict {
  const contradiction = contradictionIn(judged);
  if (contradiction !== null) return { kind: 'failed', finding: contradiction, notes: [] };
  const doubt = doubtAbout(judged);
  if (doubt !== null) return { ...doubt, notes: [] };
  const note = noteOn(judged);
  if (note !== null && judged.settings.isStrict) return { kind: 'doubt', finding: note, notes: [] };
  return {
    kind: 'complete',
    finding: null,
    notes: note === null ? [] : [{ code: note.code, says: note.says }],
  };
}

/** The answers show themselves that the listing is not complete. */
function contradictionIn(judged: Judged): Finding | null {
  const { resource, read, settings } = judged;
  if (settings.complete) return null;
  const complaint = read.proof === 'declared' ? null : read.totals.complaint(read.items);
  if (complaint !== null && read.found?.isFollowed !== false)
    return { code: 'TOTAL_MISMATCH', says: complaint, cures: totalCures(read.totals.name(), resource) };
  const moved = resource.parent !== null && read.pages > 1 && (read.repeats > 0 || read.totals.moved());
  if (moved) {
    const seen =
      read.repeats > 0 ? `${counted(read.repeats, 'record')} came twice` : 'what they declare changed';
    const says = `While its ${read.pages} pages were read, ${seen}`;
    return { code: 'LISTING_UNSTABLE', says, cures: [wholeCure(resource, 'the API has them so')] };
  }
  const lost = lostPages(judged);
  if (lost !== null && resource.parent === null) return lost;
  return nothingFollowed(judged);
}

/** There were pages; now one page is full and leads to no other. */
function lostPages({ resource, read, contract, settings }: Judged): Finding | null {
  const isLost =
    (!settings.complete || resource.parent !== null) &&
    contract !== undefined &&
    contract.paging !== 'none' &&
    read.style.name === 'none';
  if (!isLost || read.items === 0 || read.items !== contract.pageSize) return null;
  const says = `There were pages (${contract.paging}); now there are ${read.items} records, as many as a page had, and no sign of more`;
  return {
    code: 'SHAPE_CHANGED',
    says,
    cures: completeOrPaged(resource, `${read.items} is the right number today`).slice(
      settings.complete ? 1 : 0,
    ),
  };
}

/** A setting `paging` whose member the answer does not have: else the first page would pass as the whole listing. */
function nothingFollowed({ resource, read, contract, settings }: Judged): Finding | null {
  const { style, proof, items } = read;
  if (settings.paging === undefined || style.name === 'none' || proof !== 'nothing' || items === 0)
    return null;
  if (read.totals.latest() !== null || read.refusedAt !== null) return null;
  const wasFollowed = contract?.pageSize !== undefined && items !== contract.pageSize;
  if (wasFollowed || (resource.parent !== null && !isRoundNumber(items))) return null;
  const where = style.place === null ? '' : ` at ${style.place}`;
  const says = `The setting paging is "${settings.paging}", but the answer has nothing${where} that leads to a next page`;
  return {
    code: 'PAGING_UNPROVEN',
    says,
    cures: completeOrPaged(
      resource,
      `${items} is the right number today, and listings with further pages have it`,
    ),
  };
}

/** A parent's answer without a record that says otherwise than all before: the parent's records may be missing. */
function turnedChild({ resource, read, contract, texts }: Judged): Finding | null {
  if (resource.parent === null || resource.isQueue || read.items > 0 || contract?.facts === undefined)
    return null;
  const turned = turnedFacts(contract.facts, texts).flatMap(({ name }) =>
    contract.facts?.[name] === undefined ? [] : [name],
  );
  if (turned.length === 0) return null;
  const says = `The answer has no record, and ${turned.join(', ')} is not what it was in all answers before: the records may be missing`;
  return { code: 'EMPTY_UNPROVEN', says, cures: [ignoreCure(resource, turned)] };
}

/** What may mean that there are more records. Nothing that came is withheld for it. */
function doubtAbout(judged: Judged): Pick<Verdict, 'kind' | 'finding'> | null {
  const { resource, settings } = judged;
  // That so many records are all says nothing of a page that leads on no more.
  const lost = lostPages(judged);
  if (lost === null && settings.complete) return null;
  const finding =
    lost ??
    openEnd(judged) ??
    foundPages(judged) ??
    refusedPage(judged) ??
    openFacts(judged) ??
    (resource.parent === null ? turnedListing(judged) : turnedChild(judged));
  return finding === null ? null : { kind: 'doubt', finding };
}

/** Each answer to the same call had another number of lines. */
function openEnd({ resource, read, isEndProven }: Judged): Finding | null {
  if (isEndProven) return null;
  const says = `Nothing tells where the lines end, and no two answers had as many; ${counted(read.items, 'record')} came`;
  return { code: 'END_UNPROVEN', says, cures: [wholeCure(resource, 'what comes is all')] };
}

/** A usual parameter gives other records, and its pages do not prove themselves. */
function foundPages({ resource, read }: Judged): Finding | null {
  if (read.found === null || read.found.isFollowed) return null;
  const { style } = read.found;
  const says = `There are ${counted(read.items, 'record')}, and the server returns others for ${style}`;
  return {
    code: 'CAP_SUSPECTED',
    says,
    cures: completeOrPaged(resource, `${read.items} is the right number today`, style),
  };
}

/** Behind full pages the next one was refused: the server may not return more. */
function refusedPage({ resource, read }: Judged): Finding | null {
  if (read.refusedAt === null) return null;
  const says = `The server refuses page ${read.pages + 1} behind ${counted(read.pages, 'full page')} (${read.refusedAt})`;
  return { code: 'PAGING_UNPROVEN', says, cures: completeOrPaged(resource, `${read.items} are all`) };
}

/** Facts that nobody has explained, of a listing whose end nothing proves. */
function openFacts({ resource, read, contract, settings }: Judged): Finding | null {
  const isProven = read.proof !== 'nothing' && read.proof !== 'own-length';
  const isAnswered = settings.paging?.trim() === 'none';
  if (isProven || isAnswered) return null;
  const isFewer = lostShare(read.items, contract) > LOST;
  const isNew = ({ path }: Fact): boolean =>
    contract?.wholeItems === undefined || (isFewer && contract.facts?.[path.join('.')] === undefined);
  const open = read.opening.signals.open.filter(
    (fact) =>
      isNew(fact) &&
      !isIgnored(fact, settings.ignore) &&
      (fact.kind !== 'number' || (!resource.isQueue && isLarger(fact, read.items))),
  );
  if (open.length === 0) return null;
  return { code: 'PAGING_UNPROVEN', says: openText(open), cures: openCures(open, resource.name) };
}

/** Only a number that is larger than what was read may count records that are missing. */
function isLarger({ value }: Fact, items: number): boolean {
  return (wholeNumberOf(value) ?? 0) > items;
}

/** A listing with this share fewer records has lost more than come and go in a day. */
const LOST = 0.05;

function lostShare(items: number, contract: Contract | undefined): number {
  const before = contract?.wholeItems ?? 0;
  return before === 0 ? 0 : (before - items) / before;
}

/** Fewer records than before next to a fact that is not what it was, or at another place. */
function turnedListing({ resource, read, contract, texts }: Judged): Finding | null {
  const lost = lostShare(read.items, contract);
  if (contract === undefined || lost <= 0) return null;
  const turned = turnedFacts(contract.facts ?? {}, texts).filter(({ isWord }) => isWord || lost > LOST);
  const names = turned.map(({ name }) => name);
  const hasMoved = lost > LOST && read.envelope !== null && read.envelope !== contract.envelope;
  if (names.length === 0 && !hasMoved) return null;
  const what = [
    ...(names.length > 0 ? [`${names.join(', ')} changed`] : []),
    ...(hasMoved ? [`the records are at ${read.envelope} and were at ${contract.envelope}`] : []),
  ];
  const says = `There are ${read.items} records and were ${contract.wholeItems}, and ${what.join(' and ')}: some may be missing`;
  const whole = wholeCure(resource, `${read.items} is the right number today`);
  return {
    code: 'SHAPE_CHANGED',
    says,
    cures: names.length > 0 ? [whole, ignoreCure(resource, names)] : [whole],
  };
}
