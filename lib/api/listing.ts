import { parsePaging } from '../config/paging-style.ts';
import type { RawRow } from '../lake/raw/raw.ts';
import { NO_ID } from '../schema/record-key.ts';
import { CallRefused } from './call/call.ts';
import type { Contract } from './contract/contract.ts';
import { type FactTexts, factTexts } from './contract/fact-texts.ts';
import { createSiblings } from './contract/siblings.ts';
import { childFacts, nextContract } from './contract/turned.ts';
import { type Verdict, verdictOf } from './contract/verdict.ts';
import { type Ending, endingBy, endingOf, type FetchListingOptions } from './endings.ts';
import { createListingReader, type ListingReader, NO_BODY } from './listing-reader.ts';
import { readPages } from './pages/read-pages.ts';
import type { PagesRead } from './pages/reading.ts';

export interface ListingEnd extends Ending {
  /** Where the records were; null if no answer was readable. */
  readonly envelope: string | null;
  /** Null if no answer was readable, or if it proves nothing new. */
  readonly contract: Contract | null;
  /** True without a doubt, and where the declared total stayed the same while the pages were read. */
  readonly isSure: boolean;
  /** True where fewer records came than the pages once declared. */
  readonly isBelow: boolean;
  /** The facts of a parent's complete listing. */
  readonly facts: FactTexts;
  readonly notes: Verdict['notes'];
  /** Pages that were read whole. */
  readonly pages: number;
  /** Records in all rows, also of a listing that failed later. */
  readonly items: number;
}

/**
 * Requests a listing, page by page, and yields its raw rows. Only the last row has the outcome; after a
 * failure it has no body. Throws CallRefused if the API refuses the whole source.
 */
export async function* fetchListing(options: FetchListingOptions): AsyncGenerator<RawRow, ListingEnd> {
  using reader = createListingReader(options);
  let held: RawRow | null = null;
  let read: PagesRead | null = null;
  let ending: Ending | null = null;
  try {
    const rows = readPages(reader, askedOf(options));
    for (let next = await rows.next(); ; next = await rows.next()) {
      if (next.done === true) {
        read = next.value;
        break;
      }
      if (isCall(next.value)) yield next.value;
      else {
        if (held !== null) yield held;
        held = next.value;
      }
    }
  } catch (error) {
    if (error instanceof CallRefused) throw error;
    ending = endingOf(error, options, reader.at().status);
  }
  reader[Symbol.dispose]();
  yield* reader.calls();
  const judged = read === null ? null : judgedEnd(options, reader, read);
  const end = judged ?? unreadEnd(ending, reader);
  const { outcome, errorCode, message } = end;
  // Its last row has the records and the outcome; a failure has a row of its own.
  if (held !== null && end.outcome !== 'failed') yield { ...held, outcome, errorCode, message };
  else {
    if (held !== null) yield held;
    yield { parentId: options.parentId, ...reader.at(), outcome, errorCode, message, ...NO_BODY };
  }
  return end;
}

/** True for the row of a call without a page. */
function isCall({ status, body, outcome }: RawRow): boolean {
  return status === null && body === null && outcome === null;
}

function askedOf({
  source,
  resource,
  parentId,
  contract,
  form,
  siblings = createSiblings(),
}: FetchListingOptions) {
  const settings = source.resources[resource.name];
  return {
    resource,
    parentId,
    ignore: settings?.ignore ?? [],
    baseUrl: source.baseUrl,
    plain: resource.target(source, parentId ?? ''),
    contract: contract ?? form,
    siblings,
    forced: settings?.paging === undefined ? null : parsePaging(settings.paging),
    isDeclaredComplete: settings?.complete === true,
    hasIds: settings?.id !== NO_ID,
  };
}

function unreadEnd(ending: Ending | null, reader: ListingReader): ListingEnd {
  const failed = ending ?? { outcome: 'failed', errorCode: null, message: null };
  const nothing = {
    envelope: null,
    contract: null,
    isSure: false,
    isBelow: false,
    facts: NO_FACTS,
    notes: [],
  };
  return { ...failed, ...nothing, ...reader.read() };
}

/** The end of a listing that was read: its verdict, and its contract for later runs. */
function judgedEnd(options: FetchListingOptions, reader: ListingReader, read: PagesRead): ListingEnd {
  const { source, resource, contract, shown, wasEmpty = false } = options;
  const { ignore = [], paging, complete = false } = source.resources[resource.name] ?? {};
  const isChild = resource.parent !== null;
  const texts = read.opening.facts.length === 0 ? NO_FACTS : factTexts(read.opening.facts, ignore);
  const verdict = verdictOf({
    resource,
    read,
    wasEmpty,
    contract,
    texts,
    settings: { paging, complete, ignore, isStrict: source.strict },
  });
  const { kind, finding, notes } = verdict;
  const came = read.items === 0 ? 'empty' : 'ok';
  const outcome = kind === 'failed' ? 'failed' : came;
  const ending: Ending =
    finding === null ? { outcome, errorCode: null, message: null } : endingBy(finding, options, outcome);
  const envelope = read.envelope ?? read.opening.usualEnvelope;
  const known = {
    before: contract,
    envelope,
    keys: reader.keys(),
    isInDoubt: kind !== 'complete',
    texts: isChild ? null : texts,
  };
  return {
    ...ending,
    envelope,
    // Only further pages prove anything new.
    contract: shown?.() !== undefined && read.pages < 2 ? null : nextContract(read, known),
    isSure: kind === 'complete' && !read.totals.moved(),
    isBelow: read.totals.moved() && read.totals.isAbove(read.items),
    facts: isChild && kind === 'complete' ? childFacts(read, texts) : NO_FACTS,
    notes,
    ...reader.read(),
  };
}

const NO_FACTS: FactTexts = new Map();
