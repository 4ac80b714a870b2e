import type { RawRow } from '../lake/raw/raw.ts';
import { type Dialect, evidenceOf } from './dialect.ts';
import {
  type Ending,
  type FetchListingOptions,
  type ListingProgress,
  rowsOfPages,
  startListing,
} from './listing-rows.ts';

export type { FetchListingOptions } from './listing-rows.ts';

export interface ListingEnd extends Ending {
  /** Null where no answer could be understood. */
  readonly dialect: Dialect | null;
  /** Pages that were read whole. */
  readonly pages: number;
  /** Records in all rows, those of a listing that failed behind them included. */
  readonly items: number;
  /** Of the last call. */
  readonly latencyMs: number;
}

const NO_BODY = { items: 0, recordsFrom: null, recordsTo: null, body: null, mended: null };

/**
 * Asks for a listing, page by page, and yields its raw rows; the last one, and only it, has the outcome. What goes
 * wrong behind the first row is a last row without a body. Throws CallRefused where the API refuses the
 * whole source.
 */
export async function* fetchListing(options: FetchListingOptions): AsyncGenerator<RawRow, ListingEnd> {
  const reading = startListing(options);
  let held: RawRow | null = null;
  for await (const row of rowsOfPages(options, reading)) {
    if (held !== null) yield held;
    held = row;
  }
  const { pages, items, latencyMs, at } = reading;
  const ending = reading.ending ?? { outcome: items === 0 ? 'empty' : 'ok', errorCode: null, message: null };
  const { question: _, ...ended } = ending;
  if (held !== null && reading.ending === null) {
    yield { ...held, ...ended };
  } else {
    if (held !== null) yield held;
    yield { parentId: options.parentId, ...at, ...ended, ...NO_BODY };
  }
  const doubt = reading.ending === null ? doubtOf(options, reading) : {};
  return { ...ending, ...doubt, dialect: dialectOf(options, reading), pages, items, latencyMs };
}

/** The question of a listing that is published although it may not be whole. */
function doubtOf(
  { source, resource }: FetchListingOptions,
  { pager }: ListingProgress,
): Pick<ListingEnd, 'question'> {
  const doubt = pager.doubt();
  if (doubt === null) return {};
  const { code, says, cures = [] } = doubt;
  return { question: { code, source: source.name, resource: resource.name, says, cures } };
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
