import type { RawRow } from '../lake/raw/raw.ts';
import { type Cure, saidWithCures } from '../sources/question.ts';
import { type ApiCode, curesOf } from './codes.ts';
import { type Dialect, evidenceOf } from './dialect.ts';
import {
  type Ending,
  type FetchListingOptions,
  isCall,
  type ListingProgress,
  NO_BODY,
  rowsOfItem,
  startListing,
} from './listing-rows.ts';

export type { FetchListingOptions } from './listing-rows.ts';

export interface ListingEnd extends Ending {
  /** Where the records were; null if no answer could be understood. */
  readonly envelope: string | null;
  /** Null if no answer could be understood, or if it proves nothing that is not shown already. */
  readonly dialect: Dialect | null;
  /** What stood beside the records, as `childWords` has it; none of a listing without parent, or of one that failed. */
  readonly words: readonly string[];
  /** Pages that were read whole. */
  readonly pages: number;
  /** Records in all rows, also of a listing that failed later. */
  readonly items: number;
}

/**
 * Asks for a listing, page by page, and yields its raw rows. Only the last row has the outcome; after a failure it has no
 * body. Throws CallRefused if the API refuses the whole source.
 */
export async function* fetchListing(options: FetchListingOptions): AsyncGenerator<RawRow, ListingEnd> {
  const reading = startListing(options);
  let held: RawRow | null = null;
  for await (const row of rowsOfItem(options, reading)) {
    if (isCall(row)) {
      yield row;
      continue;
    }
    if (held !== null) yield held;
    held = row;
  }
  const { pages, items, at } = reading;
  const ending = reading.ending ?? { outcome: items === 0 ? 'empty' : 'ok', errorCode: null, message: null };
  const doubt = reading.ending === null ? doubtOf(options, reading) : undefined;
  // Its rows are published, with an error code that says that there may be more.
  const inDoubt = doubt && { errorCode: doubt.code, message: saidWithCures(doubt.says, doubt.cures) };
  const { question: _, notBefore: __, ...ended } = { ...ending, ...inDoubt };
  if (held !== null && reading.ending === null) {
    yield { ...held, ...ended };
  } else {
    if (held !== null) yield held;
    yield { parentId: options.parentId, ...at, ...ended, ...NO_BODY };
  }
  const asks = doubt && {
    question: { ...doubt, source: options.source.name, resource: options.resource.name },
  };
  // Only further pages prove more than what is shown.
  const dialect = options.isShown && pages < 2 ? null : dialectOf(options, reading);
  const isSure = options.parentId !== null && reading.ending === null && doubt === undefined;
  const words = isSure ? reading.pager.words() : [];
  return { ...ending, ...inDoubt, ...asks, envelope: reading.envelope, dialect, words, pages, items };
}

/** Why a listing that is published may not be whole. */
function doubtOf(
  { resource }: FetchListingOptions,
  { pager }: ListingProgress,
): { readonly code: ApiCode; readonly says: string; readonly cures: readonly Cure[] } | undefined {
  const doubt = pager.doubt();
  if (doubt === null) return undefined;
  return { code: doubt.code, says: doubt.says, cures: doubt.cures ?? curesOf(doubt.code, resource.name) };
}

function dialectOf(
  { source, resource }: FetchListingOptions,
  { envelope, keys, pager }: ListingProgress,
): Dialect | null {
  if (envelope === null) return null;
  const { evidence, ...paging } = pager.found();
  const bySetting = source.resources[resource.name]?.items !== undefined;
  return {
    envelope,
    ...(keys && { keys }),
    ...paging,
    evidence: [evidenceOf(envelope, bySetting), ...evidence],
  };
}
