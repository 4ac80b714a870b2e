import { BESIDE_NAMES, membersOf, type Told } from '../healthy/beside.ts';
import { HARMLESS_NAMES, headersOf } from '../healthy/harmless-headers.ts';

/* The words that a generated answer says things with, from the documentation of public APIs and not from the product. */

export type Meaning = 'next' | 'token' | 'more' | 'number' | 'size' | 'total' | 'pages' | 'offset';

function split(words: Readonly<Record<Meaning, string>>): Readonly<Record<Meaning, readonly string[]>> {
  const of = (meaning: Meaning) => words[meaning].split(' ');
  return {
    ...{ next: of('next'), token: of('token'), more: of('more'), number: of('number') },
    ...{ size: of('size'), total: of('total'), pages: of('pages'), offset: of('offset') },
  };
}

export const WORDS = {
  /** What people would recognise at once. */
  plain: split({
    next: 'next nextLink next_page_url @odata.nextLink nextUrl NextPageLink',
    token: 'nextCursor next_cursor nextPageToken nextToken NextMarker next_token',
    more: 'hasMore has_more HasNextPage more has_next IsTruncated',
    number: 'page currentPage current_page pageNumber Page',
    size: 'pageSize per_page PageSize itemsPerPage page_size',
    total: 'total totalCount total_count TotalItems totalRecords',
    pages: 'totalPages pages total_pages pageCount TotalPages',
    offset: 'offset skip Offset startIndex',
  }),
  /** As real APIs spell it, whom few would guess. */
  real: split({
    next: 'nextRecordsUrl next_href nextPageUri hydra:next older next_page_path continueUrl moreLink',
    token:
      'continuationToken x-ms-continuation continue scroll_id bookmark LastEvaluatedKey resumptionToken endCursor nextSyncPosition pageToken after_cursor search_after',
    more: 'exceededTransferLimit has_more_rows moreResultsAvailable more_items more_records hasAdditionalPages moreDataExists',
    number: 'pageNo page_index pageNum thisPage curPage',
    size: 'pageLength rowsPerPage maxResults page_limit recordsPerPage num_per_page',
    total:
      'numFound hydra:totalItems totalHits recordsTotal resultCount found total_entries matchCount totalObjects num_results TotalResultCount fullCount',
    pages: 'lastPage page_total numPages numberOfPages maxPage last_page',
    offset: 'startAt start_index first_result firstRow start from',
  }),
} as const;

/** One moment of the healthy world. */
const TOLD: Told = {
  ...{ seed: 1, day: 1, call: 3, table: 'players', listing: 'Players', records: [], version: '4.7.0' },
};

export interface IdleMember {
  readonly name: string;
  readonly value: unknown;
}

/** Members of real APIs that say nothing about pages: those of the healthy world, and failures that are none. */
export const IDLE_MEMBERS: readonly IdleMember[] = [
  ...Object.entries(membersOf(BESIDE_NAMES, TOLD)).map(([name, value]) => ({ name, value })),
  ...[
    ['statusCode', 200],
    ['code', 0],
    ['message', 'OK'],
    ['@context', '/contexts/Player'],
    ['previous', null],
    ['object', 'list'],
    ['timed_out', false],
    ['status', { code: 200, text: 'OK' }],
    ['error', { code: 0, message: '' }],
    ['error', 'none'],
    ['errors', {}],
    ['result', '200'],
    ['MessageId', 'b1a6-77'],
    ['responseStatus', { code: 0, message: 'Success' }],
  ].map(([name, value]) => ({ name: String(name), value })),
];

export const IDLE_HEADERS: readonly (readonly [string, string])[] = Object.entries(
  headersOf(HARMLESS_NAMES, TOLD),
);

/** Ways to say in an answer with status 200 that it is none, or not whole. */
export const ERROR_MEMBERS: readonly Readonly<Record<string, unknown>>[] = [
  { error: { code: 17, message: 'database unreachable' } },
  { Error: 'backend timeout' },
  { errors: [{ detail: 'shard 3 is down' }] },
  { status: 'NOK' },
  { status: 'error' },
  { success: false },
  { succeeded: false },
  { errorCode: 42 },
  { error_code: 'E1001', error_message: 'no connection' },
  { hasErrors: true },
  { isError: 'true' },
  { fault: { faultcode: 'Server', faultstring: 'overload' } },
  { exception: 'java.lang.NullPointerException' },
  { timed_out: true },
  { partial: true },
  { meta: { status: { code: 500, text: 'failed' } } },
  { backends: { failed: true } },
  { _shards: { total: 5, successful: 4, failed: 1 } },
  { resultCode: 'FAILURE' },
  { ok: 0 },
];

/** Entries of a list that are no records: one of them stands in the place of a record. */
export const STRAYS: readonly Readonly<Record<string, unknown>>[] = [
  { error: 'backend offline' },
  { error: { code: 17, message: 'database unreachable' } },
  { status: 'error', message: 'timeout' },
  { Id: null, Label: null, error: 'backend offline' },
  { errorCode: 42, name: 'PlayerException' },
  { message: 'player offline' },
  { items: [{ a: 1 }], total: 60 },
];

/** HTTP knows no colon, at or point in a header's name that anybody would use. */
export function headerName(word: string): string {
  return `X-${word
    .replace(/^x-/i, '')
    .replaceAll(/[^A-Za-z0-9-]+/g, '-')
    .replace(/^-/, '')}`;
}
