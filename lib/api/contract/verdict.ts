import type { NoteSaid } from '../../sources/note.ts';
import type { Resource } from '../../sources/resources.ts';
import { counted } from '../../text.ts';
import type { PagesRead } from '../pages/reading.ts';
import { isRoundNumber } from '../pages/totals.ts';
import { type Fact, isIgnored, nameOf } from '../read/facts.ts';
import { roleOfFact } from '../read/role.ts';
import { wholeNumberOf } from '../read/value-kind.ts';
import { isObject } from '../records/entries.ts';
import { isAsideList } from '../records/places.ts';
import type { Contract } from './contract.ts';
import {
  besideText,
  completeOrPaged,
  type Finding,
  ignoreCure,
  openCures,
  totalCures,
  wholeCure,
} from './cures.ts';
import type { FactTexts } from './fact-texts.ts';
import { hasLost, turnedIn } from './turned.ts';

/** A listing that was read to its end, with all that is known about it. */
interface Judged {
  readonly resource: Resource;
  readonly read: PagesRead;
  /** True: no earlier day had a record. */
  readonly wasEmpty: boolean;
  /** What earlier days have shown. */
  readonly contract: Contract | undefined;
  /** The texts of the first page. */
  readonly texts: FactTexts;
  readonly settings: {
    /** `resources.NAME.paging` */
    readonly paging: string | undefined;
    readonly complete: boolean;
    readonly ignore: readonly string[];
    /** `strict` of the source: a note is a doubt. */
    readonly isStrict: boolean;
  };
}

/**
 * `complete`: the records are all. `doubt`: they are published, nothing is removed, and a question is raised.
 * `failed`: the answers contradict themselves, and the earlier rows stay.
 */
export interface Verdict {
  readonly kind: 'complete' | 'doubt' | 'failed';
  /** Why it is not complete. */
  readonly finding: Finding | null;
  /** Notes, which change nothing. */
  readonly notes: readonly NoteSaid[];
}

/** Whether a listing is complete, with at most one question. */
export function verdictOf(judged: Judged): Verdict {
  const contradiction = contradictionIn(judged);
  if (contradiction !== null) return { kind: 'failed', finding: contradiction, notes: [] };
  const note = noteOn(judged);
  const doubt = doubtAbout(judged) ?? (judged.settings.isStrict ? note : null);
  if (doubt !== null) return { kind: 'doubt', finding: doubt, notes: [] };
  const notes = note === null ? [] : [{ code: note.code, says: note.says }];
  return { kind: 'complete', finding: null, notes };
}

/** The answers themselves show that the listing is not complete. */
function contradictionIn(judged: Judged): Finding | null {
  const { resource, read, settings } = judged;
  if (settings.complete) return null;
  const { pages, repeats, totals } = read;
  const complaint = read.proof === 'declared' ? null : totals.complaint(read.items);
  if (complaint !== null && read.found?.isFollowed !== false) {
    const cures = totalCures('TOTAL_MISMATCH', resource.name, totals.name() ?? undefined);
    return { code: 'TOTAL_MISMATCH', says: complaint, cures };
  }
  if (resource.parent === null || pages < 2 || (repeats === 0 && !totals.moved()))
    return nothingFollowed(judged);
  const seen = repeats > 0 ? `${counted(repeats, 'record')} came twice` : 'the total in them changed';
  return {
    code: 'LISTING_UNSTABLE',
    says: `While the ${pages} pages of the listing were read, ${seen}`,
    cures: [wholeCure(resource, 'these records are right')],
  };
}

/** Answers to other parents led on; now one page is full and leads nowhere. Plan decides for all parents together. */
function lostPages({ resource, read, contract, settings }: Judged): Finding | null {
  const isLost =
    contract !== undefined && contract.paging !== 'none' && read.style.name === 'none' && read.items > 0;
  if (resource.parent === null || !isLost || read.items !== contract.pageSize || isProven(read)) return null;
  const cures = completeOrPaged(resource, `${read.items} is the right number today`);
  return {
    code: 'SHAPE_CHANGED',
    says: `There were pages (${contract.paging}); now there are ${read.items} records, as many as a page had, and no sign of more`,
    cures: settings.complete ? cures.slice(1) : cures,
  };
}

/** A setting `paging` with a member that the answer lacks: the first page would pass as the whole listing. */
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

/** A sign of more records. All records that came are still published. */
function doubtAbout(judged: Judged): Finding | null {
  // A proof that the records are all does not explain a page that leads on no more.
  const lost = lostPages(judged);
  if (lost !== null || judged.settings.complete) return lost;
  return (
    secondList(judged) ?? foundPages(judged) ?? refusedPage(judged) ?? openFacts(judged) ?? turnedIn(judged)
  );
}

/** Another list of the answer has entries with most keys of the records: `{"players": [32], "archived": [3]}`. */
function secondList({ resource, read, settings }: Judged): Finding | null {
  const keys = isObject(read.last) ? Object.keys(read.last) : [];
  const second = read.opening.facts.find(({ kind, path, value }) => {
    if (kind !== 'list' || isAsideList(path.at(-1) ?? '') || isIgnored({ path }, settings.ignore))
      return false;
    const own = Object.keys(Object(Object(value)[0]));
    const shared = own.filter((key) => keys.includes(key)).length;
    return shared > 0 && shared * 4 >= Math.max(own.length, keys.length) * 3;
  });
  if (second === undefined) return null;
  const says = `Next to the records at ${read.envelope}, ${nameOf(second)} has ${counted(Object(second.value).length, 'entry', 'entries')} with the same keys`;
  const cures = [ignoreCure(resource.name, [nameOf(second)], 'of records of this listing')];
  return { code: 'ENVELOPE_AMBIGUOUS', says, cures };
}

/** A usual parameter returns other records, but its pages do not prove themselves. */
function foundPages({ resource, read }: Judged): Finding | null {
  if (read.found === null || read.found.isFollowed) return null;
  const { style } = read.found;
  const says = `The answer has ${counted(read.items, 'record')}, and the server returns other records for ${style}`;
  return {
    code: 'CAP_SUSPECTED',
    says,
    cures: completeOrPaged(resource, `${read.items} is the right number today`, style),
  };
}

/** After full pages the next one was refused: the server may not return more. */
function refusedPage({ resource, read }: Judged): Finding | null {
  if (read.refusedAt === null) return null;
  const says = `The server refuses page ${read.pages + 1} after ${counted(read.pages, 'full page')} (${read.refusedAt})`;
  return { code: 'PAGING_UNPROVEN', says, cures: completeOrPaged(resource, `${read.items} are all`) };
}

/** Unexplained facts of a listing without a proof of its end. */
function openFacts({ resource, read, contract, settings }: Judged): Finding | null {
  if (isProven(read) || settings.paging?.trim() === 'none') return null;
  const isFewer = hasLost(read, contract);
  const isNew = ({ path }: Fact): boolean =>
    contract?.wholeItems === undefined || (isFewer && contract.facts?.[path.join('.')] === undefined);
  const open = read.opening.signals.open.filter(
    (fact) =>
      isNew(fact) &&
      !isIgnored(fact, settings.ignore) &&
      (fact.kind !== 'number' || (!resource.isQueue && isLarger(fact, read.items))),
  );
  if (open.length === 0) return null;
  return {
    code: 'PAGING_UNPROVEN',
    says: `${besideText(open, { withValues: true })}, which may say that there are more records`,
    cures: openCures(open, resource.name),
  };
}

function isProven({ proof }: PagesRead): boolean {
  return proof !== 'nothing' && proof !== 'own-length';
}

/** A number counts missing records only if it is larger than the records that came. */
function isLarger({ value }: Fact, items: number): boolean {
  return (wholeNumberOf(value) ?? 0) > items;
}

/** One note at most, for a new listing: a found paging, a round number of records, or unknown facts. */
function noteOn({ resource, read, contract, settings, wasEmpty }: Judged): Finding | null {
  if (
    contract?.wholeItems !== undefined ||
    wasEmpty ||
    resource.parent !== null ||
    settings.paging !== undefined ||
    settings.complete
  )
    return null;
  if (read.found !== null) {
    const says = `The answer names no next page, but ${read.found.style} brought more records: ${read.pages} pages have ${read.items} together`;
    return {
      code: 'PAGING_FOUND',
      says,
      cures: completeOrPaged(resource, `${read.items} is the right number`, read.found.style),
    };
  }
  const isKnownForm =
    read.envelope === resource.form.items && read.style.name === 'none' && read.totals.latest() === null;
  const { page, offset } = read.opening.signals.numbers;
  const isRound = isRoundNumber(read.items);
  if (!isProven(read) && !isKnownForm && (isRound || (page ?? offset) !== undefined)) {
    const why = isRound
      ? `exactly ${read.items} records, a number at which servers often stop`
      : 'the number of its page, and neither a total nor a next page';
    const says = `The answer has ${why}. The usual ways to ask for more return none`;
    return {
      code: 'CAP_SUSPECTED',
      says,
      cures: completeOrPaged(resource, `${read.items} is the right number today`),
    };
  }
  const larger = read.opening.signals.foreign.filter(({ value }) => value > read.items);
  const unknown = read.opening.facts.filter(
    (fact) => isUnknown(fact, settings.ignore) || larger.some(({ name }) => name === nameOf(fact)),
  );
  if (unknown.length === 0) return null;
  return {
    code: 'BESIDE_UNKNOWN',
    says: `${besideText(unknown, { withValues: false })}, and ${unknown.length === 1 ? 'its' : 'their'} meaning is not known`,
    cures: [ignoreCure(resource.name, unknown.map(nameOf), 'of missing records')],
  };
}

/** A fact without a known word. */
function isUnknown(fact: Fact, ignore: readonly string[]): boolean {
  const isPlain = fact.isHeader || fact.kind === 'nothing' || fact.kind === 'plain';
  return !isPlain && !isIgnored(fact, ignore) && roleOfFact(fact) === undefined;
}
