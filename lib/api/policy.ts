import type { ApiCode } from './codes.ts';

/**
 * What an answer or fault means for the item. `retry`: the call is tried again. `again`: the same, until an
 * answer comes twice in a row. `stop`: it has failed.
 */
export type Verdict = 'ok' | 'gone' | 'denied' | 'retry' | 'again' | 'stop';

export interface Rule {
  readonly verdict: Verdict;
  /** Null if nothing is wrong. */
  readonly code: ApiCode | null;
  /** What happened, as the end of a sentence. */
  readonly message: string;
}

type PolicyRow = readonly [from: number, to: number, verdict: Verdict, code: ApiCode | null, message: string];

/** The first row with a range that holds the status decides. */
export const STATUS_POLICY: readonly PolicyRow[] = [
  [200, 200, 'ok', null, 'answered'],
  [203, 203, 'ok', null, 'answered through a proxy'],
  [204, 205, 'ok', null, 'answered that there is nothing'],
  [206, 206, 'ok', null, 'answered with a part'],
  [202, 202, 'retry', 'HTTP_202', 'says that the answer is not ready yet'],
  [200, 299, 'stop', 'HTTP_2XX', 'answered with something new'],
  [300, 399, 'stop', 'HTTP_3XX', 'redirects without saying where, or too often'],
  [400, 400, 'stop', 'HTTP_400', 'calls the request bad'],
  [401, 401, 'denied', 'UNAUTHORIZED', 'refuses the key here'],
  [403, 403, 'denied', 'FORBIDDEN', 'forbids this to the key'],
  [404, 404, 'gone', 'NOT_FOUND', 'does not know it'],
  [405, 405, 'stop', 'HTTP_405', 'does not allow GET here'],
  [408, 408, 'retry', 'HTTP_408', 'waited too long for the request'],
  [410, 410, 'gone', 'NOT_FOUND', 'says that it is gone'],
  [422, 422, 'stop', 'HTTP_422', 'misses or refuses a parameter'],
  [425, 425, 'retry', 'HTTP_425', 'says that it is too early'],
  [429, 429, 'retry', 'RATE_LIMITED', 'says that there are too many calls'],
  [400, 499, 'stop', 'HTTP_4XX', 'refuses the call'],
  [500, 500, 'retry', 'HTTP_500', 'failed'],
  [502, 502, 'retry', 'HTTP_502', 'failed behind its gateway'],
  [503, 503, 'retry', 'HTTP_503', 'is not available'],
  [504, 504, 'retry', 'HTTP_504', 'was too slow for its gateway'],
  [500, 599, 'retry', 'HTTP_5XX', 'failed'],
];

/** How to react to a missing answer or an unusable body. A call without time left is not tried again. */
export const FAULT_POLICY: Readonly<Partial<Record<ApiCode, Verdict>>> = {
  ANSWER_UNASKED: 'again',
  BODY_EMPTY: 'retry',
  BODY_NOT_JSON: 'again',
  BODY_NOT_TEXT: 'again',
  BODY_TRUNCATED: 'retry',
  CONNECTION_FAILED: 'retry',
  API_ERROR: 'retry',
  PROXY_FAILED: 'retry',
};

/** What a fault means for its call: it ends it, unless another try may help. */
export function verdictOfFault(code: ApiCode): Verdict {
  return FAULT_POLICY[code] ?? 'stop';
}

const UNKNOWN_STATUS: Rule = {
  verdict: 'stop',
  code: 'HTTP_4XX',
  message: 'answered with a status that HTTP does not have',
};

/** What a status means. */
export function ruleOfStatus(status: number): Rule {
  const row = STATUS_POLICY.find(([from, to]) => status >= from && status <= to);
  return row === undefined ? UNKNOWN_STATUS : { verdict: row[2], code: row[3], message: row[4] };
}
