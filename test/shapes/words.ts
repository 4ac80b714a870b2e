/*
 * The words that a generated answer says things with. Nothing here is taken from the product: the
 * spellings were collected from the documentation of public APIs.
 */

export type Meaning = 'next' | 'token' | 'more' | 'number' | 'size' | 'total' | 'pages' | 'offset';

/** What people would recognise at once. */
const PLAIN: Readonly<Record<Meaning, readonly string[]>> = {
  next: ['next', 'nextLink', 'next_page_url', '@odata.nextLink', 'nextUrl', 'NextPageLink'],
  token: ['nextCursor', 'next_cursor', 'nextPageToken', 'nextToken', 'NextMarker', 'next_token'],
  more: ['hasMore', 'has_more', 'HasNextPage', 'more', 'has_next', 'IsTruncated'],
  number: ['page', 'currentPage', 'current_page', 'pageNumber', 'Page'],
  size: ['pageSize', 'per_page', 'PageSize', 'itemsPerPage', 'page_size'],
  total: ['total', 'totalCount', 'total_count', 'TotalItems', 'totalRecords'],
  pages: ['totalPages', 'pages', 'total_pages', 'pageCount', 'TotalPages'],
  offset: ['offset', 'skip', 'Offset', 'startIndex'],
};

/** As real APIs spell it, whom few would guess. */
const REAL: Readonly<Record<Meaning, readonly string[]>> = {
  next: [
    'nextRecordsUrl',
    'next_href',
    'nextPageUri',
    'hydra:next',
    'older',
    'next_page_path',
    'continueUrl',
    'moreLink',
  ],
  token: [
    'continuationToken',
    'x-ms-continuation',
    'continue',
    'scroll_id',
    'bookmark',
    'LastEvaluatedKey',
    'resumptionToken',
    'endCursor',
    'nextSyncPosition',
    'pageToken',
    'after_cursor',
    'search_after',
  ],
  more: [
    'exceededTransferLimit',
    'has_more_rows',
    'moreResultsAvailable',
    'more_items',
    'more_records',
    'hasAdditionalPages',
    'moreDataExists',
  ],
  number: ['pageNo', 'page_index', 'pageNum', 'thisPage', 'curPage'],
  size: ['pageLength', 'rowsPerPage', 'maxResults', 'page_limit', 'recordsPerPage', 'num_per_page'],
  total: [
    'numFound',
    'hydra:totalItems',
    'totalHits',
    'recordsTotal',
    'resultCount',
    'found',
    'total_entries',
    'matchCount',
    'totalObjects',
    'num_results',
    'TotalResultCount',
    'fullCount',
  ],
  pages: ['lastPage', 'page_total', 'numPages', 'numberOfPages', 'maxPage', 'last_page'],
  offset: ['startAt', 'start_index', 'first_result', 'firstRow', 'start', 'from'],
};

export const WORDS = { plain: PLAIN, real: REAL } as const;

export interface IdleMember {
  readonly name: string;
  readonly value: unknown;
}

/** Members and headers of real APIs that say nothing about pages. */
export const IDLE_MEMBERS: readonly IdleMember[] = [
  { name: 'requestId', value: '7f3c1f9e-5a41-4f0e-9a52-0a6f8b2f1c77' },
  { name: 'request_id', value: 'req_8KfQ2mZx01' },
  { name: 'traceId', value: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01' },
  { name: 'correlationToken', value: 'b2f8d3aa-11' },
  { name: 'serverTime', value: '2026-11-21T03:00:00.123Z' },
  { name: 'timestamp', value: 1_795_230_000 },
  { name: 'version', value: '1.12.4' },
  { name: 'apiVersion', value: 'v1' },
  { name: 'took', value: 12 },
  { name: 'duration_ms', value: 4.25 },
  { name: 'executionTime', value: 17 },
  { name: 'self', value: '/gv2/webservices/API/v1.12/Players' },
  { name: 'status', value: 'ok' },
  { name: 'statusCode', value: 200 },
  { name: 'code', value: 0 },
  { name: 'message', value: 'OK' },
  { name: 'success', value: true },
  { name: '@odata.context', value: 'https://api.example.com/$metadata#Players' },
  { name: '@context', value: '/contexts/Player' },
  { name: 'etag', value: 'W/"5f2a9c"' },
  { name: 'error', value: null },
  { name: 'errors', value: [] },
  { name: 'warnings', value: [] },
  { name: 'copyright', value: 'Example Corp. All rights reserved.' },
  { name: 'previous', value: null },
  { name: 'object', value: 'list' },
  { name: 'timed_out', value: false },
  { name: 'locale', value: 'de-DE' },
  { name: 'status', value: { code: 200, text: 'OK' } },
  { name: 'error', value: { code: 0, message: '' } },
  { name: 'error', value: 'none' },
  { name: 'errors', value: {} },
  { name: 'result', value: '200' },
  { name: 'MessageId', value: 'b1a6-77' },
  { name: 'responseStatus', value: { code: 0, message: 'Success' } },
];

export const IDLE_HEADERS: readonly (readonly [string, string])[] = [
  ['x-request-id', '2f1c77a0-5a41-4f0e-9a52-0a6f8b2f1c77'],
  ['x-powered-by', 'ASP.NET'],
  ['x-aspnet-version', '4.0.30319'],
  ['x-runtime', '0.021337'],
  ['x-ratelimit-limit', '60'],
  ['x-ratelimit-remaining', '59'],
  ['x-ratelimit-reset', '1795230060'],
  ['server-timing', 'db;dur=53, app;dur=47.2'],
  ['strict-transport-security', 'max-age=31536000; includeSubDomains'],
  ['etag', '"33a64df551425fcc55e4d42a148795d9f25f89d4"'],
  ['vary', 'Accept-Encoding'],
  ['x-content-type-options', 'nosniff'],
  ['x-correlation-id', 'b2f8d3aa11'],
  ['x-amzn-trace-id', 'Root=1-67891233-abcdef012345678912345678'],
  ['cf-ray', '8a1b2c3d4e5f-FRA'],
  ['age', '3'],
];

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

/** HTTP knows no colon, at or point in a header's name that anybody would use. */
export function headerName(word: string): string {
  return `X-${word
    .replace(/^x-/i, '')
    .replaceAll(/[^A-Za-z0-9-]+/g, '-')
    .replace(/^-/, '')}`;
}
