import { SECRET_EXAMPLE } from '../sources/kinds.ts';
import { type Cure, saidWithCures } from '../sources/question.ts';
import { CALL_SETTINGS } from '../sources/resources.ts';
import { allOf } from '../text.ts';
import { PLAIN_KEY_CURE } from './plain-key.ts';

export interface CodeEntry {
  /** True if another try later may succeed. */
  readonly mayPass: boolean;
  /** What the operator does: settings that may help, with NAME for the resource; or the end of a sentence. */
  readonly cure: string | readonly Cure[];
  /** True if the address may be the fault: the message names it, for whoever mistyped it. */
  readonly namesAddress?: true;
}

const MAY_PASS = 'if it does not pass by itself, ask who operates the server';
const WRONG_CALL = `compare what the source has of ${allOf(CALL_SETTINGS)} with the documentation of the server`;
const ITEMS: readonly Cure[] = [
  { setting: 'resources.NAME.items', choices: [], open: 'where the records are' },
];
const WHOLE: readonly Cure[] = [
  { setting: 'resources.NAME.complete', choices: [true], when: 'what comes is all' },
];
const PAGING: readonly Cure[] = [
  {
    setting: 'resources.NAME.paging',
    choices: [],
    open: 'the style of the listing (next, link, cursor:PARAM, page:PARAM or offset:PARAM)',
  },
  { setting: 'resources.NAME.paging', choices: ['none'], when: 'one answer is all' },
];

/** Every code that an answer, a listing or a source can end with; docs/run/codes.md explains each. */
export const API_CODES = {
  ANSWER_UNASKED: {
    mayPass: true,
    cure: 'look for a proxy in between that sends an answer twice or late; ask who operates the server',
  },
  ANSWER_UNREADABLE: {
    mayPass: false,
    cure: 'the other answers are not harmed; report it, with the beginning of the answer if you may show it',
  },
  BODY_EMPTY: { mayPass: true, cure: MAY_PASS },
  BODY_NOT_JSON: {
    mayPass: false,
    cure: 'something else than the API may have answered; look at what that address returns',
    namesAddress: true,
  },
  BODY_NOT_TEXT: {
    mayPass: true,
    cure: 'the server must send what its content-type and content-encoding promise',
  },
  BODY_TOO_DEEP: {
    mayPass: false,
    cure: 'if such records are right, raise maxDepth of the source',
  },
  BODY_TOO_LARGE: {
    mayPass: false,
    cure: 'if the listing is rightly this big, raise maxListingBytes of the source',
  },
  BODY_TRUNCATED: { mayPass: true, cure: 'look for a proxy with a shorter timeout than the answer takes' },
  CONNECTION_FAILED: {
    mayPass: true,
    cure: 'check baseUrl, DNS, firewall and, on AWS, the vpc setting',
    namesAddress: true,
  },
  OUT_OF_TIME: { mayPass: true, cure: 'the next sweep goes on with it' },
  RATE_LIMITED: { mayPass: true, cure: 'lower requestsPerSecond of the source' },
  SPOOL_FAILED: { mayPass: true, cure: 'give the process a temporary folder with more space' },
  TIMEOUT: { mayPass: true, cure: 'if it stays, lower concurrency of the source' },
  HTTP_202: { mayPass: true, cure: MAY_PASS },
  HTTP_401: {
    mayPass: true,
    cure: 'if it stays, look at the other listings and at the secret of the source',
  },
  HTTP_408: { mayPass: true, cure: MAY_PASS },
  HTTP_425: { mayPass: true, cure: MAY_PASS },
  HTTP_500: { mayPass: true, cure: MAY_PASS },
  HTTP_502: { mayPass: true, cure: MAY_PASS },
  HTTP_503: { mayPass: true, cure: MAY_PASS },
  HTTP_504: { mayPass: true, cure: MAY_PASS },
  HTTP_5XX: { mayPass: true, cure: MAY_PASS },
  HTTP_2XX: { mayPass: false, cure: WRONG_CALL },
  HTTP_3XX: { mayPass: false, cure: WRONG_CALL },
  HTTP_400: {
    mayPass: false,
    cure: `${WRONG_CALL}; some servers name in the answer the versions that they allow`,
  },
  HTTP_405: { mayPass: false, cure: WRONG_CALL },
  HTTP_422: { mayPass: false, cure: WRONG_CALL },
  HTTP_4XX: { mayPass: false, cure: WRONG_CALL },
  API_ERROR: { mayPass: true, cure: MAY_PASS },
  NOT_FOUND: {
    mayPass: false,
    cure: 'it was removed after it was listed',
  },
  GONE_UNPROVEN: {
    mayPass: true,
    cure: 'its rows stay as they were, until a parent that does not exist has the same answer',
  },
  UNAUTHORIZED: {
    mayPass: false,
    cure: 'the key works elsewhere; give it the right to this record or listing',
  },
  FORBIDDEN: { mayPass: false, cure: 'give the key the right or scope for this record or listing' },
  API_NOT_ENABLED: {
    mayPass: false,
    cure: 'have the API enabled for this installation; it is not by default',
  },
  SOURCE_UNAUTHORIZED: { mayPass: false, cure: 'put a valid key there' },
  SOURCE_SILENT: {
    mayPass: false,
    cure: 'its rows stay as they were, and the next run asks again; ask who operates the server why it answers no call',
  },
  SECRET_INVALID: {
    mayPass: false,
    cure: `write the secret as ${SECRET_EXAMPLE}, at least 8 characters long`,
  },
  SECRET_PLAIN: {
    mayPass: false,
    cure: `it is too short to be told from data, and removing it would change them: ${PLAIN_KEY_CURE}`,
  },
  SYSTEM_REFUSED: {
    mayPass: true,
    cure: 'raise the limit of open files, with `ulimit -n 4096` say, or lower concurrency of the source',
  },
  TLS_EXPIRED: {
    mayPass: false,
    cure: 'ask who operates the server for a valid certificate, and look at the clock of this machine',
    namesAddress: true,
  },
  TLS_NOT_SPOKEN: {
    mayPass: false,
    cure: 'name the port for https:// in baseUrl; in a network that you trust, http:// with allowHttp works too',
    namesAddress: true,
  },
  TLS_REFUSED: {
    mayPass: false,
    cure: 'set caFile of the source to the certificate of the CA that signed it',
    namesAddress: true,
  },
  TLS_WRONG_HOST: {
    mayPass: false,
    cure: 'set baseUrl to a host name that is in the certificate',
    namesAddress: true,
  },
  CA_FILE_INVALID: {
    mayPass: false,
    cure: 'set caFile of the source to a readable file with PEM certificates',
  },
  REDIRECT_REFUSED: {
    mayPass: false,
    cure: 'the key stays at the origin of baseUrl; set baseUrl to where the redirect leads if that is right',
    namesAddress: true,
  },
  RECORD_TOO_LARGE: {
    mayPass: false,
    cure: 'the stages have no memory for more: ask who operates the server for smaller records',
  },
  RECORD_TOO_WIDE: {
    mayPass: false,
    cure: 'if such records are right, raise maxFields of the source',
  },
  ENVELOPE_UNKNOWN: { mayPass: false, cure: ITEMS },
  ENVELOPE_AMBIGUOUS: { mayPass: false, cure: ITEMS },
  PAGING_UNPROVEN: { mayPass: false, cure: PAGING },
  PAGING_LOOP: { mayPass: false, cure: PAGING },
  PAGING_ENDLESS: { mayPass: false, cure: PAGING },
  PAGING_OTHER_ORIGIN: {
    mayPass: false,
    cure: [
      ...PAGING.slice(0, 1),
      {
        setting: 'baseUrl',
        choices: [],
        open: 'where the link leads',
        when: 'that is the address of the API',
      },
    ],
  },
  BESIDE_UNKNOWN: { mayPass: false, cure: PAGING },
  PAGING_FOUND: { mayPass: false, cure: PAGING },
  CAP_SUSPECTED: { mayPass: false, cure: PAGING },
  EMPTY_UNPROVEN: { mayPass: false, cure: PAGING },
  PARENT_MISMATCH: { mayPass: false, cure: MAY_PASS },
  LISTING_UNSTABLE: { mayPass: true, cure: 'run when the server is quieter' },
  END_UNPROVEN: { mayPass: false, cure: WHOLE },
  TOTAL_MISMATCH: { mayPass: true, cure: PAGING },
  SHAPE_CHANGED: { mayPass: false, cure: PAGING },
} as const satisfies Record<string, CodeEntry>;

export type ApiCode = keyof typeof API_CODES;

/** The settings that may help if a listing failed with this code. */
export function curesOf(code: ApiCode, resource: string): readonly Cure[] {
  const { cure }: CodeEntry = API_CODES[code];
  if (typeof cure === 'string') return [];
  return cure.map((each) => ({ ...each, setting: each.setting.replace('NAME', resource) }));
}

/** The message: what was seen, and the cures; without `cures`, the code's own cure. */
export function messageOf(says: string, code: ApiCode, cures: readonly Cure[] = []): string {
  const { cure }: CodeEntry = API_CODES[code];
  return cures.length === 0 && typeof cure === 'string' ? `${says}: ${cure}.` : saidWithCures(says, cures);
}

/** True if a failure with this code may pass; false for a code that is not of the API. */
export function mayPass(code: string): boolean {
  return isApiCode(code) && API_CODES[code].mayPass;
}

/**
 * What a failure with this code lacks, and another answer of the listing may prove: what its records have in common, or how
 * its pages are asked for. Undefined if it lacks none of them.
 */
export function lackOf(code: string): 'keys' | 'pageSize' | undefined {
  if (code === 'ENVELOPE_UNKNOWN') return 'keys';
  return code === 'PAGING_UNPROVEN' ? 'pageSize' : undefined;
}

function isApiCode(code: string): code is ApiCode {
  return Object.hasOwn(API_CODES, code);
}
