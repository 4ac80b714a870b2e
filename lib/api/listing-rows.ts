import type { Outcome, RawRow } from '../lake/raw/raw.ts';
import type { Question } from '../sources/question.ts';
import type { Resource, Target } from '../sources/resources.ts';
import type { Source } from '../sources/source.ts';
import { judgeFault } from './call/judge.ts';
import type { ApiClient } from './client.ts';
import type { ApiCode } from './codes.ts';
import type { Dialect } from './dialect.ts';
import { Fault } from './fault.ts';
import { CHILD_MAX_BYTES, CHILD_TIMEOUT_MS, LISTING_TIMEOUT_MS } from './limits.ts';
import { ListingError } from './listing-error.ts';
import { createPager, type Pager } from './paging/pager.ts';
import { findRecords, type Shape } from './records/envelope.ts';
import { slicesOf } from './records/slices.ts';
import type { Answer, Reply } from './reply.ts';

export interface FetchListingOptions {
  readonly client: ApiClient;
  readonly source: Source;
  readonly resource: Resource;
  /** The id of the parent whose records are asked for; null for a listing without parent. */
  readonly parentId: string | null;
  /** What was found out about this resource's answers before. */
  readonly lock?: Dialect;
  /**
   * Gets the records of each slice before its row is yielded, and whether DuckDB shall read them in another form;
   * integers beyond 2^53 are strings of their digits.
   */
  readonly onRecords?: (records: readonly unknown[], isMended: boolean) => void;
}

/** How a listing ended. */
export interface Ending {
  readonly outcome: Outcome;
  readonly errorCode: ApiCode | null;
  readonly message: string | null;
  /** What the operator may set where the answers do not say how they are to be read. */
  readonly question?: Question;
}

/** What has been read of a listing so far. */
export interface ListingProgress {
  readonly pager: Pager;
  /** What goes wrong; null as long as nothing has. */
  ending: Ending | null;
  envelope: string | null;
  /** Of the map that the records are. */
  keys?: readonly string[] | undefined;
  pages: number;
  items: number;
  /** Bytes of all pages. */
  bytes: number;
  /** Of the last call. */
  latencyMs: number;
  /** Where a row would stand that comes next. */
  at: Pick<RawRow, 'page' | 'slice' | 'answeredAt' | 'status' | 'attempts'>;
}

const NO_OUTCOME = { outcome: null, errorCode: null, message: null };

/** A reading of which nothing has been read. */
export function startListing({ source, resource, parentId, lock }: FetchListingOptions): ListingProgress {
  const pager = createPager({ source, resource, target: resource.target(source, parentId ?? ''), lock });
  const at = { page: 0, slice: 0, answeredAt: new Date(0), status: null, attempts: 0 };
  return { pager, ending: null, envelope: null, pages: 0, items: 0, bytes: 0, latencyMs: 0, at };
}

/** Yields the rows of all pages, none with an outcome; what ends them early is put into `reading.ending`. */
export async function* rowsOfPages(
  options: FetchListingOptions,
  reading: ListingProgress,
): AsyncGenerator<RawRow> {
  const { client, source, resource } = options;
  const bounds =
    resource.parent === null
      ? { maxBytes: source.maxListingBytes, timeoutMs: LISTING_TIMEOUT_MS }
      : { maxBytes: CHILD_MAX_BYTES, timeoutMs: CHILD_TIMEOUT_MS };
  for (let target: Target | null = reading.pager.first; target !== null; ) {
    const maxBytes = Math.max(1, bounds.maxBytes - reading.bytes);
    const reply: Reply = await client.get(target, { ...bounds, maxBytes });
    const { answeredAt, status, attempts } = reply;
    reading.latencyMs = reply.latencyMs;
    reading.at = { page: reading.pages, slice: 0, answeredAt, status, attempts };
    if (reply.kind === 'refusal') {
      // A page that is missing behind others is no answer about the listing.
      const outcome = reading.pages === 0 ? reply.outcome : 'failed';
      reading.ending = { outcome, errorCode: reply.code, message: reply.message };
      return;
    }
    try {
      const before = reading.items;
      reading.bytes += reply.body?.bytes ?? 0;
      yield* rowsOfPage(reply, { options, reading });
      target = reading.pager.next(reading.items - before);
      reading.pages += 1;
    } catch (error) {
      reading.ending = endingOf(error, options);
      return;
    } finally {
      reply.body?.close();
    }
  }
}

function* rowsOfPage(
  answer: Answer,
  { options, reading }: { readonly options: FetchListingOptions; readonly reading: ListingProgress },
): Generator<RawRow> {
  const shape = shapeOf(answer, options);
  reading.envelope = reading.envelope === null || shape.place !== null ? shape.envelope : reading.envelope;
  reading.keys ??= shape.keys;
  reading.pager.open({ answer, shape });
  if (answer.body === null) return;
  for (const { records, ...slice } of slicesOf(answer.body, shape.place)) {
    reading.pager.look(records);
    options.onRecords?.(records, slice.mended !== null);
    yield { parentId: options.parentId, ...reading.at, ...NO_OUTCOME, ...slice };
    reading.items += slice.items;
    reading.at = { ...reading.at, slice: reading.at.slice + 1 };
  }
}

/** Without a body (204), a parent has no records; a listing without parent has not been answered. */
function shapeOf({ body, status }: Answer, { source, resource, lock }: FetchListingOptions): Shape {
  if (body !== null) {
    const setting = source.resources[resource.name]?.items;
    return findRecords({ body, resource, setting, lock });
  }
  if (resource.parent !== null) return { envelope: lock?.envelope ?? '$', place: null };
  throw new ListingError('BODY_EMPTY', `The answer to a listing has no body (HTTP ${status})`, {
    resource: resource.name,
  });
}

function endingOf(
  error: unknown,
  { source, resource }: Pick<FetchListingOptions, 'source' | 'resource'>,
): Ending {
  if (error instanceof ListingError) {
    const { code, message, says, cures } = error;
    const question = { code, source: source.name, resource: resource.name, says, cures };
    return { outcome: 'failed', errorCode: code, message, ...(cures.length > 0 && { question }) };
  }
  if (!(error instanceof Fault)) throw error;
  const { code, message } = judgeFault(error);
  return { outcome: 'failed', errorCode: code, message };
}
