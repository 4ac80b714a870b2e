import type { Mark } from '../errors.ts';

export interface CodeEntry {
  /** What to do with the item: try it again later, go on without it, or end the source. */
  readonly mark: Mark;
  /** What the operator does, as the end of a sentence; NAME stands for the resource. */
  readonly cure: string;
}

const MAY_PASS = 'if it does not pass by itself, ask who operates the server';
const WRONG_CALL =
  'compare basePath, apiVersion, accountId and versions of the source with the documentation of the server';
const SAY_ITEMS = 'set resources.NAME.items to where the records are';

/** Every code that an answer, a listing or a source can end with; docs/runbook.md has a heading for each. */
export const API_CODES = {
  BODY_EMPTY: { mark: 'retry', cure: MAY_PASS },
  BODY_NOT_JSON: {
    mark: 'retry',
    cure: 'something else than the API may have answered; look at what the address gives',
  },
  BODY_NOT_TEXT: {
    mark: 'retry',
    cure: 'the server must send what its content-type and content-encoding promise',
  },
  BODY_TOO_LARGE: {
    mark: 'skip',
    cure: 'if the listing is rightly this big, raise maxListingBytes of the source',
  },
  BODY_TRUNCATED: { mark: 'retry', cure: 'look for a proxy whose timeout is shorter than the answer takes' },
  CONNECTION_FAILED: { mark: 'retry', cure: 'check baseUrl, DNS, firewall and, on AWS, the vpc setting' },
  OUT_OF_TIME: { mark: 'retry', cure: 'the next sweep goes on with it' },
  RATE_LIMITED: { mark: 'retry', cure: 'lower requestsPerSecond of the source' },
  SPOOL_FAILED: { mark: 'retry', cure: 'give the process a temporary folder with more space' },
  TIMEOUT: { mark: 'retry', cure: 'if it stays, lower concurrency of the source' },
  HTTP_202: { mark: 'retry', cure: MAY_PASS },
  HTTP_401: {
    mark: 'retry',
    cure: 'if it stays, look at the other listings and at the secret of the source',
  },
  HTTP_408: { mark: 'retry', cure: MAY_PASS },
  HTTP_425: { mark: 'retry', cure: MAY_PASS },
  HTTP_500: { mark: 'retry', cure: MAY_PASS },
  HTTP_502: { mark: 'retry', cure: MAY_PASS },
  HTTP_503: { mark: 'retry', cure: MAY_PASS },
  HTTP_504: { mark: 'retry', cure: MAY_PASS },
  HTTP_5XX: { mark: 'retry', cure: MAY_PASS },
  HTTP_2XX: { mark: 'skip', cure: WRONG_CALL },
  HTTP_3XX: { mark: 'skip', cure: WRONG_CALL },
  HTTP_400: {
    mark: 'skip',
    cure: `${WRONG_CALL}; some servers name in the answer the versions that they allow`,
  },
  HTTP_405: { mark: 'skip', cure: WRONG_CALL },
  HTTP_422: { mark: 'skip', cure: WRONG_CALL },
  HTTP_4XX: { mark: 'skip', cure: WRONG_CALL },
  API_ERROR: { mark: 'retry', cure: MAY_PASS },
  NOT_FOUND: {
    mark: 'skip',
    cure: 'it was removed after it was listed',
  },
  UNAUTHORIZED: {
    mark: 'skip',
    cure: 'the key works elsewhere; give it the right to this record or listing',
  },
  FORBIDDEN: { mark: 'skip', cure: 'give the key the right or scope for this record or listing' },
  API_NOT_ENABLED: { mark: 'skip', cure: 'have the API enabled for this installation; it is not by default' },
  SOURCE_UNAUTHORIZED: { mark: 'stop', cure: 'put a valid key into the secret of the source' },
  SECRET_INVALID: {
    mark: 'stop',
    cure: 'write the secret as {"apiKey": …} or {"sessionId": …} (signage) or {"accessToken": …} (backup), at least 8 characters long',
  },
  TLS_REFUSED: {
    mark: 'stop',
    cure: 'set caFile of the source to the CA that signed the certificate, or have it renewed',
  },
  CA_FILE_INVALID: {
    mark: 'stop',
    cure: 'set caFile of the source to a readable file with PEM certificates',
  },
  REDIRECT_REFUSED: {
    mark: 'skip',
    cure: 'the key stays at the origin of baseUrl; set baseUrl to where the redirect leads if that is right',
  },
  ENVELOPE_UNKNOWN: { mark: 'skip', cure: SAY_ITEMS },
  ENVELOPE_AMBIGUOUS: { mark: 'skip', cure: SAY_ITEMS },
  PAGING_UNPROVEN: {
    mark: 'skip',
    cure: 'set resources.NAME.paging to the style of the listing, or to none if one answer is all',
  },
  PAGING_LOOP: {
    mark: 'skip',
    cure: 'set resources.NAME.paging to another style, or to none if one answer is all',
  },
  PAGING_ENDLESS: {
    mark: 'skip',
    cure: 'set resources.NAME.paging to another style, or to none if one answer is all',
  },
  PAGING_OTHER_ORIGIN: {
    mark: 'skip',
    cure: 'the key stays at the origin of baseUrl; set resources.NAME.paging to another style, or baseUrl to where the link leads',
  },
  TOTAL_MISMATCH: {
    mark: 'retry',
    cure: 'if it stays, set resources.NAME.paging to another style, or to none if one answer is all',
  },
  SHAPE_CHANGED: {
    mark: 'skip',
    cure: 'look at it with check, then set resources.NAME.items or resources.NAME.paging',
  },
} as const satisfies Record<string, CodeEntry>;

export type ApiCode = keyof typeof API_CODES;

/** Whether what failed with this code may be got by asking again later; false for a code that is not of the API. */
export function mayPass(code: string): boolean {
  return isApiCode(code) && API_CODES[code].mark === 'retry';
}

/** Whether what failed with this code may be understood once another answer has proved how such answers are built. */
export function isUnproven(code: string): boolean {
  return code === 'ENVELOPE_UNKNOWN';
}

function isApiCode(code: string): code is ApiCode {
  return Object.hasOwn(API_CODES, code);
}
