import { SECRET_EXAMPLE } from '../sources/kinds.ts';
import { type Cure, saidWithCures } from '../sources/question.ts';
import { CALL_SETTINGS } from '../sources/resources.ts';
import { allOf } from '../text.ts';

export interface CodeEntry {
  /** True if another try later may succeed. */
  readonly mayPass: boolean;
  /** What the operator does: settings that may help, with NAME for the resource; or the end of a sentence. */
  readonly cure: string | readonly Cure[];
  /** True if the address may be wrong, so the message names it. */
  readonly namesAddress?: true;
}

const MAY_PASS = 'if it does not pass by itself, ask the operator of the server';
const WRONG_CALL = `compare what the source has of ${allOf(CALL_SETTINGS)} with the documentation of the server`;
const ITEMS: readonly Cure[] = [
  { setting: 'resources.NAME.items', choices: [], open: 'where the records are' },
];
/** What the setting `paging` says, in words. */
export const PAGING_STYLE =
  'the style of the listing (page:PARAM, offset:PARAM, cursor:PARAM@PLACE, next@PLACE or link)';
const PAGING: readonly Cure[] = [
  { setting: 'resources.NAME.paging', choices: [], open: PAGING_STYLE },
  { setting: 'resources.NAME.paging', choices: ['none'], when: 'one answer has all records' },
];

const passes = (cure: CodeEntry['cure']): CodeEntry => ({ mayPass: true, cure });
const stays = (cure: CodeEntry['cure']): CodeEntry => ({ mayPass: false, cure });
const each = <const Code extends string>(codes: readonly Code[], entry: CodeEntry) =>
  Object.fromEntries(codes.map((code) => [code, entry])) as Record<Code, CodeEntry>;
const located = (entry: CodeEntry): CodeEntry => ({ ...entry, namesAddress: true });

/** Every code at the end of an answer, a listing or a source; docs/run/codes.md explains each. */
export const API_CODES = {
  ANSWER_UNASKED: passes(
    'look for a proxy in between that sends an answer twice or late; ask the operator of the server',
  ),
  ANSWER_UNREADABLE: stays(
    'the other answers are not harmed; report it, with the beginning of the answer if you may show it',
  ),
  BODY_EMPTY: passes(MAY_PASS),
  BODY_NOT_JSON: located(
    stays('something else than the API may have answered; look at what that address returns'),
  ),
  BODY_NOT_TEXT: passes('the server must send what its content-type and content-encoding promise'),
  BODY_TOO_DEEP: stays('if such records are right, raise maxDepth of the source'),
  BODY_TOO_LARGE: stays('if the listing is rightly this big, raise maxListingBytes of the source'),
  BODY_TRUNCATED: passes('look for a proxy with a shorter timeout than the answer takes'),
  CONNECTION_FAILED: located(
    passes(
      'check baseUrl in the config, DNS, firewall, for https:// HTTPS_PROXY and, on AWS, the vpc setting',
    ),
  ),
  PROXY_FAILED: located(
    passes('correct HTTPS_PROXY, its user and its password, or name the host in NO_PROXY'),
  ),
  OUT_OF_TIME: passes('the next sweep requests it again'),
  RATE_LIMITED: passes('lower requestsPerSecond of the source'),
  SPOOL_FAILED: passes('give the process a temporary folder with more space'),
  TIMEOUT: passes('if it stays, lower concurrency of the source'),
  HTTP_401: passes('if it stays, look at the other listings and at the secret of the source'),
  HTTP_400: stays(`${WRONG_CALL}; some servers name in the answer the versions that they allow`),
  ...each(
    ['HTTP_202', 'HTTP_408', 'HTTP_425', 'HTTP_500', 'HTTP_502', 'HTTP_503', 'HTTP_504', 'HTTP_5XX'],
    passes(MAY_PASS),
  ),
  ...each(['HTTP_2XX', 'HTTP_3XX', 'HTTP_405', 'HTTP_422', 'HTTP_4XX'], stays(WRONG_CALL)),
  API_ERROR: passes(MAY_PASS),
  NOT_FOUND: stays('it was removed after it was listed'),
  GONE_UNPROVEN: passes(
    'its rows stay as they were, until the server answers the same for a parent that does not exist',
  ),
  UNAUTHORIZED: stays('the key works elsewhere; give it the right to this record or listing'),
  FORBIDDEN: stays('give the key the right or scope for it, or correct the account in the config'),
  API_NOT_ENABLED: stays('have the API enabled for this installation; it is not by default'),
  SOURCE_UNAUTHORIZED: stays('put a valid key there'),
  SOURCE_SILENT: stays(
    'its rows stay as they were, and the next run asks again; ask the operator of the server why it answers no call',
  ),
  SECRET_INVALID: stays(`write the secret as ${SECRET_EXAMPLE}, at least 8 characters long`),
  SYSTEM_REFUSED: passes(
    'raise the limit of open files, with `ulimit -n 4096` say, or lower concurrency of the source',
  ),
  TLS_EXPIRED: located(
    stays('ask the operator of the server for a valid certificate, and look at the clock of this machine'),
  ),
  TLS_NOT_SPOKEN: located(
    stays(
      'name the port for https:// in baseUrl; in a network that you trust, http:// with allowHttp works too',
    ),
  ),
  TLS_REFUSED: located(
    stays(
      'set caFile of the source to a file with the certificate of the CA that signed it; write "caFile": "ca.pem" for a file next to the config',
    ),
  ),
  TLS_WRONG_HOST: located(stays('set baseUrl to a host name that is in the certificate')),
  CA_FILE_INVALID: stays('set caFile of the source to a readable file with PEM certificates'),
  REDIRECT_REFUSED: located(
    stays('the key stays at the origin of baseUrl; set baseUrl to where the redirect leads if that is right'),
  ),
  RECORD_TOO_LARGE: stays(
    'the stages have no memory for more: ask the operator of the server for smaller records',
  ),
  RECORD_TOO_WIDE: stays('if such records are right, raise maxFields of the source'),
  ...each(['ENVELOPE_UNKNOWN', 'ENVELOPE_AMBIGUOUS'], stays(ITEMS)),
  ...each(['PAGING_UNPROVEN', 'PAGING_LOOP', 'PAGING_ENDLESS'], stays(PAGING)),
  PAGING_OTHER_ORIGIN: stays([
    ...PAGING.slice(0, 1),
    {
      setting: 'baseUrl',
      choices: [],
      open: 'where the link leads',
      when: 'that is the address of the API',
    },
  ]),
  ...each(
    ['BESIDE_UNKNOWN', 'PAGING_FOUND', 'CAP_SUSPECTED', 'EMPTY_UNPROVEN', 'SHAPE_CHANGED'],
    stays(PAGING),
  ),
  PARENT_MISMATCH: stays(MAY_PASS),
  LISTING_UNSTABLE: passes('run when the server is quieter'),
  TOTAL_MISMATCH: passes(PAGING),
} as const satisfies Record<string, CodeEntry>;

export type ApiCode = keyof typeof API_CODES;

/** The settings that may help if a listing failed with this code. */
export function curesOf(code: ApiCode, resource: string): readonly Cure[] {
  const { cure } = API_CODES[code];
  if (typeof cure === 'string') return [];
  return cure.map((each) => ({ ...each, setting: each.setting.replace('NAME', resource) }));
}

/** The message: the observation and the cures; without `cures`, the code's own cure. */
export function messageOf(says: string, code: ApiCode, cures: readonly Cure[] = []): string {
  const { cure } = API_CODES[code];
  return cures.length === 0 && typeof cure === 'string' ? `${says}: ${cure}.` : saidWithCures(says, cures);
}

/** True if a failure with this code may pass; false for a code that is not of the API. */
export function mayPass(code: string): boolean {
  return isApiCode(code) && API_CODES[code].mayPass;
}

/**
 * What a failure with this code lacks, and another answer of the listing may prove. It is the shared keys of
 * its records, or the page size. Undefined if it lacks neither.
 */
export function lackOf(code: string): 'keys' | 'pageSize' | undefined {
  if (code === 'ENVELOPE_UNKNOWN') return 'keys';
  return code === 'PAGING_UNPROVEN' ? 'pageSize' : undefined;
}

function isApiCode(code: string): code is ApiCode {
  return Object.hasOwn(API_CODES, code);
}

/**
 * A listing that is unusable although its calls were answered. It becomes the listing's last row and, if
 * settings may help, a question.
 */
export class ListingError extends Error {
  readonly code: ApiCode;
  /** The observation: a sentence without full stop, with keys and counts, never with values. */
  readonly says: string;
  /** The settings that may help, with their values if the answer shows them. */
  readonly cures: readonly Cure[];

  /** @param cures more exact ones than the code's own, such as the places where the records may be */
  constructor(
    code: ApiCode,
    says: string,
    about: { readonly resource: string; readonly cures?: readonly Cure[] },
  ) {
    const cures = about.cures ?? curesOf(code, about.resource);
    super(messageOf(says, code, cures));
    this.name = code;
    this.code = code;
    this.says = says;
    this.cures = cures;
  }
}
